/**
 * BM25F (Robertson, Zaragoza, Taylor 2004) split in two: how much a term says of one tool, which is kept in the index,
 * and how much it says at all (idf), which the question brings. Measured in docs/decisions/.
 */
import { type FieldName, fieldNames, type ToolFields } from "./fields.ts";

/** Numbers of terms, or means of them. */
export type FieldLengths = Readonly<Record<FieldName, number>>;

/** Weight of a field, and how far its length counts against it (0 not at all, 1 fully). */
const fields: Readonly<Record<FieldName, { readonly weight: number; readonly b: number }>> = {
  name: { weight: 3.75, b: 0.45 },
  title: { weight: 2, b: 0.3 },
  server: { weight: 3, b: 0.3 },
  description: { weight: 1, b: 0.5 },
  properties: { weight: 0.6, b: 0.5 },
  propertyTexts: { weight: 0.8, b: 0.4 },
  serverDescription: { weight: 0.45, b: 0.6 },
};

const K1 = 1;

/** The largest impact: one byte holds it. */
export const MAX_IMPACT = 255;

export function lengthsOf(tool: ToolFields): FieldLengths {
  return byField((name) => tool[name].terms.length);
}

/** Each term of the tool with its impact, a whole number from 1 to `MAX_IMPACT`. */
export function impactsOf(tool: ToolFields, means: FieldLengths): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const name of fieldNames) {
    const { weight, b } = fields[name];
    const { terms, joined } = tool[name];
    if (terms.length === 0) continue;
    const counted = weight / (1 - b + (b * terms.length) / means[name]);
    for (const list of [terms, joined]) {
      for (const term of list) frequencies.set(term, (frequencies.get(term) ?? 0) + counted);
    }
  }
  const impacts = new Map<string, number>();
  for (const [term, frequency] of frequencies) {
    impacts.set(term, Math.max(1, Math.round((MAX_IMPACT * frequency) / (K1 + frequency))));
  }
  return impacts;
}

/** How much a term tells that `tools` of `all` tools have. */
export function idf(tools: number, all: number): number {
  return Math.log(1 + (Math.max(all, tools) - tools + 0.5) / (tools + 0.5));
}

/** What the lengths of an index's tools add up to. */
export interface LengthSums {
  readonly terms: FieldLengths;
  /** Tools that have the field at all. */
  readonly tools: FieldLengths;
}

export const noLengths: LengthSums = { terms: byField(() => 0), tools: byField(() => 0) };

/** The sums with many tools' lengths added (`by` 1) or taken away (-1). */
export function countLengths(
  sums: LengthSums,
  counted: readonly { readonly lengths: FieldLengths; readonly by: 1 | -1 }[],
): LengthSums {
  const terms = { ...sums.terms };
  const tools = { ...sums.tools };
  for (const { lengths, by } of counted) {
    for (const name of fieldNames) {
      terms[name] += by * lengths[name];
      if (lengths[name] > 0) tools[name] += by;
    }
  }
  return { terms, tools };
}

/** Mean lengths, as far as there is any, of 25,000 tools of real servers: a small index starts from them. */
const TYPICAL: FieldLengths = {
  name: 3,
  title: 3,
  server: 6,
  description: 22,
  properties: 4,
  propertyTexts: 16,
  serverDescription: 35,
};
/** Tools that the typical means count as. */
const TYPICAL_WEIGHT = 250;

/** Mean lengths of the tools that have the field: one without a title makes no other's title long. */
export function meanLengths(sums: LengthSums): FieldLengths {
  return byField(
    (name) => (sums.terms[name] + TYPICAL[name] * TYPICAL_WEIGHT) / (sums.tools[name] + TYPICAL_WEIGHT),
  );
}

/** True when a mean has moved by a tenth: the impacts made with `before` no longer hold. */
export function drifted(before: FieldLengths, now: FieldLengths): boolean {
  return fieldNames.some((name) => Math.abs(now[name] - before[name]) > 0.1 * before[name]);
}

function byField(value: (name: FieldName) => number): Record<FieldName, number> {
  return Object.fromEntries(fieldNames.map((name) => [name, value(name)])) as Record<FieldName, number>;
}
