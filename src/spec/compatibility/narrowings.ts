/**
 * Where a JSON Schema takes less than another: values that the first lets through and the second may refuse. Pure.
 * It errs on the careful side: a rule that it does not understand, and that changed, counts as less. Two things it takes as people mean
 * them, not as the letter has it: nobody sends a member before it is described, so a new one that may be left out takes nothing away;
 * and a member that is not described any more is gone, although an open schema would let it pass.
 */
import { canonicalJson } from "../canonical-json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { MAX_COMPARED_DEPTH, MAX_COMPARED_SCHEMAS } from "../limits.ts";
import { BOUNDS, tighterBounds } from "./bounds.ts";
import { itemNarrowings } from "./items.ts";
import { memberNarrowings } from "./members.ts";
import {
  asNode,
  both,
  branchesOf,
  membersOf,
  type Node,
  own,
  requiredOf,
  resolved,
  rulesOf,
  typeOf,
  typesOf,
  valuesOf,
} from "./schema-parts.ts";
import type { Comparison, Narrowing, Side } from "./types.ts";

/** Handled by name below; every other rule is compared as text. */
const READ: ReadonlySet<string> = new Set([
  ...BOUNDS,
  ...["type", "const", "enum", "anyOf", "oneOf", "allOf", "properties", "required", "additionalProperties"],
  ...["unevaluatedProperties", "items", "prefixItems", "additionalItems", "multipleOf", "uniqueItems"],
]);

export function narrowings(from: JsonObject, to: JsonObject, side: Side): readonly Narrowing[] {
  if (canonicalJson(from) === canonicalJson(to)) return [];
  let left = MAX_COMPARED_SCHEMAS;
  /** Pairs on the way down: what comes back to itself is as narrow as the rest of it. */
  const open = new Set<string>();
  let depth = 0;
  const pairs = new Map<Node, number>();
  const idOf = (node: Node): number => {
    const id = pairs.get(node) ?? pairs.size;
    pairs.set(node, id);
    return id;
  };

  const comparison: Comparison = {
    side,
    roots: { from, to },
    compare(one, other, pointer) {
      left = depth > MAX_COMPARED_DEPTH ? -1 : left - 1;
      // Told once, of the whole: here it could get lost among the members of a union.
      if (left < 0) return [];
      const [was, is] = [resolved(one, from), resolved(other, to)];
      const pair = `${idOf(was)} ${idOf(is)}`;
      if (open.has(pair)) return [];
      open.add(pair);
      depth += 1;
      try {
        return compareNodes(was, is, { comparison, pointer });
      } finally {
        depth -= 1;
        open.delete(pair);
      }
    },
  };
  const found = comparison.compare(from, to, "");
  return left < 0 ? [...found, { code: "too-large", pointer: "", detail: "" }] : found;
}

interface At {
  readonly comparison: Comparison;
  readonly pointer: string;
}

function compareNodes(from: Node, to: Node, at: At): readonly Narrowing[] {
  const { comparison, pointer } = at;
  if (from === false) return [];
  if (to === false) return [{ code: "closed", pointer, detail: "" }];
  if (rulesOf(to).length === 0) return [];

  const values = valuesOf(from);
  if (values !== null && valuesOf(to) !== null) return lostValues(values, to, at);
  const branches = branchesOf(from) ?? oneOfEach(from, to);
  if (branches !== null) return unique(branches.flatMap((branch) => comparison.compare(branch, to, pointer)));
  const all = own(to, "allOf");
  if (Array.isArray(all)) {
    const { allOf: _, ...beside } = to;
    const parts = [...all.map(asNode), beside];
    return unique(parts.flatMap((part) => comparison.compare(from, part, pointer)));
  }
  const merged = mergedAllOf(from, comparison.roots.from);
  if (merged !== null) return comparison.compare(merged, to, pointer);
  const choices = branchesOf(to);
  if (choices !== null) return intoOneOf(from, choices, at);
  if (values !== null) return values.flatMap((value) => lostValue(value, to, at));
  return compareRules(from, to, at);
}

/** A node of several values or types is the union of one node each, where the other side is a union too. */
function oneOfEach(from: JsonObject, to: JsonObject): readonly Node[] | null {
  if (branchesOf(to) === null) return null;
  const values = valuesOf(from);
  if (values !== null) return values.length < 2 ? null : values.map((value) => ({ const: value }));
  const types = own(from, "type");
  if (!Array.isArray(types) || types.length < 2) return null;
  return types.map((type) => ({ ...from, type }));
}

/** `allOf` in one node, where its parts are about different things or say the same; null without one. */
function mergedAllOf(node: JsonObject, root: JsonObject): Node | null {
  const all = own(node, "allOf");
  if (!Array.isArray(all)) return null;
  const { allOf: _, ...beside } = node;
  let whole: Node = beside;
  for (const each of all) {
    const part: Node = resolved(asNode(each), root);
    if (part === false) return false;
    const joined = both(whole, part);
    // Where both speak of members, these are put together; of all else the first is kept, which lets through more than both.
    whole =
      joined !== false && Object.hasOwn(joined, "allOf")
        ? { ...part, ...whole, ...together(whole, part) }
        : joined;
    if (whole === false) return false;
  }
  return whole;
}

