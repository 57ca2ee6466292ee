/**
 * What a media type of a catalog's entry means. Only its essence counts (RFC 9110 section 8.3.1); the words in it are read in every
 * spelling that is in the field: with a vendor's prefix, with other marks between the words, with or without `+json`.
 */
import { AI_CATALOG_TYPE, type CatalogEntryKind } from "./catalog-document.ts";
import { REGISTRY_SERVER_TYPE } from "./registry-server.ts";
import { SERVER_CARD_TYPE } from "./server-card.ts";

/** `type/subtype` in lower case, without parameters and white space; null when it is none. */
export function mediaTypeEssence(mediaType: string): string | null {
  const essence = (mediaType.slice(0, MAX_MEDIA_TYPE_CHARS).split(";", 1)[0] ?? "").trim().toLowerCase();
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(essence) ? essence : null;
}

/** What an entry of this media type points at. */
export function entryKind(mediaType: string): CatalogEntryKind {
  const essence = mediaTypeEssence(mediaType);
  if (essence === null) return "other";
  const [type, subtype = ""] = essence.split("/");
  if (type !== "application" && type !== "text" && type !== "model") return "other";
  const words = subtype
    .replace(/\+(?:json|json5|jsonc)$/, "")
    .replace(/^(?:x|vnd|prs)[.-]/, "")
    .replace(/[._+-]/g, "")
    .replace(/^(?:anthropic|io)?(?:modelcontextprotocol)(?:io)?/, "mcp")
    .replace(/v\d{1,3}$/, "");
  if (cardWords.has(words)) return "server-card";
  if (serverWords.has(words)) return "mcp-server";
  return catalogWords.has(words) ? "catalog" : "other";
}

/** How the media type of each kind is registered. */
export const registeredTypes: Readonly<Record<Exclude<CatalogEntryKind, "other">, string>> = {
  "server-card": SERVER_CARD_TYPE,
  "mcp-server": REGISTRY_SERVER_TYPE,
  catalog: AI_CATALOG_TYPE,
};

const cardWords: ReadonlySet<string> = new Set([
  "mcpservercard",
  "mcpcard",
  "servercard",
  "mcpmcpservercard",
]);
const serverWords: ReadonlySet<string> = new Set([
  "mcpserver",
  "mcp",
  "mcpservermanifest",
  "mcpmanifest",
  "mcpserverdescriptor",
  "mcpregistryserver",
  "mcpserverdefinition",
  "mcpmcpserver",
]);
const catalogWords: ReadonlySet<string> = new Set([
  "aicatalog",
  "mcpcatalog",
  "mcpservercatalog",
  "aicatalogentries",
]);

const MAX_MEDIA_TYPE_CHARS = 200;
