/**
 * A listed relay as its documents here describe it: what its record says, under a name that is its own or the catalog's, marked as
 * the catalog's word, and bounded, for a record may hold a megabyte. Null for a relay that no document may be made of.
 */
import {
  type CatalogListing,
  describeRecord,
  isJsonObject,
  isOpenMcpError,
  LISTING_META_KEY,
  type ListingMark,
  type RelayDescription,
  type RelayRecord,
  recordEndpoint,
  toListing,
  toServerCard,
} from "../../spec/index.ts";
import { MAX_PUBLISHED_ICONS, MAX_PUBLISHED_TAG_CHARS, MAX_PUBLISHED_TAGS } from "./limits.ts";
import { isOwnIdentifier, isOwnName, listedCardUrl, mintedName, recordUrl } from "./names.ts";

export interface ListedRelay {
  readonly description: RelayDescription;
  readonly mark: ListingMark;
  readonly listing: CatalogListing;
}

export interface ListedFacts {
  readonly record: RelayRecord;
  /** When its content last changed; undefined: it is no longer known. */
  readonly changedAt: string | undefined;
}

/** `url`: the catalog's. Null where a builder refuses: a credential or an internal address in it is nothing to publish. */
export async function describeListed(
  { url }: { readonly url: string },
  { record, changedAt }: ListedFacts,
): Promise<ListedRelay | null> {
  try {
    const told = describeRecord(record);
    const own = await ownName(record);
    const mark = markOf(url, { record, changedAt });
    const description: RelayDescription = {
      ...bounded(told),
      name: own ?? mintedName(url, record.id),
      meta: { [LISTING_META_KEY]: mark },
    };
    // What can't be a card is in no list of cards.
    toServerCard(description, { url });
    const cardUrl = listedCardUrl(url, record);
    const listing = toListing(description, {
      cardUrl,
      identifier: (await ownIdentifier(record)) ?? cardUrl,
      ...(changedAt === undefined ? {} : { updatedAt: changedAt }),
    });
    return { description, mark, listing };
  } catch (error) {
    if (isOpenMcpError(error, "invalid-input")) return null;
    throw error;
  }
}

/**
 * The name that it gave itself, in the card that vouches for it (catalog/probe/card-word.ts) or over MCP, where the endpoint's own
 * domain is in that name.
 */
async function ownName(record: RelayRecord): Promise<string | null> {
  if (!record.verified) return null;
  for (const name of namesOf(record)) {
    if (await isOwnName(name, recordEndpoint(record))) return name;
  }
  return null;
}

/** By which its publisher lists it, where the endpoint's own domain is the publisher's. A record may be another catalog's. */
async function ownIdentifier(record: RelayRecord): Promise<string | null> {
  const { identifier } = record;
  if (typeof identifier !== "string") return null;
  return (await isOwnIdentifier(identifier, recordEndpoint(record))) ? identifier : null;
}

/** The names that it gave itself, whether they may be believed or not. */
export function namesOf({ descriptor, server }: RelayRecord): readonly string[] {
  const { serverCard } = descriptor;
  const names = [isJsonObject(serverCard) ? serverCard.name : null, server?.name];
  return names.filter((name) => typeof name === "string");
}

function markOf(url: string, { record, changedAt }: ListedFacts): ListingMark {
  return {
    derived: true,
    catalog: url,
    relay: record.id,
    record: recordUrl(url, record),
    online: record.online,
    verified: record.verified,
    state: record.probe.state,
    listedAt: record.firstSeenAt,
    ...(changedAt === undefined ? {} : { changedAt }),
    ...(record.via === null ? {} : { via: record.via }),
  };
}

/** Pictures inside a document are left out: each may weigh more than all the rest. */
function bounded(description: RelayDescription): RelayDescription {
  const { icons, tags, tools: _tools, ...rest } = description;
  const shown = icons?.filter((icon) => /^https?:/i.test(icon.src)).slice(0, MAX_PUBLISHED_ICONS) ?? [];
  const short =
    tags?.filter((tag) => tag.length <= MAX_PUBLISHED_TAG_CHARS).slice(0, MAX_PUBLISHED_TAGS) ?? [];
  return {
    ...rest,
    ...(shown.length === 0 ? {} : { icons: shown }),
    ...(short.length === 0 ? {} : { tags: short }),
  };
}
