/** `openmcp uninstall`: a server out of client applications' configurations. */
import type { Scope } from "../../desktop/index.ts";
import type { CommandModule } from "../command.ts";
import { type ClientChoice, clientOption, dryRunOption, scopeOption } from "../desktop/which-clients.ts";

interface UninstallOptions {
  readonly client: ClientChoice;
  readonly scope: Scope;
  readonly dryRun?: true;
}

export const uninstall: CommandModule = {
  define(command, { run }) {
    command
      .argument("<name>", "the server's name in the application, or the relay's id that it was made of")
      .addOption(clientOption("the applications; commas between").makeOptionMandatory())
      .addOption(scopeOption())
      .addOption(dryRunOption())
      .addHelpText(
        "after",
        `
Examples:
  openmcp uninstall weather --client claude-desktop
  openmcp uninstall weather --client all --dry-run

Exits with 1 when it is in none of them.`,
      )
      .action((name: string, { client, scope, dryRun }: UninstallOptions) =>
        run(async (shell) => {
          const [
            { planUninstall, applicationOf, nameFrom },
            { carryOut },
            { thisMachine },
            { chosenClients },
          ] = await Promise.all([
            import("../../desktop/index.ts"),
            import("../desktop/carry-out.ts"),
            import("../desktop/this-machine.ts"),
            import("../desktop/which-clients.ts"),
          ]);
          const machine = thisMachine(shell);
          const clients = await chosenClients(client, machine);
          const changes = clients
            .filter((id) => clients.length === 1 || applicationOf(id).scopes.includes(scope))
            .map((client) => ({
              client,
              async plan() {
                const plan = await planUninstall({ client, scope, machine }, name);
                // By the word that install was given, too: it makes a name of it.
                const made = nameFrom(name);
                return plan.outcome === "absent" && made !== name && /[A-Za-z0-9]/.test(name)
                  ? planUninstall({ client, scope, machine }, made)
                  : plan;
              },
            }));
          return carryOut(shell, { changes, dryRun: dryRun === true, remarks: [] });
        }),
      );
  },
};
