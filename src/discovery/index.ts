/**
 * Discovery: from a domain or a URL to what is published about MCP servers there, and whether they run. Documents only; the live
 * look at an endpoint is handed in. Every read is two steps, asking and judging, and judging is pure.
 */
export { readText } from "./body-text.ts";
export { linkedCatalogs } from "./catalog-links.ts";
export { discover, readOrigin } from "./discover.ts";
export type { ReadOptions } from "./document.ts";
export type { Fetch } from "./fetch-exchange.ts";
export { type GivenUrl, parseGivenUrl } from "./given-url.ts";
export { isPublishersListing, type Listing, publishersIdentifier } from "./publishers-identifier.ts";
export { type CardLook, type CardOutcome, type KnownCard, readCard } from "./read-card.ts";
export {
  type DescriptorLook,
  type DescriptorOutcome,
  descriptorUrl,
  type KnownDescriptor,
  readDescriptor,
} from "./read-descriptor.ts";
export { type IdentifierReading, readIdentifier } from "./read-identifier.ts";
export {
  type Ask,
  type BadDocument,
  type CardDocument,
  type CatalogFile,
  type Contradiction,
  type DanglingEntry,
  type DescriptorDocument,
  type DiscoveredDocument,
  type DiscoveredServer,
  type DiscoverOptions,
  type DiscoverSettings,
  type Discovery,
  type DiscoveryCut,
  type DiscoveryLimits,
  type DiscoveryRequest,
  type DocumentRoute,
  type DocumentSource,
  type DocumentStore,
  type KnownDocument,
  type LiveAnswer,
  type OtherEntry,
  type RequestOutcome,
  requestOutcomes,
  type ServerChain,
} from "./types.ts";
export { vouchingCard } from "./vouching.ts";
