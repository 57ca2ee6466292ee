/**
 * Aligned columns by display width. When the terminal is too narrow, the flexible columns give way, widest first; nothing
 * else is cut. Cells are printable text of one line; colour is put on after measuring.
 */
import { displayWidth, pad, truncate } from "./text-width.ts";

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string;
  /** Puts colour on a cell that is already cut and padded. */
  readonly paint?: (text: string, row: Row) => string;
  /** `right` for numbers. */
  readonly align?: "left" | "right";
  /** May be cut down to this many columns; absent: never cut. */
  readonly least?: number;
}

export interface TableOptions {
  /** Columns of the terminal; Infinity when there is none. */
  readonly width: number;
  readonly paintHeading: (text: string) => string;
  /** Written before every line. */
  readonly indent?: string;
}

const GAP = "  ";

/** Lines without a final newline. */
export function table<Row>(
  rows: readonly Row[],
  options: TableOptions & { readonly columns: readonly Column<Row>[] },
): string {
  const { columns, indent = "" } = options;
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, at) =>
    cells.reduce(
      (widest, line) => Math.max(widest, displayWidth(line[at] as string)),
      displayWidth(column.heading),
    ),
  );
  giveWay(widths, columns, options.width - indent.length - GAP.length * (columns.length - 1));
  const line = (texts: readonly string[], paint: (text: string, at: number) => string): string =>
    indent +
    texts
      .map((text, at) => {
        const width = widths[at] as number;
        const cut = truncate(text, width);
        const space = " ".repeat(Math.max(0, width - displayWidth(cut)));
        const painted = paint(cut, at);
        if (columns[at]?.align === "right") return space + painted;
        return at === columns.length - 1 ? painted : painted + space;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.heading),
      (text) => options.paintHeading(text),
    ),
    ...rows.map((row, index) =>
      line(cells[index] as string[], (text, at) => columns[at]?.paint?.(text, row) ?? text),
    ),
  ].join("\n");
}

/** `Label  value` lines under each other; values that are too long go on below themselves. */
export function definitionList(
  entries: readonly (readonly [label: string, value: readonly string[]])[],
  options: { readonly paintLabel: (text: string) => string; readonly indent?: string },
): string {
  const { indent = "" } = options;
  const width = Math.max(0, ...entries.map(([label]) => displayWidth(label)));
  return entries
    .flatMap(([label, value]) =>
      value.map((text, at) =>
        at === 0
          ? `${indent}${options.paintLabel(pad(label, width))}${GAP}${text}`
          : `${indent}${" ".repeat(width)}${GAP}${text}`,
      ),
    )
    .join("\n");
}

function giveWay(widths: number[], columns: readonly Column<never>[], room: number): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const at = columns
      .map((column, index) => ({
        index,
        spare: (widths[index] as number) - (column.least ?? Number.POSITIVE_INFINITY),
      }))
      .filter(({ spare }) => spare > 0)
      .sort((a, b) => (widths[b.index] as number) - (widths[a.index] as number))[0];
    if (at === undefined) return;
    const cut = Math.min(at.spare, Math.max(1, Math.ceil(over / 2)));
    widths[at.index] = (widths[at.index] as number) - cut;
    over -= cut;
  }
}
