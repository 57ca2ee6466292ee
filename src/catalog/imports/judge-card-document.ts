/** A Server Card or a registry's server.json that a catalog's entry points at or holds, as an entry of an import. */
import { isPublishersListing, type Listing } from "../../discovery/index.ts";
import {
  isJsonObject,
  type JsonValue,
  readRegistryServer,
  readServerCard,
  sniffDocument,
} from "../../spec/index.ts";
import type { ImportEntry, ImportUrl } from "../../store/index.ts";
import { judgeCard, judgeRegistryEntry, skipped } from "./judge-entry.ts";

export interface CardContext {
  /** Where it was read: what is relative resolves on it. */
  readonly url: string;
  /** By which the catalog's entry is counted. */
  readonly key: string;
  /** This catalog's own endpoint, canonical. */
  readonly own: string;
  /** How the catalog lists it; absent: it tells no identifier. */
  readonly listing?: Listing | undefined;
}

/** `document` null: it could not be read. */
export async function judgeCardDocument(
  document: string | Readonly<Record<string, unknown>> | null,
  { url, key, own, listing }: CardContext,
): Promise<ImportEntry> {
  const entry = await judged(document, { url, key, own });
  return listing === undefined
    ? entry
    : { ...entry, urls: entry.urls.map((one) => identified(one, listing)) };
}

/** With what its publisher calls it. An endpoint of another domain than the publisher's is told so where it is written. */
function identified(url: ImportUrl, listing: Listing): ImportUrl {
  const { identifier } = listing;
  return isPublishersListing(listing, url.endpoint) ? { ...url, identifier } : url;
}

async function judged(
  document: string | Readonly<Record<string, unknown>> | null,
  { url, key, own }: Omit<CardContext, "listing">,
): Promise<ImportEntry> {
  if (document === null) return skipped(key, "unreadable");
  const value = document as string | JsonValue;
  if (sniffDocument(value) === "registry-server") {
    const { value: entry } = readRegistryServer(value);
    if (entry === null) return skipped(key, "unreadable");
    return { ...(await judgeRegistryEntry(entry, { own, from: url })), key };
  }
  const { value: card } = readServerCard(value, { url });
  if (card !== null) return judgeCard(card, { key, own, from: url });
  return skipped(key, isJsonObject(value) || typeof value === "string" ? "unreadable" : "not-mcp");
}
