/** Limits of reading what an origin publishes about itself (wire.md, last section). */

/** Bytes of a descriptor after decompression. Real ones are under 10 kB. */
export const MAX_DESCRIPTOR_BYTES = 1024 * 1024;

/** Milliseconds for one document, all redirects together. */
export const DOCUMENT_TIMEOUT_MS = 15_000;

/** Redirects followed for one document. */
export const MAX_REDIRECTS = 3;

/** Characters of the endpoint that a descriptor names; nobody can register a longer one either. */
export const MAX_ENDPOINT_CHARS = 2_048;

/** Seconds for which a document is taken for granted at most, whatever it says: an owner's change is seen within a day. */
export const MAX_FRESH_SECONDS = 86_400;

/** Characters of an `ETag` or `Last-Modified` that are kept and sent back. */
export const MAX_VALIDATOR_CHARS = 500;
