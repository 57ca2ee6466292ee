/**
 * What a JSON Schema (draft 4 to 2020-12) refers to inside itself. The walk knows where schemas stand: a property that is named
 * `$ref`, and data under `const`, `enum`, `default` or `examples`, are no references. What a reference points at is a schema
 * wherever it stands, under a keyword of someone's own too. A part with an absolute `$id` is a document of its own: its
 * references are at home in it wherever it is put. Nothing is fetched, nothing changed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";

/** Keys and indices from the schema's root. */
export type Path = readonly string[];

export interface Survey {
  /** Where the schemas are that refer to a place in this schema, by `$ref` or in a discriminator's `mapping`. */
  readonly holders: readonly Path[];
  /** It says where it stands by other means than pointers: anchors, dynamic references, a relative `$id`. */
  readonly anchored: boolean;
  /** Something else stands where a schema should, or a pointer leads nowhere: no reader gets through it. */
  readonly broken: boolean;
}

/** The pointer (RFC 6901, empty for the root) that a reference makes into the schema; null where it makes none. */
export type PointerOf = (reference: string, holder: JsonObject) => string | null;

const SCHEMA_KEYWORDS = [
  "items",
  "additionalItems",
  "contains",
  "unevaluatedItems",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
];
const LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAP_KEYWORDS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];
const ANCHORS = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"];

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

export function surveySchema(root: JsonValue, pointerOf: PointerOf): Survey {
  return surveyWithoutPointers(root, pointerOf) ?? surveyPlaces(root, pointerOf);
}

/** Most schemas point nowhere: they need no account of where what stands, which is most of the work. Null for one that does. */
function surveyWithoutPointers(root: JsonValue, pointerOf: PointerOf): Survey | null {
  let anchored = false;
  let broken = false;
  const waiting = [root];
  while (waiting.length > 0) {
    const schema = waiting.pop() as JsonValue;
    broken ||= typeof schema !== "boolean" && !isJsonObject(schema);
    if (!isJsonObject(schema)) continue;
    anchored ||= isAnchored(schema);
    if (isDocument(schema)) continue;
    if (pointersOf(schema, pointerOf).length > 0) return null;
    broken ||= isMisshapen(schema);
    for (const [, child] of subschemas(schema)) waiting.push(child);
  }
  return { holders: [], anchored, broken };
}

function surveyPlaces(root: JsonValue, pointerOf: PointerOf): Survey {
  const holders: Path[] = [];
  let anchored = false;
  let broken = false;
  const seen = new Set<string>();
  const waiting: Place[] = [{ schema: root, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, path } = next;
    broken ||= typeof schema !== "boolean" && !isJsonObject(schema);
    if (!isJsonObject(schema) || seen.has(placeKey(path))) continue;
    seen.add(placeKey(path));
    anchored ||= isAnchored(schema);
    if (isDocument(schema)) continue;
    const pointers = pointersOf(schema, pointerOf);
    if (pointers.length > 0) holders.push(path);
    for (const pointer of pointers) {
      const target = pointedAt(root, pointer);
      if (target === "nothing") broken = true;
      else if (target !== "elsewhere") waiting.push(target);
    }
    broken ||= isMisshapen(schema);
    for (const [key, child] of subschemas(schema)) waiting.push({ schema: child, path: [...path, ...key] });
  }
  return { holders, anchored, broken };
}

interface Place {
  readonly schema: JsonValue;
  readonly path: Path;
}

function pointersOf(schema: JsonObject, pointerOf: PointerOf): string[] {
  if (own(schema, "$ref") === undefined && own(schema, "discriminator") === undefined) return [];
  const references = [own(schema, "$ref"), ...Object.values(mappingOf(schema))];
  return references
    .map((reference) => (typeof reference === "string" ? pointerOf(reference, schema) : null))
    .filter((pointer) => pointer !== null);
}

/** OpenAPI's own `discriminator`, which writers of JSON Schema use too: its values are references. */
export function mappingOf(schema: JsonObject): JsonObject {
  const discriminator = own(schema, "discriminator");
  const mapping = isJsonObject(discriminator) ? own(discriminator, "mapping") : undefined;
  return isJsonObject(mapping) ? mapping : {};
}

/** Has an identifier that its references are relative to. `#name` is draft 7's anchor. */
function isDocument(schema: JsonObject): boolean {
  const id = own(schema, "$id");
  return typeof id === "string" && !id.startsWith("#");
}

function isAnchored(schema: JsonObject): boolean {
  const id = own(schema, "$id");
  if (typeof id === "string") return !ABSOLUTE.test(id);
  if (ANCHORS.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  const reference = own(schema, "$ref");
  // By an anchor's name, or the empty reference.
  return typeof reference === "string" && /^(?:$|#[^/])/.test(reference);
}

function own(schema: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** One text a path; keys may hold any character. */
function placeKey(path: Path): string {
  return JSON.stringify(path);
}

/** A keyword of schemas whose value has not even the form. */
function isMisshapen(schema: JsonObject): boolean {
  const reference = own(schema, "$ref");
  if (reference !== undefined && typeof reference !== "string") return true;
  const lists = LIST_KEYWORDS.filter((keyword) => keyword !== "items").map((keyword) => own(schema, keyword));
  if (lists.some((value) => value !== undefined && !Array.isArray(value))) return true;
  return MAP_KEYWORDS.some((keyword) => {
    const value = own(schema, keyword);
    return value !== undefined && !isJsonObject(value);
  });
}

function* subschemas(schema: JsonObject): Generator<readonly [Path, JsonValue]> {
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = own(schema, keyword);
    if (value !== undefined && !(keyword === "items" && Array.isArray(value))) yield [[keyword], value];
  }
  for (const keyword of LIST_KEYWORDS) {
    const value = own(schema, keyword);
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) yield [[keyword, String(index)], item as JsonValue];
  }
  for (const keyword of MAP_KEYWORDS) {
    const value = own(schema, keyword);
    if (!isJsonObject(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      // Draft 7: names of properties that one brings with it.
      if (keyword !== "dependencies" || !Array.isArray(item)) yield [[keyword, key], item];
    }
  }
}

/** What a pointer (RFC 6901 section 6, in a URI fragment) leads to. */
function pointedAt(root: JsonValue, pointer: string): Place | "nothing" | "elsewhere" {
  const path = pathOf(pointer);
  if (path === null) return "nothing";
  let value: JsonValue | undefined = root;
  for (const key of path) {
    if (isJsonObject(value) && isDocument(value)) return "elsewhere";
    value = memberAt(value, key);
    if (value === undefined) return "nothing";
  }
  return { schema: value, path };
}

function memberAt(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,8})$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) ? own(value, key) : undefined;
}

/** The keys of a pointer in a URI fragment; null for one that is malformed. */
export function pathOf(pointer: string): Path | null {
  try {
    const tokens = decodeURIComponent(pointer).split("/").slice(1);
    return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  } catch {
    return null;
  }
}

export function valueAt(root: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, key) => (value === undefined ? undefined : memberAt(value, key)),
    root,
  );
}
