/** The table of docs/real-servers.md: written from a run, read back for comparing. Times are a machine's own and not compared. */

export interface TableRow {
  readonly server: string;
  readonly era: string;
  readonly transport: string;
  readonly session: boolean;
  readonly tools: number;
  /** Milliseconds from the request to register until its answer. */
  readonly ms: number;
}

const HEAD = "| server | era | transport | session | tools | registered in |";
const BEGIN = "<!-- table: written by UPDATE_DOCS=1 vitest run test/real-servers -->";
const END = "<!-- end of table -->";

/** `text` with its table replaced. */
export function documentTable(text: string, rows: readonly TableRow[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.server} | ${row.era} | ${row.transport} | ${row.session ? "yes" : "no"} | ${row.tools} | ${row.ms} ms |`,
  );
  const [before, rest] = halves(text, BEGIN);
  const [, after] = halves(rest, END);
  return `${before}${BEGIN}\n${[HEAD, "|---|---|---|---|---|---|", ...lines].join("\n")}\n${END}${after}`;
}

/** The rows of the table in `text`, without their times. */
export function tableOf(text: string): readonly Omit<TableRow, "ms">[] {
  const [, rest] = halves(text, BEGIN);
  const [table] = halves(rest, END);
  return table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => {
      const [server = "", era = "", transport = "", session, tools] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { server, era, transport, session: session === "yes", tools: Number(tools) };
    });
}

function halves(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`docs/real-servers.md lost its mark ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
