/** `openmcp history`: uptime, states and changes of one relay's tools, with a strip of the last day and month. */
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { historyText } from "../format/history.ts";

export const history: CommandModule = {
  define(command, { run }) {
    command
      .argument("<id>", "the relay's id")
      .addHelpText(
        "after",
        `
Uptime counts only the time for which the relay was watched: not before the first look,
and not while the catalog was off.

Examples:
  openmcp history board.example
  openmcp history board.example --json | jq .uptime.month`,
      )
      .action((id: string) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const answer = await catalog.history(id);
          if (shell.json) shell.printJson(answer);
          else shell.print(historyText(answer, { style: shell.style, width: shell.width, now: Date.now() }));
          return exitCodes.ok;
        }),
      );
  },
};
