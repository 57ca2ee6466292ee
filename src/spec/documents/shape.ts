/**
 * A small language for the shapes of documents, and its two readings: `check` says all that is wrong, `tidy` gives what is right of
 * it. JSON Schema for what these documents need, without its library: spec/ imports nothing (docs/decisions).
 * Objects are open: members that a shape does not name are neither judged nor dropped.
 */
import { isJsonObject, type JsonValue } from "../json.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { type Findings, quoted, under } from "./findings.ts";
import { isUri, schemeOf } from "./uri.ts";

export type Shape =
  | {
      readonly kind: "text";
      /** Code points. */
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: RegExp;
      /** How the pattern is told of. */
      readonly form?: string;
      /** In place of `wrong-format`. */
      readonly code?: DiagnosticCode;
      /** A URI; and of these schemes, else it is an `unsafe-url`. */
      readonly schemes?: readonly string[];
      readonly choices?: readonly string[];
    }
  | { readonly kind: "flag" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape | null }
  | {
      readonly kind: "object";
      readonly required: readonly string[];
      readonly members: Readonly<Record<string, Shape>>;
    };

export const text = (rules: Omit<Extract<Shape, { kind: "text" }>, "kind"> = {}): Shape => ({
  kind: "text",
  ...rules,
});
export const flag: Shape = { kind: "flag" };
export const list = (of: Shape): Shape => ({ kind: "list", of });
/** An object whose every value is of one shape; of any, where null. */
export const map = (of: Shape | null): Shape => ({ kind: "map", of });
export const object = (required: readonly string[], members: Readonly<Record<string, Shape>>): Shape => ({
  kind: "object",
  required,
  members,
});

/** Adds all that is wrong with `value`. */
export function check(
  shape: Shape,
  value: JsonValue,
  at: { readonly pointer: string; readonly findings: Findings },
): void {
  const { pointer, findings } = at;
  if (!isOfKind(shape, value)) {
    const isNull = value === null;
    findings.add(
      isNull ? "null-value" : "wrong-type",
      pointer,
      isNull
        ? `null, where ${kindWords[shape.kind]} is expected`
        : `${kindWords[shape.kind]} is expected here`,
    );
    return;
  }
  if (shape.kind === "text") checkText(shape, value as string, at);
  else if (shape.kind === "list") {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      check(shape.of, item, { pointer: under(pointer, index), findings });
    }
  } else if (shape.kind === "map" && shape.of !== null) {
    for (const [key, item] of Object.entries(value as object)) {
      check(shape.of, item as JsonValue, { pointer: under(pointer, key), findings });
    }
  } else if (shape.kind === "object") {
    for (const name of shape.required) {
      if (own(value, name) === undefined)
        findings.add("missing-member", pointer, `${quoted(name)} is missing`);
    }
    for (const [name, member] of Object.entries(shape.members)) {
      const inner = own(value, name);
      if (inner !== undefined) check(member, inner, { pointer: under(pointer, name), findings });
    }
  }
}

/**
 * `value` without what is not of its kind: wrong-typed members go, and with them an object that lacks a required one. Texts of the
 * wrong form or length stay, those that would be unsafe to follow go. Undefined when nothing is left.
 */
export function tidy(shape: Shape, value: JsonValue): JsonValue | undefined {
  if (!isOfKind(shape, value)) return undefined;
  switch (shape.kind) {
    case "flag":
      return value;
    case "text": {
      const unsafe = shape.schemes !== undefined && !shape.schemes.includes(schemeOf(value as string) ?? "");
      return unsafe || (shape.choices !== undefined && !shape.choices.includes(value as string))
        ? undefined
        : value;
    }
    case "list":
      return (value as readonly JsonValue[])
        .map((item) => tidy(shape.of, item))
        .filter((item) => item !== undefined);
    case "map": {
      const { of } = shape;
      if (of === null) return value;
      return Object.fromEntries(
        Object.entries(value as object)
          .map(([key, item]) => [key, tidy(of, item as JsonValue)] as const)
          .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
      );
    }
    case "object": {
      const kept = Object.entries(value as object)
        .map(([key, item]) => {
          const member = Object.hasOwn(shape.members, key) ? shape.members[key] : undefined;
          return [key, member === undefined ? (item as JsonValue) : tidy(member, item as JsonValue)] as const;
        })
        .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
      const tidied: JsonValue = Object.fromEntries(kept);
      return shape.required.every((name) => own(tidied, name) !== undefined) ? tidied : undefined;
    }
  }
}

/** An own member; JSON may have a `__proto__` or a `constructor`, and nothing may be read from where all objects come from. */
export function own(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Stops counting behind `most`. */
export function codePoints(value: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > most) break;
  }
  return count;
}

const kindWords = {
  text: "a text",
  flag: "true or false",
  list: "an array",
  map: "an object",
  object: "an object",
} as const;

function isOfKind(shape: Shape, value: JsonValue): boolean {
  if (shape.kind === "text") return typeof value === "string";
  if (shape.kind === "flag") return typeof value === "boolean";
  if (shape.kind === "list") return Array.isArray(value);
  return isJsonObject(value);
}

function checkText(
  { min = 0, max, pattern, form, code, schemes, choices }: Extract<Shape, { kind: "text" }>,
  value: string,
  { pointer, findings }: { readonly pointer: string; readonly findings: Findings },
): void {
  if (min > 0 && codePoints(value, min) < min) {
    findings.add(
      "too-short",
      pointer,
      value === "" ? "the text is empty" : `the text is shorter than ${min} code points`,
    );
  }
  if (max !== undefined && codePoints(value, max) > max) {
    findings.add("too-long", pointer, `the text is longer than ${max} code points`);
  }
  if (pattern !== undefined && !pattern.test(value)) {
    findings.add(code ?? "wrong-format", pointer, `${quoted(value)} is not ${form ?? "of its form"}`);
  }
  if (choices !== undefined && !choices.includes(value)) {
    findings.add("unknown-value", pointer, `${quoted(value)} is none of ${choices.join(", ")}`);
  }
  if (schemes === undefined) return;
  const scheme = schemeOf(value);
  if (!isUri(value)) findings.add("wrong-format", pointer, "the text is not an absolute URI");
  if (scheme !== null && !schemes.includes(scheme)) {
    findings.add(
      "unsafe-url",
      pointer,
      `a URL of scheme ${quoted(scheme)}, where ${schemes.join(" or ")} is expected`,
    );
  }
}
