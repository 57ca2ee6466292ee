/** Every limit of what the catalog publishes, named, with its unit and reason. */

/** Relays on a page of the published AI Catalog: under the 1 MiB that readers take, whatever they say of themselves. */
export const AI_CATALOG_BLOCK = 250;

/** The same of the MCP Catalog, whose entries are short; its readers know no pages, so the first one is long. */
export const MCP_CATALOG_BLOCK = 1_000;

/** Records read at a time for such a page, and bytes of them: a few milliseconds in which nobody else is served. */
export const RECORDS_PER_READ = 64;
export const MAX_READ_BYTES = 2 * 1024 * 1024;

/** Published documents held as they are, of up to 1 MiB each; and milliseconds after which they are made anew without a change. */
export const DOCUMENTS_KEPT = 16;
export const DOCUMENT_KEPT_MS = 60_000;

/** Times as long as it took to make, for which one is kept whatever changes: a catalog that changes all the time makes few. */
export const DOCUMENT_REST = 20;

/** Characters of the namespace in names that are minted here: with a relay's id a name has at most 200 (Server Card v1). */
export const MAX_NAMESPACE_CHARS = 70;

/** Code points of a card's title and description (Server Card v1). */
export const MAX_CARD_TEXT = 100;

/** Of what a relay says of itself, as much as is shown in a list: tags, characters of one, and icons. */
export const MAX_PUBLISHED_TAGS = 16;
export const MAX_PUBLISHED_TAG_CHARS = 64;
export const MAX_PUBLISHED_ICONS = 4;

/** Entries on a page of the registry's API: what the official one gives, and takes. */
export const DEFAULT_REGISTRY_LIMIT = 30;
export const MAX_REGISTRY_LIMIT = 100;

/** Readings of the list for one page of the registry's API: then the page ends early, with a cursor. */
export const REGISTRY_READS = 10;

/** Records of a domain that are looked through for one that goes by a name of its own. */
export const REGISTRY_NAMED = 1_000;

/** Characters of a name and of a version (Server Card v1). */
export const MAX_NAME_CHARS = 200;
export const MAX_VERSION_CHARS = 255;
