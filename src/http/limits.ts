/** What a served request may cost before any operation sees it. */

/** Bytes of a request's body. A bulk list of 1,000 URLs of 1,000 characters fits; so does a large tool argument. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Accepted spellings of Host and Origin that the gate remembers, so that the common request parses no URL; addresses of proxies, likewise. */
export const MAX_REMEMBERED_NAMES = 64;

/** Seconds for which a cache may keep a published document: the hour that the discovery drafts name. */
export const DOCUMENT_MAX_AGE_SECONDS = 3600;
