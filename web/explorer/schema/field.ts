/**
 * From a JSON Schema to the field that a person fills in. Total and lazy: any value is taken for a schema, one level at a time, so that
 * a recursive or huge schema costs what is opened of it; what no field can say is written as JSON. Pure.
 */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, isRecord, numberText, own } from "../json/exact.ts";
import { MAX_CHOICES, MAX_FIELDS } from "../limits.ts";
import { resolve, type SchemaObject } from "./resolve.ts";
import { rulesOf, textsOf } from "./rules.ts";

export interface Choice {
  readonly value: JsonValue;
  readonly label: string;
}

export type TextFormat =
  | "text"
  | "date"
  | "date-time"
  | "time"
  | "email"
  | "uri"
  | "password"
  | "color"
  | "base64"
  | "data-url";

interface Common {
  readonly title: string | null;
  readonly description: string | null;
  /** As words: "at least 1", "1 to 5 characters". */
  readonly rules: readonly string[];
  readonly nullable: boolean;
  readonly fallback: JsonValue | undefined;
  readonly examples: readonly JsonValue[];
  readonly deprecated: boolean;
}

export type Field = Common &
  (
    | { readonly kind: "text"; readonly format: TextFormat; readonly long: boolean }
    | { readonly kind: "number"; readonly integer: boolean }
    | { readonly kind: "boolean" }
    | { readonly kind: "choice"; readonly choices: readonly Choice[] }
    | { readonly kind: "choices"; readonly choices: readonly Choice[] }
    | { readonly kind: "fixed"; readonly value: JsonValue }
    | { readonly kind: "list"; readonly first: readonly JsonValue[]; readonly items: JsonValue | null }
    | {
        readonly kind: "object";
        readonly members: readonly Member[];
        /** Schema of members that have no name in the schema; null when there may be none. */
        readonly others: JsonValue | null;
      }
    | { readonly kind: "variants"; readonly variants: readonly Variant[] }
    | { readonly kind: "json"; readonly why: string | null }
  );

export interface Member {
  readonly name: string;
  readonly schema: JsonValue;
  readonly required: boolean;
}

export interface Variant {
  readonly label: string;
  readonly schema: JsonValue;
}

/** The field of `schema`, whose references point into `root`. */
export function fieldOf(schema: JsonValue | undefined, root: JsonValue): Field {
  const resolved = resolve(schema, root);
  if (resolved.kind === "any")
    return { ...nothing, ...textsOf(resolved.texts), kind: "json", why: resolved.why };
  const found = resolved.schema;
  const { types, nullable } = typesOf(found);
  const common = { ...nothing, ...textsOf(found), nullable, rules: rulesOf(found) };
  return { ...common, ...shapeOf(found, types, root) } as Field;
}

const nothing: Common = {
  title: null,
  description: null,
  rules: [],
  nullable: false,
  fallback: undefined,
  examples: [],
  deprecated: false,
};

type Shape = { readonly kind: Field["kind"]; readonly [key: string]: unknown };

function shapeOf(schema: SchemaObject, types: readonly string[], root: JsonValue): Shape {
  const fixed = own(schema, "const");
  if (fixed !== undefined) return { kind: "fixed", value: fixed };
  const choices = choicesOf(schema, root);
  if (choices !== null) return { kind: "choice", choices };
  const variants = variantsOf(schema, root);
  // One variant beside null is the field itself, made nullable.
  if (variants !== null) return { kind: "variants", variants };
  if (types.length > 1) return { kind: "variants", variants: types.map((type) => typed(schema, type)) };
  switch (types[0] ?? guessedType(schema)) {
    case "string":
      return { kind: "text", format: formatOf(schema), long: isLong(schema) };
    case "number":
      return { kind: "number", integer: false };
    case "integer":
      return { kind: "number", integer: true };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "fixed", value: null };
    case "array":
      return listOf(schema, root);
    case "object":
      return objectOf(schema);
    default:
      return { kind: "json", why: null };
  }
}

function typesOf(schema: SchemaObject): { readonly types: readonly string[]; readonly nullable: boolean } {
  const stated = own(schema, "type");
  const all = (Array.isArray(stated) ? stated : [stated]).filter((type) => typeof type === "string");
  const types = [...new Set(all)];
  const nullable = own(schema, "nullable") === true || (types.length > 1 && types.includes("null"));
  return { types: types.length > 1 ? types.filter((type) => type !== "null") : types, nullable };
}

/** What a schema without a type is about. */
function guessedType(schema: SchemaObject): string | null {
  const has = (...names: readonly string[]): boolean => names.some((name) => Object.hasOwn(schema, name));
  if (has("properties", "additionalProperties", "required", "patternProperties")) return "object";
  if (has("items", "prefixItems", "minItems", "maxItems")) return "array";
  if (has("minLength", "maxLength", "pattern", "format", "contentEncoding")) return "string";
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return "number";
  return null;
}

function typed(schema: SchemaObject, type: string): Variant {
  return { label: type, schema: { ...schema, type, title: "", description: "" } as JsonValue };
}

