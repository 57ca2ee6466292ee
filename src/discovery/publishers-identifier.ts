/**
 * The `urn:air` by which its publisher lists an endpoint (discovery.md "Catalogs"). An identifier is believed from the endpoint's own
 * origin and from the very domain that it names, and only from a catalog that is where its owner alone can put one; every document
 * between that catalog and the endpoint has to be theirs too. Whether that domain may name this endpoint is not judged here. Pure.
 */
import { AI_CATALOG_PATH, canonicalEndpoint, MCP_CATALOG_PATH, publisherOf } from "../spec/index.ts";
import type { DiscoveredDocument } from "./types.ts";
import { cardNamesEndpoint, isLinkedByOwner, originOf } from "./vouching.ts";

/** An entry that leads to an endpoint. */
export interface Listing {
  readonly identifier: string;
  /** The catalogs on the way, the outermost first. */
  readonly through: readonly string[];
  /** The card that the entry leads to; of one within a catalog, the catalog's URL with a fragment. */
  readonly card: string;
  /** The front page that names the outermost catalog; absent: it was not found that way. */
  readonly page?: string | undefined;
}

/** True when a publisher says it of its own endpoint; a stranger's catalog may lead to the publisher's, and says nothing itself. */
export function isPublishersListing({ identifier, through, card, page }: Listing, endpoint: string): boolean {
  const publisher = publisherOf(identifier);
  if (publisher === null) return false;
  const origin = originOf(endpoint);
  const its = (url: string): boolean => originOf(url) === origin || hostOf(url) === publisher;
  if (!its(card)) return false;
  const strangers = through.findLastIndex((url) => !its(url));
  return through.some(
    (url, at) => at > strangers && (isWellKnownCatalog(url) || (at === 0 && isLinkedByOwner(url, page))),
  );
}

/** Among all that was found about an endpoint; null when no publisher says one. */
export function publishersIdentifier(
  documents: readonly DiscoveredDocument[],
  endpoint: string,
): string | null {
  for (const document of documents) {
    if (document.kind !== "server-card" || !document.usable) continue;
    if (!cardNamesEndpoint(document.card, endpoint)) continue;
    for (const { entry, through } of document.routes) {
      if (entry === null) continue;
      const { identifier } = entry;
      const outermost = documents.find(({ url }) => url === through[0]);
      const page = outermost?.routes.find(({ by }) => by === "linked")?.page;
      if (isPublishersListing({ identifier, through, card: document.url, page }, endpoint)) return identifier;
    }
  }
  return null;
}

/** A place on a host that is its owner's, whoever led there. */
function isWellKnownCatalog(url: string): boolean {
  const { pathname, search, hash } = new URL(url);
  return search === "" && hash === "" && (pathname === AI_CATALOG_PATH || pathname === MCP_CATALOG_PATH);
}

/** As a publisher is named: in lower case, without a final dot. */
function hostOf(url: string): string {
  return new URL(canonicalEndpoint(url)).hostname;
}
