/**
 * BM25F (Robertson, Zaragoza, Taylor 2004) split in two: how much a term says of one tool, which is kept in the index,
 * and how much it says at all (idf), which the question brings. Measured in docs/decisions/.
 */
import { type FieldName, fieldNames, type ToolFields } from "./fields.ts";

/** Mean number of terms a field has. */
export type FieldLengths = Readonly<Record<FieldName, number>>;

/** Weight of a field, and how far its length counts against it (0 not at all, 1 fully). */
const fields: Readonly<Record<FieldName, { readonly weight: number; readonly b: number }>> = {
  name: { weight: 3.75, b: 0.45 },
  title: { weight: 2, b: 0.3 },
  server: { weight: 2, b: 0.3 },
  description: { weight: 1, b: 0.5 },
  properties: { weight: 0.64, b: 0.6 },
  propertyTexts: { weight: 0.8, b: 0.4 },
  serverDescription: { weight: 0.3, b: 0.5 },
};

const K1 = 1;
/** What a joined form counts beside its parts. */
const JOINED = 0.9;

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
    const counted = weight / (1 - b + (b * terms.length) / Math.max(means[name], 0.1));
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + counted);
    for (const term of joined) frequencies.set(term, (frequencies.get(term) ?? 0) + JOINED * counted);
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

/** Mean lengths of the tools that surveys saw: a small index starts from them. */
const TYPICAL: FieldLengths = {
  name: 3,
  title: 1,
  server: 6,
  description: 22,
  properties: 5,
  propertyTexts: 22,
  serverDescription: 15,
};
/** Tools that the typical means count as. */
const TYPICAL_WEIGHT = 500;

/** Mean lengths of an index with these sums. */
export function meanLengths(sums: FieldLengths, tools: number): FieldLengths {
  return byField((name) => (sums[name] + TYPICAL[name] * TYPICAL_WEIGHT) / (tools + TYPICAL_WEIGHT));
}

/** True when a mean has moved by a tenth: the impacts made with `before` no longer hold. */
export function drifted(before: FieldLengths, now: FieldLengths): boolean {
  return fieldNames.some((name) => Math.abs(now[name] - before[name]) > 0.1 * before[name]);
}

export function byField(value: (name: FieldName) => number): FieldLengths {
  return Object.fromEntries(fieldNames.map((name) => [name, value(name)])) as Record<FieldName, number>;
}
