/** `openmcp add`: registers relays by any URL of theirs; several at once become a job that the catalog works through. */
import type { CatalogClient } from "../../client/index.ts";
import { type BulkResult, OpenMcpError } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../format/facts.ts";
import { reasonAlone } from "../format/reason-alone.ts";
import { relayLine } from "../format/relay-line.ts";
import { inputText } from "../input-file.ts";
import { registerMany } from "../register-many.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

interface AddOptions {
  readonly file?: string;
}

export const add: CommandModule = {
  define(command, { run }) {
    command
      .argument("[url...]", "a relay's site, its MCP endpoint or its descriptor")
      .option("-f, --file <path>", "read URLs from a file, one a line; - reads standard input")
      .addHelpText(
        "after",
        `
Nothing you type is listed: the catalog looks for itself, and lists what it found.

Examples:
  openmcp add https://example.com/mcp
  openmcp add https://one.example https://two.example
  openmcp add --file relays.txt
  grep -o 'https://[^ ]*' notes.md | openmcp add --file -

Exits with 1 when a URL was not listed.`,
      )
      .action((given: readonly string[], options: AddOptions) =>
        run(async (shell) => {
          const urls = [...new Set([...given, ...(await listed(options.file, shell))])];
          const [first] = urls;
          if (first === undefined) {
            throw new OpenMcpError(
              "invalid-input",
              "Name a URL: openmcp add https://example.com/mcp, or --file list.",
              {
                data: { field: "url" },
              },
            );
          }
          await using catalog = openCatalog(shell);
          // Awaited here: the client closes when this function ends.
          return urls.length === 1 && options.file === undefined
            ? await addOne(catalog, { url: first, shell })
            : await addMany(catalog, { urls, shell });
        }),
      );
  },
};

async function addOne(
  catalog: CatalogClient,
  { url, shell }: { readonly url: string; readonly shell: Shell },
): Promise<number> {
  const progress = await shell.progress();
  progress.update(`Probing ${printableLine(url)}`);
  const answer = await catalog.register(url).finally(() => progress.close());
  if (shell.json) {
    shell.printJson(answer);
    return exitCodes.ok;
  }
  const word =
    answer.created === false ? "listed already" : answer.created === true ? "listed" : "in the catalog";
  shell.print(`${shell.style.good("✓")} ${word}: ${relayLine(answer.relay, shell.style)}`);
  for (const other of answer.relays) shell.print(`  beside it: ${relayLine(other, shell.style)}`);
  if (answer.more > 0) {
    shell.print(
      `  and ${count(answer.more, "server")} more in its catalog: openmcp import ai-catalog takes them all`,
    );
  }
  shell.note(shell.noteStyle.quiet(`  openmcp tools ${printableLine(answer.relay.id)}`));
  return exitCodes.ok;
}

async function addMany(
  catalog: CatalogClient,
  { urls, shell }: { readonly urls: readonly string[]; readonly shell: Shell },
): Promise<number> {
  const tally = { listed: 0, known: 0, refused: 0, failed: 0 };
  const progress = await shell.progress();
  const state = (): string => {
    const done = tally.listed + tally.known + tally.refused + tally.failed;
    return `Probing ${done}/${urls.length} · ${words(tally)}`;
  };
  const jobs: string[] = [];
  progress.update(state());
  let results: readonly BulkResult[];
  try {
    results = await registerMany(catalog, {
      urls,
      signal: shell.signal,
      onJob: (job) => jobs.push(job),
      onWait: (seconds) => {
        progress.settle(
          shell.noteStyle.quiet(`The catalog takes more in ${count(seconds, "second")}; waiting.`),
        );
      },
      onResult: (result) => {
        tally[result.outcome]++;
        progress.settle(resultLine(result, shell.noteStyle));
        progress.update(state());
      },
    });
  } catch (error) {
    progress.close();
    const job = jobs.at(-1);
    if (shell.signal.aborted && job !== undefined) {
      shell.note(`The catalog goes on with what it has taken (job ${printableLine(job)}).`);
    }
    throw error;
  }
  progress.close();
  if (shell.json) shell.printJson({ total: urls.length, ...tally, results });
  else shell.print(`${count(urls.length, "URL")}: ${words(tally)}.`);
  return tally.refused + tally.failed === 0 ? exitCodes.ok : exitCodes.no;
}

function resultLine(result: BulkResult, style: Style): string {
  const url = printableLine(result.url);
  const reason = result.error === null ? "" : `: ${printableLine(reasonAlone(result.error))}`;
  switch (result.outcome) {
    case "listed":
      return `${style.good("✓")} ${url}  listed as ${printableLine(result.relay ?? "?")}`;
    case "known":
      return `${style.good("✓")} ${url}  listed already as ${printableLine(result.relay ?? "?")}`;
    case "refused":
      return `${style.bad("✗")} ${url}  not listed${reason}`;
    case "failed":
      return `${style.bad("✗")} ${url}  failed${reason}`;
  }
}

function words(tally: Readonly<Record<BulkResult["outcome"], number>>): string {
  return [
    `${tally.listed} listed`,
    ...(tally.known > 0 ? [`${tally.known} known already`] : []),
    ...(tally.refused > 0 ? [`${tally.refused} not listed`] : []),
    ...(tally.failed > 0 ? [`${tally.failed} failed`] : []),
  ].join(", ");
}

/** Lines of a list: empty ones and those that start with `#` are skipped. */
async function listed(file: string | undefined, shell: Shell): Promise<readonly string[]> {
  if (file === undefined) return [];
  const text =
    file === "-"
      ? await shell.readInput()
      : await inputText(file, { what: "The list", field: "--file", signal: shell.signal });
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
