/**
 * Where each member of a tool stands in its operation; both directions read this table. A member of another name, or of a form that
 * OpenAPI would not have there (a title that is no text), stands verbatim under `x-mcp-tool-…`: every tool has its operation, and
 * comes back whole.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";

/** Says how an operation is called: by JSON-RPC at the document's endpoint, or by plain HTTP as it stands. */
export const TRANSPORT_KEY = "x-mcp-transport";
export const TRANSPORTS: readonly unknown[] = ["json-rpc", "http"];

/** The tool's name, where it could not be the operationId. */
export const NAME_KEY = "x-mcp-name";

const OTHER_PREFIX = "x-mcp-tool-";
const TEXT_PREFIX = "x-mcp-text-";

const texts: Readonly<Record<string, string>> = { title: "summary", description: "description" };

const extensions: Readonly<Record<string, string>> = {
  annotations: "x-mcp-annotations",
  icons: "x-mcp-icons",
  execution: "x-mcp-execution",
  _meta: "x-mcp-meta",
};

const members = new Map(
  [...Object.entries(texts), ...Object.entries(extensions)].map(([tool, key]) => [key, tool]),
);

/** The operation's key for a member that is neither the name nor a schema. */
export function keyOfMember(member: string, value: JsonValue): string {
  const key = Object.hasOwn(texts, member) && typeof value === "string" ? texts[member] : undefined;
  return key ?? (Object.hasOwn(extensions, member) ? extensions[member] : undefined) ?? OTHER_PREFIX + member;
}

/**
 * A schema that no reader gets through stands as its JSON text: many follow whatever looks like a reference, wherever it stands, and
 * would refuse the whole document for it.
 */
export function textOfMember(member: string, value: JsonValue): readonly [string, string] {
  return [TEXT_PREFIX + member, JSON.stringify(value)];
}

/** The member and value that `textOfMember` had; undefined for another key, or what is no JSON text. */
export function memberOfText(key: string, value: JsonValue): readonly [string, JsonValue] | undefined {
  if (!key.startsWith(TEXT_PREFIX) || typeof value !== "string") return undefined;
  try {
    return [key.slice(TEXT_PREFIX.length), JSON.parse(value) as JsonValue];
  } catch {
    return undefined;
  }
}

/** The tool's member for such a key; undefined for a key that is none of a tool's. */
export function memberOfKey(key: string): string | undefined {
  return key.startsWith(OTHER_PREFIX) ? key.slice(OTHER_PREFIX.length) : members.get(key);
}

/** A JSON Schema is an object or a boolean. */
export function isSchema(value: JsonValue | undefined): value is JsonObject | boolean {
  // A number that is kept as its text (spec/exact-numbers.ts) is an object too, and frozen.
  return (
    typeof value === "boolean" || (isJsonObject(value) && !(Object.isFrozen(value) && "rawJSON" in value))
  );
}
