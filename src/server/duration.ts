/** Durations as people write them: `500ms`, `6s`, `10m`, `2h`, `1d`. Pure; knows no options. */

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds, or null when `text` is not a number with a unit. Fractions are fine: `1.5h`. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim().toLowerCase());
  if (match === null) return null;
  return Math.round(Number(match[1]) * (UNITS[match[2] as string] as number));
}

/** The shortest spelling in one unit: 600000 is `10m`, 1500 is `1500ms`. */
export function formatDuration(ms: number): string {
  const unit = ["d", "h", "m", "s"].find((name) => ms > 0 && ms % (UNITS[name] as number) === 0) ?? "ms";
  return `${ms / (UNITS[unit] as number)}${unit}`;
}
