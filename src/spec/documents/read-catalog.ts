/** Reads an MCP Catalog or an AI Catalog; which one, its content says. Good entries are kept, bad ones dropped with a diagnostic. */
import type { JsonValue } from "../json.ts";
import type { CatalogReading } from "./catalog-document.ts";

export interface ReadCatalogContext {
  /** The URL that answered, after redirects: relative URLs of entries resolve on it. Without it they are dropped. */
  readonly url?: string;
}

/** `document` is the text as it was received, or what was parsed from it; only text tells of duplicate keys and a byte order mark. */
export function readCatalog(document: string | JsonValue, context: ReadCatalogContext = {}): CatalogReading {
  throw new Error(`not yet: ${typeof document} ${context.url}`);
}
