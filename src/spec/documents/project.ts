/**
 * A relay's documents, made from the one description of it. What a lint would name is refused: a document that is published is
 * conformant and right.
 */
import type { Descriptor } from "../descriptor.ts";
import type { RelayRecord } from "../record.ts";
import type {
  AiCatalog,
  AiCatalogHost,
  CatalogListing,
  McpCatalog,
  NestedCatalog,
} from "./catalog-document.ts";
import type { RegistryServer } from "./registry-server.ts";
import type { RelayDescription } from "./relay-description.ts";
import type { ServerCard } from "./server-card.ts";

export interface AiCatalogOptions {
  /** Major.Minor; default `"1.0"`. */
  readonly specVersion?: string;
  /** `namespaced`, the default: `urn:air:example.com:mcp:weather`; `short`: `urn:air:example.com:weather`; `url`: the card's URL. */
  readonly identifiers?: "namespaced" | "short" | "url";
  readonly host?: AiCatalogHost;
  /** Further pages, and other catalogs. */
  readonly nested?: readonly NestedCatalog[];
}

/** @throws OpenMcpError `invalid-input`; `data.field` is the JSON Pointer, the value is masked. */
export function toServerCard(description: RelayDescription): ServerCard {
  throw new Error(`not yet: ${description.name}`);
}

export function toDescriptor(description: RelayDescription): Descriptor {
  throw new Error(`not yet: ${description.name}`);
}

export function toRegistryServer(description: RelayDescription): RegistryServer {
  throw new Error(`not yet: ${description.name}`);
}

/** How a description is listed in catalogs. */
export function toListing(
  description: RelayDescription,
  options: { readonly cardUrl: string; readonly identifier?: string; readonly updatedAt?: string },
): CatalogListing {
  throw new Error(`not yet: ${description.name} ${options.cardUrl}`);
}

export function toMcpCatalog(listings: readonly CatalogListing[]): McpCatalog {
  throw new Error(`not yet: ${listings.length}`);
}

export function toAiCatalog(listings: readonly CatalogListing[], options: AiCatalogOptions = {}): AiCatalog {
  throw new Error(`not yet: ${listings.length} ${options.specVersion}`);
}

/** What a card says of a relay; the inverse of `toServerCard` for all that a card can hold. */
export function fromServerCard(card: ServerCard): RelayDescription {
  throw new Error(`not yet: ${card.name}`);
}

export function fromRegistryServer(server: RegistryServer): RelayDescription {
  throw new Error(`not yet: ${server.name}`);
}

/** What a catalog knows of a relay as a description: for the documents that it publishes of relays that publish none. */
export function describeRecord(record: RelayRecord): RelayDescription {
  throw new Error(`not yet: ${record.id}`);
}
