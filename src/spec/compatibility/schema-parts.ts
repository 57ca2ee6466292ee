/**
 * JSON Schemas as the comparison reads them: references followed inside their document, unions taken apart, the words of older drafts
 * in those of 2020-12. Pure. What it can't follow stays as it is, and is then compared as text.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Keywords that tell and don't refuse; `x-…` are too. `format` is no member: servers do check it. */
const TELLING: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "examples",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "enumNames",
]);

export function isTelling(keyword: string): boolean {
  return TELLING.has(keyword) || keyword.startsWith("x-");
}

/** False takes nothing, `{}` everything. */
export type Node = JsonObject | false;

/** Anything else that stands for a schema takes everything. */
export function asNode(value: JsonValue | undefined): Node {
  if (value === false) return false;
  return isJsonObject(value) ? value : {};
}

/** The keywords of a node that refuse something. */
export function rulesOf(node: JsonObject): readonly string[] {
  return Object.keys(node).filter((keyword) => !isTelling(keyword));
}

export function own(node: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

export function membersOf(node: JsonObject): JsonObject {
  const properties = own(node, "properties");
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf(node: JsonObject): readonly string[] {
  const required = own(node, "required");
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];
}

/** Members that are not described: their schema. */
export function restOf(node: JsonObject): Node {
  return asNode(own(node, "additionalProperties") ?? own(node, "unevaluatedProperties"));
}

export const ALL_TYPES = ["null", "boolean", "object", "array", "number", "string"] as const;

/** The types that a node lets through; `number` has `integer` in it. Finite values say theirs. */
export function typesOf(node: JsonObject): readonly string[] {
  const type = own(node, "type");
  const named = Array.isArray(type) ? type : [type];
  const types = named.filter((one): one is string => typeof one === "string");
  if (types.length > 0) return types.includes("number") ? types.filter((one) => one !== "integer") : types;
  const values = valuesOf(node);
  return values === null ? ALL_TYPES : [...new Set(values.map(typeOf))];
}

export function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The values of `const` or `enum`; null where there are any number. */
export function valuesOf(node: JsonObject): readonly JsonValue[] | null {
  if (Object.hasOwn(node, "const")) return [node.const as JsonValue];
  const values = own(node, "enum");
  return Array.isArray(values) ? values : null;
}

/** `$ref` followed in `root`, at most so often; a node with rules beside it is left as it is, and so is what leads nowhere. */
export function resolved(node: Node, root: JsonObject): Node {
  let at = node;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (at === false) return at;
    const reference = own(at, "$ref");
    if (typeof reference !== "string" || rulesOf(at).length > 1) return at;
    const target = targetOf(reference, root);
    if (target === undefined) return at;
    at = asNode(target);
  }
  return at;
}

const MAX_HOPS = 16;

function targetOf(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = at[Number(key)] as JsonValue | undefined;
    else if (isJsonObject(at)) at = own(at, key);
    else return undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The members of a union, each with the rules that stand beside it; null for what is none. `oneOf` counts as `anyOf`: that a value fits
 * two of its members is a mistake of the schema's.
 */
export function branchesOf(node: JsonObject): readonly Node[] | null {
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = own(node, keyword);
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const { [keyword]: _, ...beside } = node;
    return branches.map((branch) => both(asNode(branch), beside));
  }
  return null;
}

/** What has to fit both: one node where their rules are about different things, else `allOf`. */
export function both(one: Node, other: Node): Node {
  if (one === false || other === false) return false;
  const [rules, more] = [rulesOf(one), rulesOf(other)];
  if (more.length === 0) return one;
  if (rules.length === 0) return { ...one, ...other };
  const apart = more.every((keyword) => !Object.hasOwn(one, keyword)) && !rules.includes("$ref");
  if (apart && !more.includes("$ref")) return { ...other, ...one };
  return { allOf: [one, other] };
}
