/** Arguments to start from, made of a tool's input schema: what it requires, by its own examples and defaults where it has some. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { MAX_SCHEMA_DEPTH } from "./limits.ts";

/** Required properties that are filled in. */
const MOST = 8;
/** Characters of a text that a relay gives as an example, or of a name. */
const MAX_TEXT = 100;

export function sampleArguments(schema: JsonValue | undefined): JsonObject {
  const sample = sampleOf(isJsonObject(schema) ? { ...schema, type: "object" } : {}, 0);
  return isJsonObject(sample) ? sample : {};
}

function sampleOf(schema: JsonValue | undefined, depth: number): JsonValue {
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return "…";
  const [first = schema.example] = Array.isArray(schema.examples) ? schema.examples : [];
  const [one] = Array.isArray(schema.enum) ? schema.enum : [];
  const given = [schema.const, first, schema.default, one].find((value) => value !== undefined);
  if (given !== undefined && isPlain(JSON.stringify(given))) return given;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return [sampleOf(schema.items, depth + 1)];
    case "object":
      return objectOf(schema, depth);
    default:
      return isJsonObject(schema.properties) ? objectOf(schema, depth) : "…";
  }
}

/** These are pasted into terminals: nothing that a terminal or a reader of it could take for something else. */
function isPlain(text: string): boolean {
  return text.length <= MAX_TEXT && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

function objectOf(schema: JsonObject, depth: number): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = required.filter(
    (name): name is string => typeof name === "string" && isPlain(name) && Object.hasOwn(properties, name),
  );
  return Object.fromEntries(
    names.slice(0, MOST).map((name) => [name, sampleOf(properties[name], depth + 1)]),
  );
}
