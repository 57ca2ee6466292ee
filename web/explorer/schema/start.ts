/**
 * What a form starts with: defaults and constants, and the objects that required members stand in; nothing that a person would have to
 * take away again. Also which variant a value is of. Pure.
 */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, isRecord, own } from "../json/exact.ts";
import { MAX_FORM_DEPTH, MAX_STEPS } from "../limits.ts";
import { type Field, fieldOf } from "./field.ts";

/** Shared by all branches of one walk: a small schema whose parts require each other is a tree without end. */
interface Walk {
  readonly root: JsonValue;
  readonly depth: number;
  readonly left: { steps: number };
}

const walkIn = (root: JsonValue): Walk => ({ root, depth: 0, left: { steps: MAX_STEPS } });
const below = (walk: Walk): Walk => ({ ...walk, depth: walk.depth + 1 });

/** The field, paid for with what was looked at to make it; null when nothing is left. */
function fieldIn(schema: JsonValue | undefined, { root, left }: Walk): Field | null {
  if (left.steps <= 0) return null;
  const field = fieldOf(schema, root);
  left.steps -= field.kind === "variants" ? 1 + field.variants.length : 1;
  return field;
}

/** The value of a field that has to be there, or was just added. */
export function startOf(schema: JsonValue | undefined, root: JsonValue): JsonValue | undefined {
  return started(schema, walkIn(root));
}

function started(schema: JsonValue | undefined, walk: Walk): JsonValue | undefined {
  const field = fieldIn(schema, walk);
  if (field === null) return undefined;
  if (field.fallback !== undefined) return field.fallback;
  if (walk.depth > MAX_FORM_DEPTH) return undefined;
  switch (field.kind) {
    case "fixed":
      return field.value;
    case "object": {
      const members = field.members.flatMap(({ name, schema: member, required }) => {
        const start = required ? started(member, below(walk)) : fieldIn(member, walk)?.fallback;
        return start === undefined ? [] : [[name, start] as const];
      });
      return Object.fromEntries(members);
    }
    case "list":
    case "choices":
      return [];
    case "variants":
      return started(field.variants[0]?.schema, below(walk));
    default:
      return undefined;
  }
}

/** A value for a new item of a list: there has to be one, for a list has no holes. */
export function itemOf(schema: JsonValue | undefined, root: JsonValue): JsonValue {
  const start = startOf(schema, root);
  if (start !== undefined) return start;
  const field = fieldOf(schema, root);
  if (field.kind === "choice") return field.choices[0]?.value ?? null;
  if (field.kind === "boolean") return false;
  if (field.kind === "number") return 0;
  return field.kind === "text" ? "" : null;
}

/** Which of the variants a value is of: the first that it looks like. */
export function variantOf(
  value: JsonValue | undefined,
  { field, root }: { readonly field: Field & { readonly kind: "variants" }; readonly root: JsonValue },
): number {
  if (value === undefined) return 0;
  const walk = walkIn(root);
  const scores = field.variants.map(({ schema }) => likeness(value, schema, walk));
  const best = Math.max(...scores);
  return best < 0 ? 0 : scores.indexOf(best);
}

/** Below 0: it is not of that schema; higher is closer; 0 where nobody looked any more. */
function likeness(value: JsonValue, schema: JsonValue, walk: Walk): number {
  const field = fieldIn(schema, walk);
  if (field === null) return 0;
  if (value === null && field.nullable) return 1;
  switch (field.kind) {
    case "fixed":
      return JSON.stringify(field.value) === JSON.stringify(value) ? 3 : -1;
    case "choice":
      return field.choices.some((choice) => JSON.stringify(choice.value) === JSON.stringify(value)) ? 2 : -1;
    case "text":
      return typeof value === "string" ? 1 : -1;
    case "number":
      return isNumber(value) ? (field.integer && !Number.isInteger(value) ? -1 : 1) : -1;
    case "boolean":
      return typeof value === "boolean" ? 1 : -1;
    case "list":
    case "choices":
      return Array.isArray(value) ? 1 : -1;
    case "object":
      return isRecord(value) ? objectLikeness(value, field, walk) : -1;
    case "variants":
      return walk.depth > 3
        ? 0
        : Math.max(...field.variants.map((variant) => likeness(value, variant.schema, below(walk))));
    case "json":
      return 0;
  }
}

function objectLikeness(
  value: { readonly [key: string]: JsonValue },
  field: Field & { readonly kind: "object" },
  walk: Walk,
): number {
  let score = 1;
  for (const { name, schema } of field.members) {
    const member = own(value, name);
    if (member === undefined) continue;
    score += 1;
    const inner = fieldOf(schema, walk.root);
    // Constants tell variants apart; the rest may be half typed.
    if (inner.kind === "fixed" || inner.kind === "choice") {
      const like = likeness(member, schema, below(walk));
      if (like < 0) return -1;
      score += like;
    }
  }
  return score;
}
