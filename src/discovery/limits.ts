/** Limits of reading what an origin publishes about itself (wire.md, last section; discovery.md "Catalogs", reader). */

/** Bytes of one document after decompression. Real descriptors and cards are under 10 kB, catalogs of 800 entries under 400. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;

/** Bytes that a body may announce where it is read up to `MAX_DOCUMENT_BYTES` and left there: what a cut catalog says is kept. */
export const MAX_CUT_BYTES = 64 * 1024 * 1024;

/** Bytes of a page that are looked through for a `<link>`: it stands in the head. */
export const MAX_PAGE_BYTES = 128 * 1024;

/** Milliseconds for one document, all redirects together. */
export const DOCUMENT_TIMEOUT_MS = 15_000;

/** Redirects followed for one document. */
export const MAX_REDIRECTS = 3;

/** Characters of the endpoint that a descriptor names; nobody can register a longer one either. */
export const MAX_ENDPOINT_CHARS = 2_048;

/** Characters of a URL that a person gives; browsers and proxies cut off longer ones. */
export const MAX_GIVEN_CHARS = 2_048;

/** Seconds for which a document is taken for granted at most, whatever it says: an owner's change is seen within a day. */
export const MAX_FRESH_SECONDS = 86_400;

/** Characters of an `ETag` or `Last-Modified` that are kept and sent back. */
export const MAX_VALIDATOR_CHARS = 500;

/** Catalogs within catalogs that are read, the first one counted. */
export const MAX_CATALOG_LEVELS = 4;

/** Entries taken of all catalogs together; a single file has no more either. */
export const MAX_ENTRIES = 10_000;

/** Requests for documents in one discovery; a domain of 800 cards passes, one of endless catalogs does not. */
export const MAX_DOCUMENTS = 2_000;

/** Requests for what one endpoint is called, the catalog's counted: it is to be had beside a look, not instead of one. */
export const MAX_IDENTIFIER_DOCUMENTS = 6;

/** Servers that are asked whether they run. */
export const MAX_LOOKS = 500;

/** Remotes taken of one card: one for each region, not one for each visitor. */
export const MAX_REMOTES_A_CARD = 32;

/** Milliseconds after which nothing new is asked; what is under way is still finished. */
export const DISCOVERY_MS = 120_000;

/** Documents, and looks, under way at once. */
export const AT_ONCE = 8;

/** Links to catalogs that one page or one answer may name. */
export const MAX_LINKS = 8;

/** Characters of one tag of a page that are read. */
export const MAX_TAG_CHARS = 4_096;

/** Names of tools that one contradiction tells of. */
export const MAX_NAMED_TOOLS = 10;
