/**
 * What a site's AI Catalog calls one endpoint, for whoever has read all else that was needed of that site: the catalog, and the first
 * documents that it names. Which identifier is believed is publishers-identifier.ts's.
 */
import { AI_CATALOG_PATH } from "../spec/index.ts";
import type { ReadOptions } from "./document.ts";
import { createDocumentReader } from "./document-reader.ts";
import { DISCOVERY_MS, MAX_ENTRIES, MAX_IDENTIFIER_DOCUMENTS } from "./limits.ts";
import { createPublications } from "./publications.ts";
import { publishersIdentifier } from "./publishers-identifier.ts";
import type { DiscoveryRequest } from "./types.ts";

export interface IdentifierReading {
  /** Null when its publisher does not say one there. */
  readonly identifier: string | null;
  readonly requests: readonly DiscoveryRequest[];
}

/**
 * `site`: any URL of it.
 * @throws OpenMcpError `aborted` when the signal fires; what the site does never rejects.
 */
export async function readIdentifier(
  site: string,
  { endpoint, exchange, signal, now }: ReadOptions & { readonly endpoint: string },
): Promise<IdentifierReading> {
  const limits = {
    entries: MAX_ENTRIES,
    documents: MAX_IDENTIFIER_DOCUMENTS,
    looks: 0,
    totalMs: DISCOVERY_MS,
  };
  const reader = createDocumentReader({
    exchange,
    signal,
    now,
    limits,
    memory: undefined,
    onRequest: undefined,
  });
  const { walk, documents } = createPublications(reader, { entries: limits.entries, signal });
  const route = { by: "well-known", through: [], entry: null } as const;
  await walk([{ url: new URL(AI_CATALOG_PATH, site).href, route, step: "AI Catalog", level: 1 }]);
  return { identifier: publishersIdentifier(documents, endpoint), requests: reader.requests };
}
