/** `openmcp rm`: takes a relay out of the catalog; the catalog's admin may. */
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { printableLine } from "../terminal/printable.ts";

export const rm: CommandModule = {
  define(command, { run }) {
    command
      .argument("<id>", "the relay's id")
      .addHelpText(
        "after",
        `
Examples:
  OPENMCP_TOKEN=… openmcp rm agenticjobs.work`,
      )
      .action((id: string) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const answer = await catalog.remove(id);
          if (shell.json) shell.printJson(answer);
          else shell.print(`${shell.style.good("✓")} removed ${printableLine(answer.removed)}`);
          return exitCodes.ok;
        }),
      );
  },
};
