/** What a schema demands of a value, in words, and what it says of it. Pure. */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, numberText, own } from "../json/exact.ts";
import type { SchemaObject } from "./resolve.ts";

/** Characters of a pattern that are shown. */
const PATTERN_CHARS = 80;

export function rulesOf(schema: SchemaObject): readonly string[] {
  const rules = [
    range(schema, { least: "minimum", most: "maximum", unit: "" }),
    bound(schema, { word: "exclusiveMinimum", says: "more than" }),
    bound(schema, { word: "exclusiveMaximum", says: "less than" }),
    bound(schema, { word: "multipleOf", says: "a multiple of" }),
    range(schema, { least: "minLength", most: "maxLength", unit: " characters" }),
    range(schema, { least: "minItems", most: "maxItems", unit: " items" }),
    range(schema, { least: "minProperties", most: "maxProperties", unit: " members" }),
    own(schema, "uniqueItems") === true ? "no item twice" : null,
    patternOf(schema),
    unknownFormat(schema),
    ["if", "not", "dependentSchemas", "dependentRequired"].some((word) => Object.hasOwn(schema, word))
      ? "more rules, which the check knows"
      : null,
  ];
  return rules.filter((rule) => rule !== null);
}

function range(
  schema: SchemaObject,
  { least, most, unit }: { readonly least: string; readonly most: string; readonly unit: string },
): string | null {
  const [from, to] = [own(schema, least), own(schema, most)];
  if (isNumber(from) && isNumber(to)) {
    return from === to
      ? `exactly ${numberText(from)}${unit}`
      : `${numberText(from)} to ${numberText(to)}${unit}`;
  }
  if (isNumber(from)) return `at least ${numberText(from)}${unit}`;
  return isNumber(to) ? `at most ${numberText(to)}${unit}` : null;
}

function bound(
  schema: SchemaObject,
  { word, says }: { readonly word: string; readonly says: string },
): string | null {
  const value = own(schema, word);
  return isNumber(value) ? `${says} ${numberText(value)}` : null;
}

function patternOf(schema: SchemaObject): string | null {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string") return null;
  return `matches ${pattern.length > PATTERN_CHARS ? `${pattern.slice(0, PATTERN_CHARS)}…` : pattern}`;
}

const SHOWN_BY_THE_FIELD = new Set([
  "date",
  "date-time",
  "time",
  "email",
  "uri",
  "url",
  "password",
  "color",
  "byte",
  "binary",
]);

function unknownFormat(schema: SchemaObject): string | null {
  const format = own(schema, "format");
  return typeof format === "string" && !SHOWN_BY_THE_FIELD.has(format) ? format.slice(0, 40) : null;
}

export function textsOf(schema: SchemaObject): {
  readonly title: string | null;
  readonly description: string | null;
  readonly fallback: JsonValue | undefined;
  readonly examples: readonly JsonValue[];
  readonly deprecated: boolean;
} {
  const title = own(schema, "title");
  const description = own(schema, "description");
  const examples = own(schema, "examples");
  const example = own(schema, "example");
  return {
    title: typeof title === "string" && title !== "" ? title : null,
    description: typeof description === "string" && description !== "" ? description : null,
    fallback: own(schema, "default"),
    examples: [
      ...(Array.isArray(examples) ? examples : []),
      ...(example === undefined ? [] : [example]),
    ].slice(0, 3),
    deprecated: own(schema, "deprecated") === true,
  };
}
