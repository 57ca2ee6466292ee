/** `openmcp refresh`: probes a relay now and says what changed. */
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { relayLine } from "../format/relay-line.ts";

export const refresh: CommandModule = {
  define(command, { run }) {
    command
      .argument("<id>", "the relay's id")
      .addHelpText(
        "after",
        `
Examples:
  openmcp refresh agenticjobs.work

Exits with 1 when the relay does not answer.`,
      )
      .action((id: string) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const progress = await shell.progress();
          progress.update(`Probing ${id}`);
          const answer = await catalog.refresh(id).finally(() => progress.close());
          if (shell.json) shell.printJson(answer);
          else {
            const what =
              answer.events === null
                ? answer.changed === true
                  ? "changed"
                  : "no change"
                : answer.events.length === 0
                  ? "no change"
                  : answer.events.join(", ");
            shell.print(`${relayLine(answer.relay, shell.style)}\n  ${what}`);
            if (!answer.relay.online && answer.relay.lastError !== null)
              shell.note(`  ${answer.relay.lastError}`);
          }
          return answer.relay.online ? exitCodes.ok : exitCodes.no;
        }),
      );
  },
};
