/**
 * Whether a value is of its schema, by the validator that the SDK brings (drafts 7 to 2020-12, nothing is compiled). A schema that can't
 * be judged by it is no failure of the value: that is said.
 */
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, plain } from "../json/exact.ts";

export type Verdict =
  | { readonly kind: "fits" }
  | { readonly kind: "differs"; readonly problem: string }
  | { readonly kind: "unknown"; readonly why: string };

/** Characters of a problem that are shown. */
const PROBLEM_CHARS = 2_000;

export function judge(value: JsonValue, schema: JsonValue): Verdict {
  if (!isRecord(schema)) return { kind: "unknown", why: "The schema is no object." };
  if (hasCostlyPattern(schema, 0)) {
    return {
      kind: "unknown",
      why: "The schema has a pattern that could take this page forever; it was not tried.",
    };
  }
  try {
    // Plain numbers: those that are kept as their text are objects to a validator.
    const verdict = new CfWorkerJsonSchemaValidator({ shortcircuit: false }).getValidator(
      structuredClone(plain(schema)) as Record<string, unknown>,
    )(plain(value));
    if (verdict.valid) return { kind: "fits" };
    return { kind: "differs", problem: (verdict.errorMessage ?? "").slice(0, PROBLEM_CHARS) };
  } catch (error) {
    return { kind: "unknown", why: (error instanceof Error ? error.message : String(error)).slice(0, 400) };
  }
}

/** A repetition of what is repeated, or of a choice, and very long ones: what makes matching take its time. */
const NESTED_REPETITION = /[+*}]\)?[^)]{0,200}\)[+*{]|\|[^)]{0,200}\)[+*{]/;
const MAX_PATTERN_CHARS = 1_000;
const MAX_DEPTH = 64;

function hasCostlyPattern(schema: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(schema)) return schema.some((part) => hasCostlyPattern(part, depth + 1));
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(([key, value]) => {
    if (key === "pattern" && typeof value === "string") return isCostly(value);
    if (key === "patternProperties" && isRecord(value) && Object.keys(value).some(isCostly)) return true;
    return hasCostlyPattern(value, depth + 1);
  });
}

function isCostly(pattern: string): boolean {
  return pattern.length > MAX_PATTERN_CHARS || NESTED_REPETITION.test(pattern);
}
