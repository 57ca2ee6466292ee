/**
 * A JSON Schema that a relay wrote, as fields that people read: name, type in words, required or not, and what else is said of it.
 * Pure and bounded; anything may be missing, wrong or endless in it. What is left out is counted, and in the raw JSON.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import {
  MAX_ENUM_VALUES,
  MAX_FIELDS,
  MAX_FIELDS_IN_ALL,
  MAX_SCHEMA_DEPTH,
  MAX_TYPE_STEPS,
  MAX_VALUE,
} from "./limits.ts";
import { cut } from "./markup.ts";
import { valueWords } from "./value-words.ts";

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
  /** Fields that may still be shown. */
  left: number;
  /** What an object names, by the object: it is put in order once, however often it is referred to. */
  readonly listed: Map<JsonObject, Listed>;
}

interface Listed {
  /** The first ones. */
  readonly names: readonly string[];
  readonly required: ReadonlySet<JsonValue>;
  /** Names in all. */
  readonly count: number;
}

/** Required fields first, else in the relay's order. */
export function schemaFields(schema: JsonValue | undefined): SchemaView {
  if (!isJsonObject(schema)) return { fields: [], more: 0 };
  const reading = { root: schema, left: MAX_FIELDS_IN_ALL, listed: new Map() };
  return fieldsOf(schema, { reading, depth: 0 });
}

interface Place {
  readonly reading: Reading;
  readonly depth: number;
}

function fieldsOf(schema: JsonObject, { reading, depth }: Place): SchemaView {
  const { names, required, count } = listedOf(schema, reading);
  if (depth >= MAX_SCHEMA_DEPTH) return { fields: [], more: count };
  const properties = schema.properties as JsonObject;
  const fields: SchemaField[] = [];
  for (const name of names) {
    if (reading.left <= 0) break;
    reading.left -= 1;
    const place = { reading, depth };
    fields.push(fieldOf(name, properties[name], { required: required.has(name), place }));
  }
  return { fields, more: count - fields.length };
}

function listedOf(schema: JsonObject, { listed }: Reading): Listed {
  const known = listed.get(schema);
  if (known !== undefined) return known;
  const all = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly JsonValue[]) : []);
  const ordered = [...all.filter((name) => required.has(name)), ...all.filter((name) => !required.has(name))];
  const made = { names: ordered.slice(0, MAX_FIELDS), required, count: all.length };
  listed.set(schema, made);
  return made;
}

function fieldOf(
  name: string,
  property: JsonValue | undefined,
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
    type: typeWords(property, { root: place.reading.root, depth: 0, left: { steps: MAX_TYPE_STEPS } }),
    required,
    description: description ?? null,
    facts: isJsonObject(schema) ? factsOf((key) => (Object.hasOwn(own, key) ? own[key] : schema[key])) : [],
    ...view,
  };
}

interface TypePlace {
  readonly root: JsonValue;
  readonly depth: number;
  /** Shared by all branches: a small schema that refers to itself sixteen times a level is a million of them. */
  readonly left: { steps: number };
}

/** A type as people say it: `string`, `array of integer`, `string or null`; an ellipsis for what is too much to be read. */
function typeWords(property: JsonValue | undefined, { root, depth, left }: TypePlace): string {
  left.steps -= 1;
  if (left.steps < 0) return "…";
  const schema = resolved(property, root);
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return "anything";
  const below = { root, depth: depth + 1, left };
  if (schema.const !== undefined) return `always ${valueWords(schema.const)}`;
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).slice(0, MAX_ENUM_VALUES);
  const named = types.filter((type): type is string => typeof type === "string");
  if (named.length > 0) {
    const words = named.map((type) =>
      type === "array" && schema.items !== undefined ? `array of ${typeWords(schema.items, below)}` : type,
    );
    return cut(words.join(" or "), MAX_VALUE);
  }
  if (branches !== undefined) {
    const words = branches.slice(0, MAX_ENUM_VALUES).map((branch) => typeWords(branch, below));
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

function factsOf(said: (key: string) => JsonValue | undefined): string[] {
  const facts: string[] = [];
  const values = said("enum");
  if (Array.isArray(values)) {
    const more = values.length - MAX_ENUM_VALUES;
    const words = values.slice(0, MAX_ENUM_VALUES).map(valueWords).join(", ");
    facts.push(`one of ${words}${more > 0 ? ` and ${more} more` : ""}`);
  }
  const fallback = said("default");
  if (fallback !== undefined) facts.push(`default ${valueWords(fallback)}`);
  const examples = said("examples");
  const [example = said("example")] = Array.isArray(examples) ? examples : [];
  if (example !== undefined) facts.push(`for example ${valueWords(example)}`);
  for (const [key, words] of bounds) {
    const value = said(key);
    // What a generator writes for "any integer" is no bound.
    if (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER) continue;
    if (typeof value === "number" || typeof value === "string")
      facts.push(`${words} ${cut(String(value), MAX_VALUE)}`);
  }
  if (said("additionalProperties") === false) facts.push("nothing else");
  if (said("deprecated") === true) facts.push("deprecated");
  return facts;
}
