/** `openmcp show`: one relay's record. */
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { relayRecord } from "../format/relay-record.ts";

export const show: CommandModule = {
  define(command, { run }) {
    command
      .argument("<id>", "the relay's id, as `openmcp relays` shows it")
      .addHelpText(
        "after",
        `
Examples:
  openmcp show agenticjobs.work
  openmcp show agenticjobs.work --json`,
      )
      .action((id: string) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const relay = await catalog.get(id);
          if (shell.json) shell.printJson(relay);
          else shell.print(relayRecord(relay, { style: shell.style, width: shell.width, now: Date.now() }));
          return exitCodes.ok;
        }),
      );
  },
};
