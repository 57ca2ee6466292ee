/** What a benchmark found, and how it is printed: one line a kind of work, its ceiling and their ratio beside it. */
import { figure, type Timing } from "./percentiles.ts";

export interface Row {
  readonly work: string;
  /** Name to text, printed in order. */
  readonly figures: Readonly<Record<string, string>>;
  /** The same work with nothing in it, measured in the same run. */
  readonly ceiling?: string;
  /** Of the figure that the goal is about to its ceiling's. */
  readonly ratio?: string;
  readonly goal?: string;
}

/** `cpu`: milliseconds of processor time of the measured process for each request, where that is known. */
export type Costed = Timing & { readonly cpu?: number };

export function timingFigures(timing: Costed): Readonly<Record<string, string>> {
  return {
    p50: `${figure(timing.p50)} ms`,
    p99: `${figure(timing.p99)} ms`,
    rate: `${figure(timing.rate)}/s`,
    ...(timing.cpu === undefined ? {} : { cpu: `${figure(timing.cpu)} ms` }),
  };
}

export function ceilingText(timing: Costed): string {
  return `p50 ${figure(timing.p50)} ms, ${figure(timing.rate)}/s${timing.cpu === undefined ? "" : `, cpu ${figure(timing.cpu)} ms`}`;
}

export function printRows(title: string, rows: readonly Row[]): void {
  console.log(`\n## ${title}\n`);
  console.log("| work | measured | ceiling | ratio | goal |");
  console.log("|---|---|---|---|---|");
  for (const row of rows) {
    const measured = Object.entries(row.figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
    console.log(
      `| ${row.work} | ${measured} | ${row.ceiling ?? ""} | ${row.ratio ?? ""} | ${row.goal ?? ""} |`,
    );
  }
}
