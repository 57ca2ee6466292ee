/** Says what a document is, by its content: a path or a media type does not. */
import { isJsonObject, type JsonValue } from "../json.ts";
import { nestsDeeper } from "../json-depth.ts";
import { MAX_JSON_DEPTH } from "../limits.ts";
import { MCP_IDENTIFIER_PREFIX } from "./identifiers.ts";
import { isHtml } from "./open-document.ts";
import { cardShapeOf } from "./read-server-card.ts";
import { own } from "./shape.ts";

export type DocumentKind =
  | "descriptor"
  | "mcp-catalog"
  | "ai-catalog"
  | "server-card"
  /** A card in an older shape. */
  | "legacy-server-card"
  | "registry-server"
  | "registry-page"
  | "html"
  /** JSON, and none of these. */
  | "unknown"
  /** Neither JSON nor HTML. */
  | "not-json";

/** `document` is the text as it was received, or what was parsed from it. */
export function sniffDocument(document: string | JsonValue): DocumentKind {
  if (typeof document !== "string") return sniffValue(document);
  const text = document.replace(/^\uFEFF/, "");
  if (nestsDeeper(text, MAX_JSON_DEPTH)) return isHtml(text) ? "html" : "not-json";
  try {
    return sniffValue(JSON.parse(text) as JsonValue);
  } catch {
    return isHtml(text) ? "html" : "not-json";
  }
}

function sniffValue(value: JsonValue): DocumentKind {
  // A seed file of the registry is a bare list.
  if (Array.isArray(value))
    return value.some((item: JsonValue) => isServer(item)) ? "registry-page" : "unknown";
  if (!isJsonObject(value)) return "unknown";
  if (Array.isArray(own(value, "entries"))) return sniffCatalog(value);
  const servers = own(value, "servers");
  if (Array.isArray(servers) && (servers.length === 0 || servers.some((item: JsonValue) => isServer(item))))
    return "registry-page";
  if (typeof own(value, "mcp") === "string") return "descriptor";
  const shape = cardShapeOf(value);
  if (shape === "registry") return "registry-server";
  if (shape === null) return Object.hasOwn(value, "openmcp") ? "descriptor" : "unknown";
  return shape === "v1" ? "server-card" : "legacy-server-card";
}

function sniffCatalog(value: JsonValue): DocumentKind {
  const version = own(value, "specVersion");
  if (typeof version === "string" && version.trim().toLowerCase() === "draft") return "mcp-catalog";
  if (version !== undefined) return "ai-catalog";
  const first = (own(value, "entries") as readonly JsonValue[])[0];
  const identifier = first === undefined ? undefined : own(first, "identifier");
  return typeof identifier === "string" && identifier.startsWith(MCP_IDENTIFIER_PREFIX)
    ? "mcp-catalog"
    : "ai-catalog";
}

function isServer(item: JsonValue): boolean {
  return typeof (own(own(item, "server") ?? null, "name") ?? own(item, "name")) === "string";
}
