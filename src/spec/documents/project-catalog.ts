/**
 * One list of relays as the two catalogs: two projections, for they differ in more than their names (discovery.md "Catalogs").
 * An identifier that a relay was published under is kept, whoever gave it.
 */
import { OpenMcpError } from "../error.ts";
import { CARD_NAME } from "./card-shape.ts";
import {
  AI_CATALOG_TYPE,
  type AiCatalog,
  type AiCatalogEntry,
  type AiCatalogHost,
  type CatalogDocument,
  type CatalogEntry,
  type CatalogListing,
  type McpCatalog,
  type McpCatalogEntry,
  type NestedCatalog,
} from "./catalog-document.ts";
import { createFindings } from "./findings.ts";
import {
  airIdentifier,
  type IdentifierForm,
  mcpIdentifier,
  nameOfAirIdentifier,
  nameOfMcpIdentifier,
} from "./identifiers.ts";
import { isLocal, urlFaults } from "./lint-url.ts";
import { type PublishOptions, refuseFaults } from "./publishable.ts";
import type { RelayDescription } from "./relay-description.ts";
import { SERVER_CARD_TYPE } from "./server-card.ts";

export interface AiCatalogOptions extends PublishOptions {
  /** Major.Minor, at most 1.x; default `"1.0"`. Entries of 0.x have their media type under its old name too. */
  readonly specVersion?: string;
  /** `namespaced`, the default: `urn:air:example.com:mcp:weather`; `short`: `urn:air:example.com:weather`; `url`: the card's URL. */
  readonly identifiers?: IdentifierForm;
  readonly host?: AiCatalogHost;
  /** Further pages, and other catalogs. */
  readonly nested?: readonly NestedCatalog[];
}

export interface ListingOptions {
  readonly cardUrl: string;
  /** Under which it was published before: it is kept. */
  readonly identifier?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
}

