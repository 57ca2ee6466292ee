/**
 * A JSON Schema that a relay wrote, as fields that people read: name, type in words, required or not, and what else is said of it.
 * Pure and bounded; anything may be missing, wrong or endless in it. What is left out is counted, and in the raw JSON.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { MAX_ENUM_VALUES, MAX_FIELDS, MAX_FIELDS_IN_ALL, MAX_SCHEMA_DEPTH, MAX_VALUE } from "./limits.ts";
import { cut } from "./markup.ts";

export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
  /** `default 10`, `at most 5`: short, the relay's own values. */
  readonly facts: readonly string[];
  readonly fields: readonly SchemaField[];
  /** Fields of its own that are not shown. */
  readonly more: number;
}

export interface SchemaView {
  readonly fields: readonly SchemaField[];
  readonly more: number;
}

interface Reading {
  readonly root: JsonValue;
  left: number;
}

/** Required fields first, else in the relay's order. */
export function schemaFields(schema: JsonValue | undefined): SchemaView {
  if (!isJsonObject(schema)) return { fields: [], more: 0 };
  return fieldsOf(schema, { reading: { root: schema, left: MAX_FIELDS_IN_ALL }, depth: 0 });
}

interface Place {
  readonly reading: Reading;
  readonly depth: number;
}

function fieldsOf(schema: JsonObject, { reading, depth }: Place): SchemaView {
  const all = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (depth >= MAX_SCHEMA_DEPTH) return { fields: [], more: all.length };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const ordered = [
    ...all.filter(([name]) => required.has(name)),
    ...all.filter(([name]) => !required.has(name)),
  ].slice(0, MAX_FIELDS);
  const fields: SchemaField[] = [];
  for (const [name, property] of ordered) {
    if (reading.left <= 0) break;
    reading.left -= 1;
    fields.push(fieldOf(name, property, { required: required.has(name), place: { reading, depth } }));
  }
  return { fields, more: all.length - fields.length };
}

function fieldOf(
  name: string,
  property: JsonValue,
  { required, place }: { readonly required: boolean; readonly place: Place },
): SchemaField {
  const schema = resolved(property, place.reading.root);
  const own = isJsonObject(property) ? property : {};
  const item = isJsonObject(schema) ? resolved(schema.items, place.reading.root) : undefined;
  const inner = isJsonObject(schema) && isJsonObject(schema.properties) ? schema : item;
  const below = { ...place, depth: place.depth + 1 };
  const view = isJsonObject(inner) ? fieldsOf(inner, below) : { fields: [], more: 0 };
  const description = [own.description, isJsonObject(schema) ? schema.description : undefined].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  return {
    name,
    type: typeWords(property, place.reading.root),
    required,
    description: description ?? null,
    facts: isJsonObject(schema) ? factsOf({ ...schema, ...own }) : [],
    ...view,
  };
}

/** A type as people say it: `string`, `array of integer`, `string or null`. */
function typeWords(property: JsonValue | undefined, root: JsonValue, depth = 0): string {
  const schema = resolved(property, root);
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return "anything";
  if (schema.const !== undefined) return `always ${valueWords(schema.const)}`;
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = types.filter((type): type is string => typeof type === "string");
  if (named.length > 0) {
    const words = named.map((type) =>
      type === "array" && schema.items !== undefined
        ? `array of ${typeWords(schema.items, root, depth + 1)}`
        : type,
    );
    return cut(words.join(" or "), MAX_VALUE);
  }
  if (branches !== undefined) {
    const words = branches.slice(0, MAX_ENUM_VALUES).map((branch) => typeWords(branch, root, depth + 1));
    return cut([...new Set(words)].join(" or "), MAX_VALUE);
  }
  if (isJsonObject(schema.properties)) return "object";
  if (Array.isArray(schema.enum)) return "one of these";
  return "anything";
}

/** Follows a local reference, a few times at most. */
function resolved(schema: JsonValue | undefined, root: JsonValue): JsonValue | undefined {
  let at = schema;
  for (let hops = 0; hops < MAX_SCHEMA_DEPTH && isJsonObject(at) && typeof at.$ref === "string"; hops += 1) {
    if (!at.$ref.startsWith("#/")) return at;
    let target: JsonValue | undefined = root;
    for (const key of at.$ref.slice(2).split("/", 20)) {
      const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
      target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    at = target;
  }
  return at;
}

const bounds: readonly (readonly [key: string, words: string])[] = [
  ["format", "format"],
  ["pattern", "pattern"],
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
];

function factsOf(schema: JsonObject): string[] {
  const facts: string[] = [];
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.slice(0, MAX_ENUM_VALUES).map(valueWords).join(", ");
    const more = schema.enum.length - MAX_ENUM_VALUES;
    facts.push(`one of ${values}${more > 0 ? ` and ${more} more` : ""}`);
  }
  if (schema.default !== undefined) facts.push(`default ${valueWords(schema.default)}`);
  const examples = Array.isArray(schema.examples) ? schema.examples : [];
  const [example = schema.example] = examples;
  if (example !== undefined) facts.push(`for example ${valueWords(example)}`);
  for (const [key, words] of bounds) {
    const value = schema[key];
    // What a generator writes for "any integer" is no bound.
    if (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER) continue;
    if (typeof value === "number" || typeof value === "string")
      facts.push(`${words} ${cut(String(value), MAX_VALUE)}`);
  }
  if (schema.additionalProperties === false) facts.push("nothing else");
  if (schema.deprecated === true) facts.push("deprecated");
  return facts;
}

function valueWords(value: JsonValue): string {
  return cut(JSON.stringify(value), MAX_VALUE);
}
