/** `openmcp call`: one tool of one relay, through the catalog, with the caller's own credential. */
import { Option } from "commander";
import type { JsonObject } from "../../spec/index.ts";
import { jsonArguments, wordArguments } from "../arguments/tool-arguments.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { callResult } from "../format/call-result.ts";
import { shellWord } from "../format/tool-signature.ts";
import { printableLine } from "../terminal/printable.ts";
import { findTool } from "./tools.ts";

interface CallOptions {
  readonly relayToken?: string;
}

export const call: CommandModule = {
  define(command, { run }) {
    command
      .usage("<id> <tool> [json | - | key=value...] [options]")
      .argument("<id>", "the relay's id")
      .argument("<tool>", "the tool's name")
      .argument("[arguments...]", "one JSON object, - to read it from standard input, or key=value words")
      .addOption(
        new Option("--relay-token <token>", "your credential for the relay; sent on, never kept").env(
          "OPENMCP_RELAY_TOKEN",
        ),
      )
      .addHelpText(
        "after",
        `
key=value words are typed by the tool's own schema: numbers, true and false, lists
(repeat the key), JSON for objects. key.sub=value reaches into an object; key:=JSON
is taken as it is.

Examples:
  openmcp call weather.example forecast city=Bern days=3
  openmcp call weather.example forecast '{"city": "Bern", "days": 3}'
  echo '{"city": "Bern"}' | openmcp call weather.example forecast -
  openmcp call board.example post_job job.title="Engineer" job.tags=node --relay-token "$TOKEN"

Exits with 1 when the tool says that it failed.`,
      )
      .action((id: string, tool: string, words: readonly string[], options: CallOptions) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const token = options.relayToken === "" ? undefined : options.relayToken;
          const given = await argumentsOf(words, {
            readInput: shell.readInput,
            schema: async () =>
              findTool((await catalog.tools(id)).tools, { relay: id, name: tool }).inputSchema,
          });
          const answer = await catalog.call({
            relay: id,
            tool,
            arguments: given,
            ...(token === undefined ? {} : { token }),
          });
          const failed = answer.result.isError === true;
          if (shell.json) shell.printJson(answer);
          else {
            if (failed) shell.note(`${shell.noteStyle.bad("✗")} The tool says that it failed:`);
            shell.print(callResult(answer.result, shell.style));
            // Most tools that fail were given what they don't take: the way to see what they do is nearest here.
            if (failed) {
              const words = [id, tool].map((word) => shellWord(printableLine(word))).join(" ");
              shell.note(shell.noteStyle.quiet(`  \`openmcp tools ${words}\` explains its arguments.`));
            }
          }
          return failed ? exitCodes.no : exitCodes.ok;
        }),
      );
  },
};

async function argumentsOf(
  words: readonly string[],
  from: {
    readonly readInput: () => Promise<string>;
    readonly schema: () => Promise<JsonObject[string] | undefined>;
  },
): Promise<JsonObject> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first === "-") {
    const text = await from.readInput();
    return text.trim() === "" ? {} : jsonArguments(text);
  }
  if (words.length === 1 && /^\s*[{[]/.test(first)) return jsonArguments(first);
  return wordArguments(words, await from.schema());
}
