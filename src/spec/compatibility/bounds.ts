/** Where a schema's least and most are tighter than another's: numbers, lengths, counts. Pure. */
import type { JsonObject } from "../json.ts";
import { own } from "./schema-parts.ts";
import type { Narrowing } from "./types.ts";

/** Least and most of what has a size, by the type that has it. */
const SIZES: readonly (readonly [type: string, least: string, most: string])[] = [
  ["string", "minLength", "maxLength"],
  ["array", "minItems", "maxItems"],
  ["object", "minProperties", "maxProperties"],
];

/** Read here, and by nobody else. */
export const BOUNDS: ReadonlySet<string> = new Set([
  ...SIZES.flatMap(([, least, most]) => [least, most]),
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
]);

/** Of the types that `from` lets through. */
export function tighterBounds(
  from: JsonObject,
  to: JsonObject,
  { types, pointer }: { readonly types: readonly string[]; readonly pointer: string },
): readonly Narrowing[] {
  const found: Narrowing[] = [];
  const tighter = (keyword: string, was: number | null, is: number | null): void => {
    const detail = `${keyword} ${is} in place of ${was ?? "none"}`;
    found.push({ code: "bounds", pointer: `${pointer}/${keyword}`, detail });
  };
  for (const [type, least, most] of SIZES) {
    if (!types.includes(type)) continue;
    const [low, high] = [number(to, least) ?? 0, number(to, most)];
    const [wasLow, wasHigh] = [number(from, least) ?? 0, number(from, most)];
    if (low > wasLow) tighter(least, wasLow, low);
    if (high !== null && (wasHigh === null || high < wasHigh)) tighter(most, wasHigh, high);
  }
  if (types.includes("number") || types.includes("integer")) {
    for (const side of [LOW, HIGH]) {
      const [was, is] = [edge(from, side), edge(to, side)];
      if (is !== null && (was === null || inside(is, was, side)))
        tighter(is.keyword, was?.value ?? null, is.value);
    }
  }
  return found;
}

interface Direction {
  readonly inclusive: string;
  readonly exclusive: string;
  readonly sign: 1 | -1;
}
const LOW: Direction = { inclusive: "minimum", exclusive: "exclusiveMinimum", sign: 1 };
const HIGH: Direction = { inclusive: "maximum", exclusive: "exclusiveMaximum", sign: -1 };

interface Edge {
  readonly keyword: string;
  readonly value: number;
  readonly open: boolean;
}

/** The tighter of the two that a schema may name; drafts before 6 said by `true` that the other is open. */
function edge(node: JsonObject, { inclusive, exclusive, sign }: Direction): Edge | null {
  const [closed, open] = [number(node, inclusive), number(node, exclusive)];
  const edges: Edge[] = [];
  if (closed !== null) {
    edges.push({ keyword: inclusive, value: closed, open: own(node, exclusive) === true });
  }
  if (open !== null) edges.push({ keyword: exclusive, value: open, open: true });
  return edges.sort((a, b) => sign * (b.value - a.value) || Number(b.open) - Number(a.open))[0] ?? null;
}

function inside(is: Edge, was: Edge, { sign }: Direction): boolean {
  return sign * (is.value - was.value) > 0 || (is.value === was.value && is.open && !was.open);
}

function number(node: JsonObject, keyword: string): number | null {
  const value = own(node, keyword);
  return typeof value === "number" ? value : null;
}
