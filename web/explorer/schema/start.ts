/**
 * What a form starts with: defaults and constants, and the objects that required members stand in; nothing that a person would have to
 * take away again. Also which variant a value is of. Pure.
 */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, isRecord, own } from "../json/exact.ts";
import { MAX_FORM_DEPTH } from "../limits.ts";
import { type Field, fieldOf } from "./field.ts";

/** The value of a field that has to be there, or was just added. */
export function startOf(schema: JsonValue | undefined, root: JsonValue, depth = 0): JsonValue | undefined {
  const field = fieldOf(schema, root);
  if (field.fallback !== undefined) return field.fallback;
  if (depth > MAX_FORM_DEPTH) return undefined;
  switch (field.kind) {
    case "fixed":
      return field.value;
    case "object": {
      const members = field.members.flatMap(({ name, schema: member, required }) => {
        const start = required ? startOf(member, root, depth + 1) : fieldOf(member, root).fallback;
        return start === undefined ? [] : [[name, start] as const];
      });
      return Object.fromEntries(members);
    }
    case "list":
    case "choices":
      return [];
    case "variants":
      return startOf(field.variants[0]?.schema, root, depth + 1);
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
  const scores = field.variants.map(({ schema }) =>
    likeness(value, fieldOf(schema, root), { root, depth: 0 }),
  );
  const best = Math.max(...scores);
  return best < 0 ? 0 : scores.indexOf(best);
}

/** Below 0: it is not of that field; higher is closer. */
function likeness(
  value: JsonValue,
  field: Field,
  at: { readonly root: JsonValue; readonly depth: number },
): number {
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
      return isRecord(value) ? objectLikeness(value, field, at) : -1;
    case "variants":
      return at.depth > 3
        ? 0
        : Math.max(
            ...field.variants.map(({ schema }) =>
              likeness(value, fieldOf(schema, at.root), { ...at, depth: at.depth + 1 }),
            ),
          );
    case "json":
      return 0;
  }
}

function objectLikeness(
  value: { readonly [key: string]: JsonValue },
  field: Field & { readonly kind: "object" },
  { root, depth }: { readonly root: JsonValue; readonly depth: number },
): number {
  let score = 1;
  for (const { name, schema } of field.members) {
    const member = own(value, name);
    if (member === undefined) continue;
    score += 1;
    const inner = fieldOf(schema, root);
    // Constants tell variants apart; the rest may be half typed.
    if (inner.kind === "fixed" || inner.kind === "choice") {
      const like = likeness(member, inner, { root, depth: depth + 1 });
      if (like < 0) return -1;
      score += like;
    }
  }
  return score;
}