function together(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...membersOf(other), ...membersOf(one) };
  const required = [...new Set([...requiredOf(one), ...requiredOf(other)])];
  return {
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Into the member of a union that takes most of it. */
function intoOneOf(from: JsonObject, choices: readonly Node[], { comparison, pointer }: At) {
  const types = typesOf(from);
  const alike = choices.filter((choice) => {
    const node = resolved(choice, comparison.roots.to);
    return (
      node !== false &&
      typesOf(node).some((type) => types.includes(type) || (isNumber(type) && types.some(isNumber)))
    );
  });
  let best: readonly Narrowing[] | null = null;
  for (const choice of alike.length === 0 ? choices : alike) {
    const found = comparison.compare(from, choice, pointer);
    if (found.length === 0) return [];
    if (best === null || found.length < best.length) best = found;
  }
  return best ?? [];
}

function lostValues(values: readonly JsonValue[], to: JsonObject, { pointer }: At): readonly Narrowing[] {
  const kept = new Set((valuesOf(to) ?? []).map(canonicalJson));
  const lost = values.filter((value) => !kept.has(canonicalJson(value)));
  if (lost.length === 0) return [];
  return [{ code: "values", pointer, detail: shown(lost) }];
}

/** Of one value, which either fits or does not. */
function lostValue(value: JsonValue, to: JsonObject, at: At): readonly Narrowing[] {
  const type = typeOf(value);
  const alone: JsonObject = {
    type,
    ...(typeof value === "number" ? { minimum: value, maximum: value } : {}),
    ...(typeof value === "string" ? { minLength: [...value].length, maxLength: [...value].length } : {}),
  };
  return compareRules(alone, to, at).map((found) => ({ ...found, detail: found.detail || shown([value]) }));
}

function compareRules(from: JsonObject, to: JsonObject, at: At): readonly Narrowing[] {
  const { comparison, pointer } = at;
  const found: Narrowing[] = [];
  const types = typesOf(from);
  const taken = typesOf(to);
  const refused = types.filter(
    (type) => !taken.includes(type) && !(type === "integer" && taken.includes("number")),
  );
  if (refused.length > 0) {
    const detail =
      own(from, "type") === undefined && valuesOf(from) === null ? taken.join(" or ") : refused.join(", ");
    found.push({ code: "type", pointer: `${pointer}/type`, detail });
  }
  // What is refused whole is not told in parts.
  const common = types.filter(
    (type) => !refused.includes(type) || (type === "number" && taken.includes("integer")),
  );
  if (common.length === 0) return found;

  if (valuesOf(to) !== null && valuesOf(from) === null && !isWhole(to, common)) {
    found.push({ code: "values", pointer, detail: "" });
  }
  found.push(...tighterBounds(from, to, { types: common, pointer }));
  if (common.includes("object")) found.push(...memberNarrowings(from, to, { comparison, pointer }));
  if (common.includes("array")) found.push(...itemNarrowings(from, to, { comparison, pointer }));
  for (const keyword of rulesOf(to)) {
    if (READ.has(keyword) || sameRule(from, to, keyword) || !concerns(keyword, common)) continue;
    found.push({ code: "rule", pointer: `${pointer}/${escaped(keyword)}`, detail: keyword });
  }
  if (common.some((type) => type === "number" || type === "integer") && !divides(from, to)) {
    found.push({ code: "rule", pointer: `${pointer}/multipleOf`, detail: "multipleOf" });
  }
  return found;
}

/** All there is of the types: both truths, the one null. */
function isWhole(node: JsonObject, types: readonly string[]): boolean {
  const values = new Set(valuesOf(node));
  return types.every(
    (type) =>
      (type === "boolean" && values.has(true) && values.has(false)) || (type === "null" && values.has(null)),
  );
}

function sameRule(from: JsonObject, to: JsonObject, keyword: string): boolean {
  const was = own(from, keyword);
  return was !== undefined && canonicalJson(was) === canonicalJson(to[keyword] as JsonValue);
}

/** Rules about one type say nothing to values of another. */
const ABOUT: Readonly<Record<string, string>> = {
  pattern: "string",
  format: "string",
  contentSchema: "string",
  patternProperties: "object",
  propertyNames: "object",
  dependentRequired: "object",
  dependentSchemas: "object",
  dependencies: "object",
  contains: "array",
  minContains: "array",
  maxContains: "array",
  unevaluatedItems: "array",
};

function concerns(keyword: string, types: readonly string[]): boolean {
  const about = Object.hasOwn(ABOUT, keyword) ? ABOUT[keyword] : undefined;
  return about === undefined || types.includes(about) || (keyword === "format" && types.some(isNumber));
}

function isNumber(type: string): boolean {
  return type === "number" || type === "integer";
}

/** A multiple of six is one of three. */
function divides(from: JsonObject, to: JsonObject): boolean {
  const [was, is] = [own(from, "multipleOf"), own(to, "multipleOf")];
  if (typeof is !== "number") return true;
  const step = typeof was === "number" ? was : own(from, "type") === "integer" ? 1 : null;
  return step !== null && is > 0 && Number.isInteger(step / is);
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function shown(values: readonly JsonValue[]): string {
  const texts = values.slice(0, 5).map((value) => JSON.stringify(value).slice(0, 60));
  return `${texts.join(", ")}${values.length > 5 ? " …" : ""}`;
}

function unique(found: readonly Narrowing[]): readonly Narrowing[] {
  const seen = new Map(found.map((one) => [`${one.code} ${one.pointer} ${one.detail}`, one]));
  return [...seen.values()];
}
