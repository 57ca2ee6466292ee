/** Numbers out of many measured times. */

export interface Timing {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** A second, over the wall time of the run. */
  readonly rate: number;
}

/** `times` in milliseconds, `wallMs` for all of them together. */
export function timingOf(times: readonly number[], wallMs: number): Timing {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    count: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    rate: (sorted.length / wallMs) * 1000,
  };
}

/** The upper of the two in the middle, where there are two; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Three figures, no more: `0.412`, `3.14`, `27.6`, `1234`. */
export function figure(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(3, digits));
}
