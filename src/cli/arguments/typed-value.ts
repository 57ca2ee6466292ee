/** One word of the command line as the JSON value that a schema wants. A guess is made only where the schema says nothing. */
import { type JsonValue, OpenMcpError } from "../../spec/index.ts";
import type { SchemaView } from "./schema-at.ts";

/** @throws OpenMcpError `invalid-input`, naming the argument and what would do. */
export function typedValue(
  text: string,
  { name, schema }: { readonly name: string; readonly schema: SchemaView | null },
): JsonValue {
  const types = schema?.types ?? [];
  const choice = schema?.choices.find((value) => String(value) === text);
  if (choice !== undefined) return choice;
  if (types.length === 0) return guess(text);
  for (const type of ["null", "boolean", "integer", "number", "object", "array"]) {
    if (!types.includes(type)) continue;
    const value = readAs(type, text);
    if (value !== undefined) return value;
  }
  if (types.includes("string")) return text;
  // One item where a list is wanted: a list of one. Repeating the argument adds to it.
  if (types.includes("array") && schema !== null) return [typedValue(text, { name, schema: schema.items })];
  throw new OpenMcpError("invalid-input", `"${name}" wants ${wanted(types)}, not "${text}".`, {
    data: { field: name, types },
  });
}

function readAs(type: string, text: string): JsonValue | undefined {
  switch (type) {
    case "null":
      return text === "null" ? null : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "integer":
    case "number": {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
      const number = Number(text);
      if (!Number.isFinite(number)) return undefined;
      return type === "integer" && !Number.isInteger(number) ? undefined : number;
    }
    case "object":
      return text.trimStart().startsWith("{") ? parsed(text) : undefined;
    case "array":
      return text.trimStart().startsWith("[") ? parsed(text) : undefined;
    default:
      return undefined;
  }
}

/** JSON where it is JSON, else the text. A long run of digits stays text: as a number it would lose some. */
function guess(text: string): JsonValue {
  const value = /^[[{"]|^-?\d|^(true|false|null)$/.test(text) ? parsed(text) : undefined;
  if (value === undefined) return text;
  return typeof value === "number" && String(value) !== text ? text : value;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function wanted(types: readonly string[]): string {
  const words: Readonly<Record<string, string>> = {
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    object: 'a JSON object such as {"key": "value"}',
    array: 'a JSON list such as ["a", "b"]',
    null: "null",
    string: "text",
  };
  return types.map((type) => words[type] ?? type).join(" or ");
}
