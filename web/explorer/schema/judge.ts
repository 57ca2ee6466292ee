/**
 * Whether a value is of its schema, by the validator that the SDK brings (drafts 7 to 2020-12, nothing is compiled). A schema that can't
 * be judged by it is no failure of the value: that is said.
 */
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, plain } from "../json/exact.ts";
import { MAX_JUDGED } from "../limits.ts";
import { patternCost } from "./pattern-cost.ts";

export type Verdict =
  | { readonly kind: "fits" }
  | { readonly kind: "differs"; readonly problem: string }
  | { readonly kind: "unknown"; readonly why: string };

/** Characters of a problem that are shown. */
const PROBLEM_CHARS = 2_000;

export function judge(value: JsonValue, schema: JsonValue): Verdict {
  if (!isRecord(schema)) return { kind: "unknown", why: "The schema is no object." };
  try {
    if (hasCostlyPattern(schema, { depth: 0, longest: longestText(value) })) {
      return {
        kind: "unknown",
        why: "The schema has a pattern that could take this page forever; it was not tried.",
      };
    }
    // Plain numbers: those that are kept as their text are objects to a validator.
    const counted = countedReads(MAX_JUDGED);
    const verdict = new CfWorkerJsonSchemaValidator({ shortcircuit: false }).getValidator(
      counted(structuredClone(plain(schema)) as Record<string, unknown>),
    )(counted(plain(value)));
    if (verdict.valid) return { kind: "fits" };
    return { kind: "differs", problem: (verdict.errorMessage ?? "").slice(0, PROBLEM_CHARS) };
  } catch (error) {
    return { kind: "unknown", why: (error instanceof Error ? error.message : String(error)).slice(0, 400) };
  }
}

/**
 * Lends values whose members are counted as they are read: a schema of a kilobyte whose parts name each other twice is more work than
 * a life has, and no validator gives up by itself. Nothing else can end it: this page's policy allows no worker.
 */
function countedReads(most: number): <T>(value: T) => T {
  const lent = new WeakMap<object, object>();
  let left = most;
  const handler: ProxyHandler<object> = {
    get(target, key) {
      left -= 1;
      if (left < 0) throw new Error("To judge it would take too long.");
      const member: unknown = Reflect.get(target, key);
      return lend(member);
    },
  };
  function lend<T>(value: T): T {
    if (typeof value !== "object" || value === null) return value;
    const known = lent.get(value) ?? new Proxy(value, handler);
    lent.set(value, known);
    return known as T;
  }
  return lend;
}

/** Steps of a matcher that are taken for one pattern: a second at most. */
const MAX_PATTERN_STEPS = 50_000_000;
const MAX_URL_CHARS = 8_000;
const MAX_DEPTH = 64;

interface Tried {
  readonly depth: number;
  /** Characters of the longest text of the value. */
  readonly longest: number;
}

function hasCostlyPattern(schema: unknown, { depth, longest }: Tried): boolean {
  if (depth > MAX_DEPTH) return true;
  const below = { depth: depth + 1, longest };
  const isCostly = (pattern: string): boolean => patternCost(pattern, longest) > MAX_PATTERN_STEPS;
  if (Array.isArray(schema)) return schema.some((part) => hasCostlyPattern(part, below));
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(([key, value]) => {
    // The validator's own pattern for it takes seconds on some texts of this length.
    if (key === "format" && value === "url" && longest > MAX_URL_CHARS) return true;
    if (key === "pattern" && typeof value === "string") return isCostly(value);
    if (key === "patternProperties" && isRecord(value) && Object.keys(value).some(isCostly)) return true;
    return hasCostlyPattern(value, below);
  });
}

/** Names of members too: patterns are tried on them. */
function longestText(value: JsonValue): number {
  let longest = 0;
  const visit = (part: JsonValue): void => {
    if (typeof part === "string") longest = Math.max(longest, part.length);
    else if (Array.isArray(part)) for (const item of part) visit(item);
    else if (isRecord(part)) {
      for (const [name, member] of Object.entries(part)) {
        longest = Math.max(longest, name.length);
        visit(member);
      }
    }
  };
  visit(value);
  return longest;
}
