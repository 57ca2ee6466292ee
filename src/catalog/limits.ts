/** Every limit of the catalog, named, with its unit and reason. Nothing else lives here. */

/** Characters of a URL that someone registers; browsers and proxies cut off longer ones. */
export const MAX_URL_CHARS = 2_048;

/** Characters of an id, a job id or a tool's name in a question; real ids end at 120. */
export const MAX_ID_CHARS = 200;

/** Characters of a tool's name in a call: relays do list absurd ones, and what is listed must be callable. */
export const MAX_TOOL_NAME_CHARS = 10_000;

/** Characters of a question: long prompts are pasted whole, and stay safe. */
export const MAX_QUESTION_CHARS = 10_000;

/** Characters of a tag. */
export const MAX_TAG_CHARS = 200;

/** Characters of a cursor; ours are far shorter. */
export const MAX_CURSOR_CHARS = 500;

/** Characters of a caller's credential for a relay: a large JWT fits, a header that relays refuse does not. */
export const MAX_TOKEN_CHARS = 16_384;

/** Relays on a page (wire.md). */
export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 500;

/** Characters of JSON after which a page of relays ends early (wire.md: 8 MiB). */
export const MAX_PAGE_CHARS = 8 * 1024 * 1024;

/** Tools in an answer (wire.md). */
export const DEFAULT_FIND_LIMIT = 8;
export const MAX_FIND_LIMIT = 100;

/** Largest `maxTokens`: beyond it the limit on tools counts anyway. */
export const MAX_FIND_TOKENS = 1_000_000;

/** Characters that count as one token when an answer is fitted to a budget. */
export const CHARS_PER_TOKEN = 4;

/** URLs in one bulk registration (wire.md). */
export const MAX_BULK_URLS = 1_000;

/** Milliseconds after which no further path of a bare site is tried; the look under way is still finished. */
export const SITE_SEARCH_MS = 30_000;

/** Writes tried for one finding before it gives up: each conflict means that another write came through. */
export const MAX_COMMIT_TRIES = 8;

/** Relays looked through for an id that someone may have meant. */
export const NEAR_RELAYS = 20;
