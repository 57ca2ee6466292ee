/** A tool's parameters as people read them, from an input schema that a relay wrote: anything may be missing or wrong. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Required ones first, else in the relay's order. Printable. */
export function parametersOf(schema: JsonValue | undefined): readonly Parameter[] {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const all = Object.entries(properties).map(([name, property]) => ({
    name: printableLine(name),
    type: typeWord(property),
    required: required.includes(name),
    description:
      isJsonObject(property) && typeof property.description === "string"
        ? printableLine(property.description)
        : "",
  }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

/** `query, limit?` */
export function signature(schema: JsonValue | undefined): string {
  return parametersOf(schema)
    .map((parameter) => (parameter.required ? parameter.name : `${parameter.name}?`))
    .join(", ");
}

/** A call to copy, with the required parameters to fill in. */
export function exampleCall(
  target: { readonly relay: string; readonly tool: string },
  schema: JsonValue | undefined,
): string {
  const words = parametersOf(schema)
    .filter((parameter) => parameter.required)
    .map((parameter) => `${shellWord(parameter.name)}=…`);
  return [
    "openmcp call",
    shellWord(printableLine(target.relay)),
    shellWord(printableLine(target.tool)),
    ...words,
  ].join(" ");
}

/** A word as a shell takes it: quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+:./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function typeWord(property: JsonValue | undefined): string {
  if (!isJsonObject(property)) return "any";
  if (Array.isArray(property.enum))
    return clip(property.enum.map((value) => JSON.stringify(value)).join(" | "));
  if (property.const !== undefined) return clip(JSON.stringify(property.const));
  const type = typeOf(property);
  if (type === "array") {
    const items = isJsonObject(property.items) ? typeWord(property.items) : "any";
    return clip(/[ |]/.test(items) ? `(${items})[]` : `${items}[]`);
  }
  if (type !== null) return clip(type);
  const branches = Array.isArray(property.anyOf)
    ? property.anyOf
    : Array.isArray(property.oneOf)
      ? property.oneOf
      : null;
  if (branches !== null) return clip([...new Set(branches.map(typeWord))].join(" | "));
  return "any";
}

function typeOf(property: JsonObject): string | null {
  if (typeof property.type === "string") return property.type;
  if (Array.isArray(property.type)) {
    return property.type.filter((name): name is string => typeof name === "string").join(" | ");
  }
  return isJsonObject(property.properties) ? "object" : null;
}

/** Types are written by relays too, and may be of any length. */
function clip(text: string): string {
  const line = printableLine(text);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