/** How a description is listed in catalogs. */
export function toListing(
  description: RelayDescription,
  { cardUrl, identifier, updatedAt }: ListingOptions,
): CatalogListing {
  const { name, title, version, tags } = description;
  return {
    name,
    cardUrl,
    displayName: title ?? name,
    description: description.description,
    version,
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(tags === undefined ? {} : { tags }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** @throws OpenMcpError `invalid-input` for a listing that may not be published; `data.field` is its place in the catalog. */
export function toMcpCatalog(listings: readonly CatalogListing[], options: PublishOptions = {}): McpCatalog {
  const entries = listings.map((listing, index): McpCatalogEntry => {
    refuseListing(listing, { ...options, index });
    return {
      identifier: mcpIdentifier(listing.name),
      displayName: listing.displayName ?? listing.name,
      mediaType: SERVER_CARD_TYPE,
      url: listing.cardUrl,
    };
  });
  return { specVersion: "draft", entries };
}

/** @throws OpenMcpError `invalid-input`, as `toMcpCatalog`; also for a `specVersion` that is not written here. */
export function toAiCatalog(listings: readonly CatalogListing[], options: AiCatalogOptions = {}): AiCatalog {
  const { specVersion = "1.0", identifiers = "namespaced", host, nested = [] } = options;
  if (!/^[01]\.\d{1,3}$/.test(specVersion)) {
    throw new OpenMcpError(
      "invalid-input",
      "an AI Catalog's specVersion is written as 1.0, or another minor version of 0 or 1",
      {
        data: { field: "specVersion" },
      },
    );
  }
  const isEarly = specVersion.startsWith("0.");
  const taken = new Set<string>();
  /** Two entries never share one (AI Catalog, "Multi-Version Entries"): a second server of the same name goes by its card's URL. */
  const own = (identifier: string, url: string): string => {
    const free = taken.has(identifier) ? url : identifier;
    taken.add(free);
    return free;
  };
  const typed = (type: string): { readonly type: string; readonly mediaType?: string } =>
    isEarly ? { type, mediaType: type } : { type };
  const relays = listings.map((listing, index): AiCatalogEntry => {
    refuseListing(listing, { ...options, index });
    const { cardUrl, card, name, displayName, description, version, updatedAt, tags, identifier } = listing;
    return {
      identifier: own(identifier ?? airIdentifier(name, { form: identifiers, cardUrl }), cardUrl),
      ...typed(SERVER_CARD_TYPE),
      ...(card === undefined ? { url: cardUrl } : { data: card }),
      displayName: displayName ?? name,
      ...(description === undefined ? {} : { description }),
      ...(version === undefined ? {} : { version }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
      ...(tags === undefined ? {} : { tags }),
    };
  });
  const catalogs = nested.map(({ url, identifier = url, displayName }, index): AiCatalogEntry => {
    refuseUrl(url, { ...options, pointer: `/entries/${listings.length + index}/url` });
    return {
      identifier: own(identifier, url),
      ...typed(AI_CATALOG_TYPE),
      url,
      ...(displayName === undefined ? {} : { displayName }),
    };
  });
  return { specVersion, ...(host === undefined ? {} : { host }), entries: [...relays, ...catalogs] };
}

/**
 * The cards of a catalog as listings: the inverse of the two above for what each can hold. An entry whose card's name neither its
 * identifier nor its content tells is not among them; an AI Catalog's identifier is kept.
 */
export function fromCatalog({ dialect, entries }: CatalogDocument): readonly CatalogListing[] {
  return entries.flatMap((entry): readonly CatalogListing[] => {
    const name = entry.kind === "server-card" ? nameOf(entry) : null;
    const cardUrl = entry.url ?? (entry.data === null ? null : entry.identifier);
    if (name === null || cardUrl === null) return [];
    const { displayName, description, version, updatedAt, tags, data } = entry;
    return [
      {
        name,
        cardUrl,
        ...(data === null ? {} : { card: data as unknown as NonNullable<CatalogListing["card"]> }),
        ...(displayName === null ? {} : { displayName }),
        ...(description === null ? {} : { description }),
        ...(version === null ? {} : { version }),
        ...(updatedAt === null ? {} : { updatedAt }),
        ...(tags.length === 0 ? {} : { tags }),
        ...(dialect === "ai-catalog" ? { identifier: entry.identifier } : {}),
      },
    ];
  });
}

function nameOf({ identifier, data }: CatalogEntry): string | null {
  const inside = data === null ? undefined : data.name;
  if (typeof inside === "string" && CARD_NAME.test(inside)) return inside;
  return nameOfMcpIdentifier(identifier) ?? nameOfAirIdentifier(identifier);
}

function refuseListing(
  listing: CatalogListing,
  { url, index }: PublishOptions & { readonly index: number },
): void {
  const pointer = `/entries/${index}`;
  const parts = listing.name.split("/");
  if (!CARD_NAME.test(listing.name) || parts.some((part) => part.replaceAll(".", "") === "")) {
    const findings = createFindings();
    findings.add(
      CARD_NAME.test(listing.name) ? "name-traversal" : "wrong-format",
      `${pointer}/identifier`,
      "no card's name",
    );
    refuseFaults(findings.list, "the catalog");
  }
  refuseUrl(listing.cardUrl, { ...(url === undefined ? {} : { url }), pointer: `${pointer}/url` });
}

function refuseUrl(link: string, { url, pointer }: PublishOptions & { readonly pointer: string }): void {
  const findings = createFindings();
  if (!URL.canParse(link)) findings.add("wrong-format", pointer, "no URL");
  else if (!/^https?:$/.test(new URL(link).protocol))
    findings.add("unsafe-url", pointer, "no http or https URL");
  for (const { code, message } of urlFaults(link, { local: isLocal(url) }))
    findings.add(code, pointer, message);
  refuseFaults(findings.list, "the catalog");
}
