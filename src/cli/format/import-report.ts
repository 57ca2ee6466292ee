/** An import in words: one line while it runs, a few when it has ended, one for each of its URLs. */
import type { ImportJob, ImportReport, ImportResult, ImportSkip } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { definitionList, table } from "../terminal/table.ts";
import { count } from "./facts.ts";
import { reasonAlone } from "./reason-alone.ts";

const skipWords: Readonly<Record<ImportSkip, string>> = {
  unreadable: "could not be read",
  "not-active": "deprecated or deleted",
  "not-latest": "of an older version",
  "not-mcp": "not an MCP server",
  "no-remote": "for one's own machine",
  "unresolved-template": "with a value to fill in the URL",
  localhost: "at a local or private address",
  placeholder: "at an example's address",
  "unusable-url": "without a usable URL",
  "this-catalog": "this catalog itself",
  learned: "learned from another catalog there",
};

/** `Reading · 1,200 entries · 340 URLs, 120 looked at` */
export function importLine(job: ImportJob): string {
  const { report, state } = job;
  const word = state === "reading" ? (job.waitsUntil === null ? "Reading" : "Waiting to read on") : "Looking";
  const looked = job.dryRun ? "" : `, ${number(done(report))} looked at`;
  return `${word} · ${number(report.seen)} entries · ${number(report.taken)} URLs${looked}`;
}

export interface ImportView {
  readonly style: Style;
  /** What was given and is no part of the job: lines that are no address, and URLs that the catalog does not take. */
  readonly refused?: number;
}

/** True when it was read to its end, and something in it could be taken. */
export function isWholeImport({ state, complete, report }: ImportJob): boolean {
  return state !== "cancelled" && complete !== false && report.taken > 0;
}

export function importReport(job: ImportJob, { style, refused = 0 }: ImportView): string {
  const { report, problems } = job;
  const source = job.url === null ? "the list" : printableLine(job.url);
  const mark =
    job.finishedAt === null
      ? style.accent("…")
      : isWholeImport(job) && refused === 0
        ? style.good("✓")
        : style.bad("✗");
  const rows: readonly (readonly [string, string])[] = [
    [
      "Entries",
      `${number(report.seen)} read${report.documents === 0 ? "" : ` in ${count(report.documents, "document")}`}`,
    ],
    ["Taken", `${count(report.taken, "URL")}${shared(report)}`],
    ["Refused", refused === 0 ? "" : count(refused, "line")],
    ["Skipped", byWhy(report.skipped, (why) => skipWords[why as ImportSkip] ?? why)],
    ...(job.dryRun
      ? ([["Known", report.known === 0 ? "" : `${number(report.known)} of them listed already`]] as const)
      : ([
          [
            "Listed",
            report.taken === 0 ? "" : `${number(report.listed)} new, ${number(report.known)} known already`,
          ],
          ["Not listed", byWhy(report.failed, (state) => state)],
        ] as const)),
  ];
  return [
    `${mark} ${stateWords(job, refused)} ${style.strong(source)}`,
    definitionList(
      rows.filter(([, words]) => words !== "").map(([what, words]) => [what, [words]] as const),
      { paintLabel: style.quiet, indent: "  " },
    ),
    ...problems.map((problem) => `  ${style.warn("!")} ${printableLine(problem)}`),
  ].join("\n");
}

/** `✓ https://a.example/mcp  listed as a.example  (io.github.a/b)` */
export function importResultLine(result: ImportResult, style: Style): string {
  const names = result.names.length === 0 ? "" : style.quiet(`  (${printableLine(result.names.join(", "))})`);
  return `${resultWords(result, style)}${names}`;
}

/** A few of the words above for many of them. */
export function importList(
  jobs: readonly ImportJob[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  return table(jobs, {
    width,
    paintHeading: style.heading,
    columns: [
      { heading: "IMPORT", cell: ({ id }) => printableLine(id), paint: (text) => style.strong(text) },
      { heading: "STATE", cell: ({ state }) => state },
      { heading: "URLS", cell: ({ report }) => number(report.taken), align: "right" },
      {
        heading: "LISTED",
        cell: ({ dryRun, report }) => (dryRun ? "dry run" : number(report.listed)),
        align: "right",
      },
      { heading: "FROM", cell: ({ url }) => (url === null ? "a list" : printableLine(url)), least: 10 },
    ],
  });
}

function resultWords({ url, outcome, relay, failure, error }: ImportResult, style: Style): string {
  const shown = printableLine(url);
  switch (outcome) {
    case "listed":
      return `${style.good("✓")} ${shown}  listed as ${printableLine(relay ?? "?")}`;
    case "known":
      return `${style.good("✓")} ${shown}  listed already${relay === null ? "" : ` as ${printableLine(relay)}`}`;
    case "failed": {
      const said = error === null ? "" : `: ${printableLine(reasonAlone(error))}`;
      return `${style.bad("✗")} ${shown}  ${failure ?? "error"}${said}`;
    }
    case "taken":
      return `- ${shown}`;
    case "waiting":
      return `… ${shown}`;
  }
}

function stateWords({ state, dryRun, complete, report }: ImportJob, refused: number): string {
  if (state === "cancelled") return "Cancelled:";
  if (state === "reading") return "Reading";
  if (state === "probing") return "Looking at what was taken from";
  if (complete === true && report.taken === 0) return "Nothing could be taken from";
  const word = dryRun ? "Read only, with nothing listed:" : "Imported";
  if (complete !== true) return `${word}, and not to the end:`;
  return refused > 0 ? `${word}, and not all of it:` : word;
}

function shared({ shared }: ImportReport): string {
  return shared === 0 ? "" : `; ${count(shared, "further entry", "further entries")} for the same`;
}

/** The most first. */
function byWhy(counts: Readonly<Record<string, number | undefined>>, word: (why: string) => string): string {
  const entries = Object.entries(counts).filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0);
  if (entries.length === 0) return "";
  const total = entries.reduce((sum, [, n]) => sum + n, 0);
  const parts = entries.sort((a, b) => b[1] - a[1]).map(([why, n]) => `${number(n)} ${word(why)}`);
  return `${number(total)}: ${parts.join(", ")}`;
}

function done({ listed, known, failed }: ImportReport): number {
  return Object.values(failed).reduce((sum, n) => sum + n, listed + known);
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}
