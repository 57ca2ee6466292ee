/** Reads the values of options; what is refused names the form that would do. */
import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds from `10s`, `500ms`, `2m`, `1h`; a bare number is seconds. */
export function durationOption(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/i.exec(text.trim());
  const ms =
    match === null ? 0 : Math.round(Number(match[1]) * (UNITS[(match[2] ?? "s").toLowerCase()] as number));
  // Timers hold 31 bits of milliseconds; longer ones would fire at once.
  if (ms < 1 || ms > 2_147_483_647)
    throw new InvalidArgumentError("Give a duration such as 10s, 500ms or 2m.");
  return ms;
}

/** A whole number from 1 to `most`. */
export function countOption(most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return count;
  };
}

/** For options that may be repeated. */
export function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text];
}
