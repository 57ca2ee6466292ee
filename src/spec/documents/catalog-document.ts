/**
 * The two catalogs that are published on a domain: MCP Catalog (the Discovery draft) and AI Catalog 0.9 and 1.0; and the one form in
 * which entries of either are read. Types and names only.
 */
import type { Reading } from "./diagnostic.ts";
import type { ServerCard } from "./server-card.ts";

export const MCP_CATALOG_PATH = "/.well-known/mcp/catalog.json";
export const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";
export const AI_CATALOG_TYPE = "application/ai-catalog+json";

/** The link relation by which a page names its AI Catalog. */
export const AI_CATALOG_RELATION = "ai-catalog";

export interface McpCatalogEntry {
  /** `urn:mcp:server:` and the card's name. */
  readonly identifier: string;
  readonly displayName: string;
  readonly mediaType: string;
  readonly url: string;
  readonly [member: string]: unknown;
}

export interface McpCatalog {
  readonly specVersion: "draft";
  readonly entries: readonly McpCatalogEntry[];
  readonly [member: string]: unknown;
}

export interface AiCatalogHost {
  readonly displayName: string;
  readonly identifier?: string;
  readonly documentationUrl?: string;
  readonly logoUrl?: string;
  readonly [member: string]: unknown;
}

/** Has exactly one of `url` and `data`. */
export interface AiCatalogEntry {
  readonly identifier: string;
  readonly type: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly displayName?: string;
  readonly description?: string;
  readonly version?: string;
  readonly updatedAt?: string;
  readonly publisher?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly [member: string]: unknown;
}

export interface AiCatalog {
  /** Major.Minor. */
  readonly specVersion: string;
  readonly host?: AiCatalogHost;
  readonly entries: readonly AiCatalogEntry[];
  readonly [member: string]: unknown;
}

/** What an entry points at, by its media type; `mcp-server` is a card or a server.json, by content. */
export type CatalogEntryKind = "server-card" | "mcp-server" | "catalog" | "other";

/** An entry of either catalog, normalised. */
export interface CatalogEntry {
  /** Its place in the file's `entries`, dropped ones counted. */
  readonly index: number;
  readonly identifier: string;
  readonly kind: CatalogEntryKind;
  /** The essence of its media type, in lower case. */
  readonly type: string;
  /** Absolute http or https; null when the artifact is in `data`. */
  readonly url: string | null;
  /** The artifact itself; null when it is at `url`. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly version: string | null;
  readonly updatedAt: string | null;
  readonly tags: readonly string[];
  /** As published, every member. */
  readonly published: Readonly<Record<string, unknown>>;
}

export type CatalogDialect = "mcp-catalog" | "ai-catalog";

export interface CatalogDocument {
  readonly dialect: CatalogDialect;
  /** As text, `"draft"` or Major.Minor. */
  readonly specVersion: string;
  readonly host: Readonly<Record<string, unknown>> | null;
  readonly entries: readonly CatalogEntry[];
  /** Entries in the file. */
  readonly total: number;
  /** Entries that were bad and left out. */
  readonly dropped: number;
  /** Entries behind the limit, not looked at. */
  readonly cut: number;
}

export type CatalogReading = Reading<CatalogDocument>;

/** A relay as a catalog lists it: what both projections are made from. */
export interface CatalogListing {
  /** The card's name, `com.example/weather`. */
  readonly name: string;
  /** Absolute URL of its Server Card. */
  readonly cardUrl: string;
  /** Put into the AI Catalog itself, in place of the URL. */
  readonly card?: ServerCard;
  readonly displayName?: string;
  readonly description?: string;
  readonly version?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
  readonly tags?: readonly string[];
  /** Under which it was published before, or by its own publisher: kept as it is. */
  readonly identifier?: string;
}

/** Another AI Catalog that this one has as an entry. */
export interface NestedCatalog {
  readonly url: string;
  /** Default: `url`. */
  readonly identifier?: string;
  readonly displayName?: string;
}
