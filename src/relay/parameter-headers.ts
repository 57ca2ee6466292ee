/**
 * `x-mcp-header`: arguments of a tool that the modern era repeats as `Mcp-Param-*` headers (revision 2026-07-28,
 * Streamable HTTP, "Custom Headers from Tool Parameters"). Says what is wrong with a tool's declarations and builds
 * the headers of a call. Pure; whether a faulty tool is shown or called is the caller's affair.
 */
import { isJsonObject, type JsonObject, type JsonValue, plainNumber } from "../spec/index.ts";

const DECLARATION = "x-mcp-header";
const HEADER_PREFIX = "mcp-param-";

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Subschemas through which a declaration can't be reached statically: one found there is a fault. */
const CLOSED_KEYWORDS = new Set([
  ...[
    "items",
    "prefixItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
  ],
  ...["propertyNames", "patternProperties", "dependentSchemas", "oneOf", "anyOf", "allOf", "not"],
  ...["if", "then", "else", "$defs", "definitions"],
]);

/** Of those, the ones that hold subschemas by name. */
const NAMED_KEYWORDS = new Set(["patternProperties", "dependentSchemas", "$defs", "definitions"]);

interface Declaration {
  readonly path: readonly string[];
  readonly name: string;
}

/** Where the walk is: a chain, since copying a list at every node would cost its depth again. */
interface Path {
  readonly above: Path | null;
  readonly key: string;
}

interface Scan {
  readonly declarations: readonly Declaration[];
  /** The first fault, or null. */
  readonly fault: string | null;
}

/** What makes a tool's declarations invalid, as the end of a sentence; null when there is nothing to say. */
export function parameterHeaderFault(tool: JsonObject): string | null {
  return scan(tool.inputSchema).fault;
}

/**
 * The headers of a call with `args`. A tool whose declarations are invalid has none: strict servers never offer it, and
 * the others don't look. Null, absent and structured values have no header.
 */
export function parameterHeaders(tool: JsonObject, args: JsonObject): Record<string, string> {
  const { declarations, fault } = scan(tool.inputSchema);
  const headers: Record<string, string> = {};
  if (fault !== null) return headers;
  for (const { path, name } of declarations) {
    const text = headerText(valueAt(args, path));
    if (text !== null) headers[`${HEADER_PREFIX}${name.toLowerCase()}`] = encodeHeaderValue(text);
  }
  return headers;
}

/** A text as a header value: itself, or `=?base64?…?=` over UTF-8 where a header could not hold it unchanged. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${base64(new TextEncoder().encode(text))}?=`;
}

/** Byte by byte: as arguments of one call a large text would not fit on the stack. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** A listed tool's schema is the same object from call to call, as long as it stands. */
const scanned = new WeakMap<object, Scan>();

function scan(schema: JsonValue | undefined): Scan {
  if (!isJsonObject(schema)) return { declarations: [], fault: null };
  const known = scanned.get(schema);
  if (known !== undefined) return known;
  const fresh = scanAnew(schema);
  scanned.set(schema, fresh);
  return fresh;
}

function scanAnew(schema: JsonObject): Scan {
  const declarations: Declaration[] = [];
  // Most tools declare nothing, and seeing that is cheaper than the walk below.
  if (!mentions(schema)) return { declarations, fault: null };
  const names = new Map<string, string>();

  // Recursion is as deep as the value, which its reader bounded (limits.ts).
  function visit(node: JsonValue | undefined, path: Path | null, reachable: boolean): string | null {
    if (!isJsonObject(node)) return null;
    if (Object.hasOwn(node, DECLARATION)) {
      const fault = declare(node, path, reachable);
      if (fault !== null) return fault;
    }
    for (const [key, child] of Object.entries(isJsonObject(node.properties) ? node.properties : {})) {
      const fault = visit(child, { above: path, key }, reachable);
      if (fault !== null) return fault;
    }
    for (const keyword of CLOSED_KEYWORDS) {
      for (const branch of branches(keyword, node[keyword])) {
        const fault = visit(branch, { above: path, key: `<${keyword}>` }, false);
        if (fault !== null) return fault;
      }
    }
    return null;
  }

  function declare(node: JsonObject, place: Path | null, reachable: boolean): string | null {
    const path = keysOf(place);
    const where = path.length === 0 ? "the schema itself" : `parameter "${path.join(".")}"`;
    const name = node[DECLARATION];
    if (!reachable || path.length === 0) return `${where} is no place for ${DECLARATION}`;
    if (typeof name !== "string" || name === "") return `${where} has an empty ${DECLARATION}`;
    if (!TOKEN.test(name)) return `${where} has an ${DECLARATION} that no header can be named`;
    if (node.type !== "string" && node.type !== "integer" && node.type !== "boolean") {
      return `${where} has an ${DECLARATION} but is no string, integer or boolean`;
    }
    const earlier = names.get(name.toLowerCase());
    if (earlier !== undefined) return `${where} repeats the ${DECLARATION} "${earlier}"`;
    names.set(name.toLowerCase(), name);
    declarations.push({ path, name });
    return null;
  }

  return { fault: visit(schema, null, true), declarations };
}

function keysOf(place: Path | null): readonly string[] {
  const keys: string[] = [];
  for (let at = place; at !== null; at = at.above) keys.push(at.key);
  return keys.reverse();
}

function mentions(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(mentions);
  return Object.hasOwn(value, DECLARATION) || Object.values(value).some(mentions);
}

function branches(keyword: string, value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  return NAMED_KEYWORDS.has(keyword) && isJsonObject(value) ? Object.values(value) : [value];
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const key of path) node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  return node;
}

function headerText(argument: JsonValue | undefined): string | null {
  const value = plainNumber(argument);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number")
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
  return null;
}
