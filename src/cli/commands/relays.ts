/** `openmcp relays`: the relays of a catalog, filtered. */
import { Option } from "commander";
import type { RelayList } from "../../client/index.ts";
import type { ListRelaysInput, RelaySummary } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../format/facts.ts";
import { relayList } from "../format/relay-list.ts";
import { PAGE_SIZE } from "../limits.ts";
import { countOption } from "../option-values.ts";

interface RelaysOptions {
  readonly tag?: string;
  readonly online?: true;
  readonly offline?: true;
  readonly verified?: true;
  readonly auth?: ListRelaysInput["auth"];
  readonly limit?: number;
  readonly all?: true;
}

export const relays: CommandModule = {
  define(command, { run }) {
    command
      .argument("[q...]", "words that must occur in a relay's id, name, description, tags or tool names")
      .option("--tag <tag>", "only relays with this tag")
      .addOption(new Option("--online", "only relays that answer").conflicts("offline"))
      .option("--offline", "only relays that don't answer now")
      .option("--verified", "only relays whose own origin vouches for them")
      .addOption(
        new Option("--auth <kind>", "only relays with this kind of access").choices([
          "none",
          "bearer",
          "oauth",
          "api-key",
          "unknown",
        ]),
      )
      .addOption(
        new Option("--limit <n>", "at most this many").argParser(countOption(500)).default(PAGE_SIZE),
      )
      .addOption(new Option("--all", "all of them, page after page"))
      .addHelpText(
        "after",
        `
Examples:
  openmcp relays
  openmcp relays jobs --online --verified
  openmcp relays --tag weather --json | jq -r '.relays[].id'

Exits with 1 when nothing matches.`,
      )
      .action((words: readonly string[], options: RelaysOptions) =>
        run(async (shell) => {
          const filter = filterOf(words, options);
          await using catalog = openCatalog(shell);
          const found = options.all
            ? await allOf(catalog.relays(filter))
            : await catalog.list({ ...filter, limit: options.limit ?? PAGE_SIZE });
          const filtered = Object.keys(filter).length > 0;
          const code = found.relays.length === 0 && filtered ? exitCodes.no : exitCodes.ok;
          if (shell.json) {
            shell.printJson(found);
            return code;
          }
          if (found.relays.length === 0) {
            shell.note(
              filtered
                ? "No relay matches."
                : "This catalog lists no relay yet. Register one: openmcp add https://example.com/mcp",
            );
            return code;
          }
          shell.print(relayList(found.relays, { style: shell.style, width: shell.width }));
          shell.note(`\n${shell.noteStyle.quiet(footer(found))}`);
          return code;
        }),
      );
  },
};

function filterOf(
  words: readonly string[],
  options: RelaysOptions,
): Omit<ListRelaysInput, "limit" | "cursor"> {
  const q = words.join(" ").trim();
  return {
    ...(q === "" ? {} : { q }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
    ...(options.online ? { online: true } : options.offline ? { online: false } : {}),
    ...(options.verified ? { verified: true } : {}),
    ...(options.auth === undefined ? {} : { auth: options.auth }),
  };
}

async function allOf(pages: AsyncIterable<RelaySummary>): Promise<RelayList> {
  const relays: RelaySummary[] = [];
  for await (const relay of pages) relays.push(relay);
  return { relays, total: relays.length, nextCursor: null };
}

function footer(found: RelayList): string {
  const shown = found.relays.length;
  if (found.nextCursor === null && (found.total === null || found.total <= shown))
    return `${count(shown, "relay")}.`;
  const of = found.total === null ? "" : ` of ${found.total.toLocaleString("en-GB")}`;
  return `${shown.toLocaleString("en-GB")}${of} relays. --all shows the rest.`;
}