function choicesOf(schema: SchemaObject, root: JsonValue): readonly Choice[] | null {
  const values = own(schema, "enum");
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_CHOICES) {
    const names = own(schema, "enumNames");
    const labels = Array.isArray(names) ? names : [];
    return values.map((value, at) => ({ value, label: labelOf(labels[at] ?? value) }));
  }
  // Titled choices: `oneOf` of constants.
  for (const word of ["oneOf", "anyOf"]) {
    const options = own(schema, word);
    if (!Array.isArray(options) || options.length === 0 || options.length > MAX_CHOICES) continue;
    const choices = options.flatMap((option) => {
      const found = resolve(option, root);
      const value = found.kind === "schema" ? own(found.schema, "const") : undefined;
      if (value === undefined || found.kind !== "schema") return [];
      const title = own(found.schema, "title");
      return [{ value, label: labelOf(typeof title === "string" && title !== "" ? title : value) }];
    });
    if (choices.length === options.length) return choices;
  }
  return null;
}

function variantsOf(schema: SchemaObject, root: JsonValue): readonly Variant[] | null {
  for (const word of ["oneOf", "anyOf"]) {
    const options = own(schema, word);
    if (!Array.isArray(options) || options.length < 2) continue;
    // What is said beside the choice holds for every one of it.
    const { [word]: _left, title: _title, description: _description, default: _default, ...beside } = schema;
    // `anyOf: [{required: [a]}, {required: [b]}]` is a rule about the object, and no choice of shapes.
    if (
      options.every((option) => isRecord(option) && Object.keys(option).every((key) => RULES_ONLY.has(key)))
    )
      continue;
    return options.slice(0, MAX_FIELDS).map((option, at) => {
      const whole = Object.keys(beside).length === 0 ? option : ({ allOf: [beside, option] } as JsonValue);
      return { label: variantLabel(option, { at, root }), schema: whole };
    });
  }
  return null;
}

const RULES_ONLY: ReadonlySet<string> = new Set(["required", "not", "minProperties", "maxProperties"]);

function variantLabel(
  option: JsonValue,
  { at, root }: { readonly at: number; readonly root: JsonValue },
): string {
  const found = resolve(option, root);
  if (found.kind !== "schema") return `Choice ${at + 1}`;
  const { schema } = found;
  const title = own(schema, "title");
  if (typeof title === "string" && title !== "") return title.slice(0, 80);
  // A constant member tells variants apart: `{kind: {const: "circle"}}`.
  const properties = own(schema, "properties");
  for (const [name, member] of isRecord(properties) ? Object.entries(properties).slice(0, MAX_FIELDS) : []) {
    const value = own(member, "const");
    if (value !== undefined) return `${name}: ${labelOf(value)}`.slice(0, 80);
  }
  const type = own(schema, "type");
  const name = Array.isArray(type) ? type.join(" or ") : (type ?? guessedType(schema));
  if (name === "array") {
    const item = own(own(schema, "items"), "type");
    return typeof item === "string" ? `list of ${item}` : "list";
  }
  return typeof name === "string" ? name : `Choice ${at + 1}`;
}

function listOf(schema: SchemaObject, root: JsonValue): Shape {
  const items = own(schema, "items");
  const prefix = own(schema, "prefixItems");
  const first = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (first.length === 0 && rest !== undefined && rest !== null && own(schema, "uniqueItems") !== false) {
    const item = resolve(rest, root);
    const choices = item.kind === "schema" ? choicesOf(item.schema, root) : null;
    if (choices !== null && choices.length <= 40) return { kind: "choices", choices };
  }
  return { kind: "list", first: first.slice(0, MAX_FIELDS), items: rest === false ? null : (rest ?? {}) };
}

function objectOf(schema: SchemaObject): Shape {
  const properties = own(schema, "properties");
  const required = own(schema, "required");
  const names = new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
  const members = isRecord(properties)
    ? Object.entries(properties).map(([name, member]) => ({
        name,
        schema: member,
        required: names.has(name),
      }))
    : [];
  const known = new Set(members.map(({ name }) => name));
  for (const name of names) if (!known.has(name)) members.push({ name, schema: {}, required: true });
  // Required ones first: they are what a person has to find.
  const sorted = [
    ...members.filter((member) => member.required),
    ...members.filter((member) => !member.required),
  ];
  const others = own(schema, "additionalProperties");
  const patterns = own(schema, "patternProperties");
  const pattern = isRecord(patterns) ? Object.values(patterns)[0] : undefined;
  return {
    kind: "object",
    members: sorted.slice(0, MAX_FIELDS),
    // Open by the standard's default, but nobody who lists members means more of them unless it is said.
    others:
      others === false
        ? (pattern ?? null)
        : others === undefined || others === true
          ? (pattern ?? (others === true || members.length === 0 ? {} : null))
          : others,
  };
}

const FORMATS: Readonly<Record<string, TextFormat>> = {
  date: "date",
  "date-time": "date-time",
  datetime: "date-time",
  time: "time",
  email: "email",
  "idn-email": "email",
  uri: "uri",
  url: "uri",
  password: "password",
  color: "color",
  byte: "base64",
  binary: "base64",
  base64: "base64",
  "data-url": "data-url",
};

function formatOf(schema: SchemaObject): TextFormat {
  if (own(schema, "contentEncoding") === "base64") return "base64";
  const format = own(schema, "format");
  return (
    (typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined) ?? "text"
  );
}

function isLong(schema: SchemaObject): boolean {
  const max = own(schema, "maxLength");
  return !(typeof max === "number" && max <= 80);
}

/** A value in a few words. */
export function labelOf(value: JsonValue): string {
  if (typeof value === "string") return value === "" ? '""' : value;
  return (isNumber(value) ? numberText(value) : JSON.stringify(value)).slice(0, 200);
}
