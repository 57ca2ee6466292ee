/** `openmcp find`: tools by what they should do, over all relays. */
import { Option } from "commander";
import type { FindToolsInput } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../format/facts.ts";
import { foundTools } from "../format/found-tools.ts";
import { countOption } from "../option-values.ts";

interface FindOptions {
  readonly limit?: number;
  readonly tag?: string;
  readonly auth?: FindToolsInput["auth"];
  readonly verified?: true;
  readonly includeOffline?: true;
}

export const find: CommandModule = {
  define(command, { run }) {
    command
      .argument("<words...>", "what the tool should do, in plain words")
      .addOption(new Option("--limit <n>", "at most this many").argParser(countOption(100)).default(8))
      .option("--tag <tag>", "only on relays with this tag")
      .addOption(
        new Option("--auth <kind>", "only on relays with this kind of access").choices([
          "none",
          "bearer",
          "oauth",
          "api-key",
          "unknown",
        ]),
      )
      .option("--verified", "only on relays whose own origin vouches for them")
      .option("--include-offline", "on relays that don't answer now too")
      .addHelpText(
        "after",
        `
Examples:
  openmcp find list the open pull requests of a repository
  openmcp find weather forecast --auth none
  openmcp find send an invoice --json | jq -r '.tools[0] | .relay, .name'

Exits with 1 when nothing fits.`,
      )
      .action((words: readonly string[], options: FindOptions) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const found = await catalog.find({
            q: words.join(" "),
            ...(options.limit === undefined ? {} : { limit: options.limit }),
            ...(options.tag === undefined ? {} : { tag: options.tag }),
            ...(options.auth === undefined ? {} : { auth: options.auth }),
            ...(options.includeOffline ? { online: false } : {}),
            // The catalog's MCP door has no such parameter (wire.md): there the answer is narrowed here.
            ...(options.verified && catalog.transport === "rest" ? { verified: true } : {}),
          });
          const tools = options.verified ? found.tools.filter((tool) => tool.verified) : found.tools;
          if (shell.json) shell.printJson({ ...found, tools });
          else if (tools.length > 0)
            shell.print(foundTools(tools, { style: shell.style, width: shell.width }));
          else if (found.indexing === undefined) {
            shell.note(
              `No tool fits. Try other words${options.includeOffline ? ", or fewer conditions" : ", fewer conditions, or --include-offline"}.`,
            );
          }
          if (!shell.json && found.indexing !== undefined)
            shell.note(stillIndexing(found.indexing, tools.length));
          return tools.length === 0 ? exitCodes.no : exitCodes.ok;
        }),
      );
  },
};

function stillIndexing(relays: number, found: number): string {
  const what = `${count(relays, "relay")} just listed can't be searched yet: try again in a moment.`;
  return found === 0 ? `No tool fits so far. ${what}` : what;
}
