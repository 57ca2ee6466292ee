/** `openmcp show`: one relay's record. */
import type { CatalogClient } from "../../client/index.ts";
import { isOpenMcpError, type RelayClaim } from "../../spec/index.ts";
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
          else {
            const { style, width } = shell;
            const claims = await claimsOf(catalog, id);
            shell.print(relayRecord(relay, { style, width, now: Date.now(), claims }));
          }
          return exitCodes.ok;
        }),
      );
  },
};

/** None where nobody can say: other catalogs keep no claims, and MCP has no tool for them. */
async function claimsOf(catalog: CatalogClient, id: string): Promise<readonly RelayClaim[]> {
  try {
    return (await catalog.claims(id)).claims;
  } catch (error) {
    if (isOpenMcpError(error, "aborted")) throw error;
    return [];
  }
}
