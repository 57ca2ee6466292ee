/**
 * How many ways a pattern may try to match, for what it is tried on: an upper bound by its parts, in the manner of a backtracking matcher.
 * What follows each other multiplies, what is offered side by side adds up, what repeats something that has ways of its own is endless.
 * It reads more into a pattern than a matcher would do, never less. Pure.
 */

/** `length`: characters of the longest text it is tried on. Infinity where there is no bound worth naming, or no such pattern. */
export function patternCost(pattern: string, length: number): number {
  const reader = { pattern, at: 0, length };
  const ways = choiceOf(reader, 0);
  if (reader.at < pattern.length) return Number.POSITIVE_INFINITY;
  // It may begin anywhere; how far a try goes is within the ways.
  return ways * (pattern.startsWith("^") && !pattern.includes("|") ? 1 : Math.max(1, length));
}

interface Reader {
  readonly pattern: string;
  at: number;
  readonly length: number;
}

const MAX_GROUPS = 50;

function choiceOf(reader: Reader, depth: number): number {
  if (depth > MAX_GROUPS) return Number.POSITIVE_INFINITY;
  let all = sequenceOf(reader, depth);
  while (reader.pattern[reader.at] === "|") {
    reader.at += 1;
    all += sequenceOf(reader, depth);
  }
  return all;
}

function sequenceOf(reader: Reader, depth: number): number {
  let ways = 1;
  while (reader.at < reader.pattern.length && !"|)".includes(reader.pattern[reader.at] as string)) {
    const own = atomOf(reader, depth);
    ways *= repeated(own, quantifierOf(reader), reader.length);
  }
  return ways;
}

/** Ways of one group, class or character. */
function atomOf(reader: Reader, depth: number): number {
  const { pattern } = reader;
  const char = pattern[reader.at] as string;
  reader.at += 1;
  if (char === "\\") {
    reader.at += 1;
    return 1;
  }
  if (char === "[") {
    while (reader.at < pattern.length && pattern[reader.at] !== "]")
      reader.at += pattern[reader.at] === "\\" ? 2 : 1;
    reader.at += 1;
    return 1;
  }
  if (char !== "(") return 1;
  const kind = /^\?(?:[:=!]|<[=!]|<[^>]{0,100}>)/.exec(pattern.slice(reader.at, reader.at + 110))?.[0] ?? "";
  reader.at += kind.length;
  const inner = choiceOf(reader, depth + 1);
  reader.at += 1;
  return inner;
}

/** The most times that what stands before it may stand there; 1 where nothing is said. */
function quantifierOf(reader: Reader): { readonly least: number; readonly most: number } {
  const rest = reader.pattern.slice(reader.at, reader.at + 40);
  const [whole, sign, from, comma, to] = /^(?:([*+?])|\{(\d{1,9})(,?)(\d{0,9})\})\??/.exec(rest) ?? [];
  if (whole === undefined) return { least: 1, most: 1 };
  reader.at += whole.length;
  if (sign === "?") return { least: 0, most: 1 };
  if (sign !== undefined) return { least: 0, most: Number.POSITIVE_INFINITY };
  const least = Number(from);
  if (comma === "") return { least, most: least };
  return { least, most: to === "" ? Number.POSITIVE_INFINITY : Number(to) };
}

function repeated(
  own: number,
  { least, most }: { readonly least: number; readonly most: number },
  length: number,
) {
  if (most === 1) return own + (least === 0 ? 1 : 0);
  if (own > 1) return own ** most;
  return Math.min(most, length) - Math.min(least, length) + 1;
}
