/** `openmcp export`: relays of a catalog as one document that something else takes. */
import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import type { CatalogClient } from "../../client/index.ts";
import { authKinds, type ListRelaysInput, type RelayRecord, trimEndOf } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { claudeDesktop, vscode } from "../export/client-formats.ts";
import { aiCatalog, mcpCatalog, openmcp, registry } from "../export/document-formats.ts";
import type { ExportFormat } from "../export/export-format.ts";
import { createExportReport } from "../export/export-report.ts";
import type { Shell } from "../shell.ts";
import { openNew, writeWhole } from "../write-whole.ts";

const formats: Readonly<Record<string, ExportFormat>> = {
  openmcp,
  "ai-catalog": aiCatalog,
  "mcp-catalog": mcpCatalog,
  registry,
  "claude-desktop": claudeDesktop(async (url) => {
    const [{ bridgeLaunch }, { ownInstallation, thisMachine }] = await Promise.all([
      import("../../desktop/index.ts"),
      import("../desktop/this-machine.ts"),
    ]);
    const target = { target: url, catalog: null, token: null, headers: {} };
    return bridgeLaunch(target, { own: await ownInstallation(), machine: thisMachine(process) });
  }),
  vscode,
};

interface ExportOptions {
  readonly format: string;
  readonly out?: string;
  readonly url?: string;
  readonly query?: string;
  readonly tag?: string;
  readonly online?: true;
  readonly verified?: true;
  readonly auth?: ListRelaysInput["auth"];
}

export const exportRelays: CommandModule = {
  define(command, { run }) {
    command
      .argument("[relay...]", "ids of relays; absent: all that match")
      .addOption(
        new Option("--format <format>", "what it is for").choices(Object.keys(formats)).makeOptionMandatory(),
      )
      .option(
        "-o, --out <file>",
        "where to put it; it appears whole or not at all (default: standard output)",
      )
      .option(
        "--url <url>",
        "the catalog's public URL, for the cards that documents name (default: --catalog)",
        publicUrl,
      )
      .option("--query <words>", "only relays in which all of these words occur")
      .option("--tag <tag>", "only relays with this tag")
      .option("--online", "only relays that answer")
      .option("--verified", "only relays whose own origin vouches for them")
      .addOption(
        new Option("--auth <kind>", "only relays with this kind of access").choices([
          ...authKinds,
          "unknown",
        ]),
      )
      .addHelpText(
        "after",
        `
Formats:
${Object.entries(formats)
  .map(([name, { summary }]) => `  ${name.padEnd(15)} ${summary}`)
  .join("\n")}

Examples:
  openmcp export --format ai-catalog --online --out public/.well-known/ai-catalog.json
  openmcp export --format vscode weather.example > .vscode/mcp.json
  openmcp export --format registry --tag weather | jq -r '.servers[].server.name'

No credential is in what is written. Exits with 1 when nothing matches.`,
      )
      .action((ids: readonly string[], options: ExportOptions) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const report = createExportReport();
          const format = formats[options.format] as ExportFormat;
          const text = format.write(report.counted(recordsOf(catalog, { ids, options })), {
            url: options.url ?? catalog.base,
            remark: report.remark,
          });
          await put(shell, text, options.out);
          for (const line of report.lines(shell.noteStyle, options)) shell.note(line);
          return report.read() === 0 ? exitCodes.no : exitCodes.ok;
        }),
      );
  },
};

/** Without a slash at the end. */
function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new InvalidArgumentError("Give a base URL such as https://catalog.example.");
  }
  return trimEndOf(`${url.origin}${url.pathname}`, "/");
}

/** By their ids in the order given, or page after page. */
async function* recordsOf(
  catalog: CatalogClient,
  { ids, options }: { readonly ids: readonly string[]; readonly options: ExportOptions },
): AsyncGenerator<RelayRecord> {
  if (ids.length > 0) {
    for (const id of new Set(ids)) yield await catalog.get(id);
    return;
  }
  const { query, tag, online, verified, auth } = options;
  yield* catalog.records({
    ...(query === undefined ? {} : { q: query }),
    ...(tag === undefined ? {} : { tag }),
    ...(online === undefined ? {} : { online }),
    ...(verified === undefined ? {} : { verified }),
    ...(auth === undefined ? {} : { auth }),
  });
}

async function put(shell: Shell, text: AsyncIterable<string>, out: string | undefined): Promise<void> {
  if (out === undefined || out === "-") {
    for await (const block of blocks(text)) shell.write(block);
    return;
  }
  await writeWhole(resolve(out), async (temporary) => {
    await using handle = await openNew(temporary, 0o644);
    for await (const block of blocks(text)) await handle.write(block);
  });
}

/** So that a catalog that does not answer, and an id that is none, leave no beginning of a document behind. */
async function* blocks(text: AsyncIterable<string>): AsyncGenerator<string> {
  const waiting: string[] = [];
  let chars = 0;
  for await (const part of text) {
    waiting.push(part);
    chars += part.length;
    if (chars < WRITE_CHARS) continue;
    yield waiting.splice(0).join("");
    chars = 0;
  }
  yield waiting.join("");
}

/** Characters gathered before they are written. */
const WRITE_CHARS = 64 * 1024;
