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

/** Characters of a relay's `requestState`: it may hold what a whole call did so far, and comes back in one body. */
export const MAX_STATE_CHARS = 1024 * 1024;

/** Relays on a page (wire.md). */
export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 500;

/** Bytes of JSON after which a page of relays ends early (wire.md: 8 MiB). */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Tools in an answer (wire.md). */
export const DEFAULT_FIND_LIMIT = 8;
export const MAX_FIND_LIMIT = 100;

/** Largest `maxTokens`: beyond it the limit on tools counts anyway. */
export const MAX_FIND_TOKENS = 1_000_000;

/** Characters that count as one token when an answer is fitted to a budget. */
export const CHARS_PER_TOKEN = 4;

/** URLs in one bulk registration (wire.md). */
export const MAX_BULK_URLS = 1_000;

/** Milliseconds for which a look waits for the descriptor of its origin: most answer within, and on the connection that is open then. */
export const DESCRIPTOR_HEAD_START_MS = 1_000;

/** Milliseconds after which no further path of a bare site is tried; the look under way is still finished. */
export const SITE_SEARCH_MS = 30_000;

/** Endpoints looked at in a row because each redirects to the next (wire.md: 3 redirects). */
export const MAX_FOLLOWED = 3;

/** Writes tried for one finding before it gives up: each conflict means that another write came through. */
export const MAX_COMMIT_TRIES = 8;

/** Relays looked through for an id that someone may have meant. */
export const NEAR_RELAYS = 50;

/** Bulk registrations under way in all, and at one host: a host that is asked more is asked impolitely. */
export const BULK_CONCURRENCY = 32;
export const BULK_PER_HOST = 2;

/** Bulk jobs whose URLs are held in memory; the others wait in the store. */
export const MAX_JOBS_AT_ONCE = 8;

/** Milliseconds for which a finished job can be asked for: a week. */
export const JOB_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Relays looked at by a sweep at once in all, and at one host. */
export const SWEEP_CONCURRENCY = 32;
export const SWEEP_PER_HOST = 2;

/** Ids that a sweep reads at a time. */
export const SWEEP_PAGE = 100;

/** Marked relays from which on the index goes on without a pause: fewer are cheaper in company. */
export const INDEX_BATCH = 32;

/** Milliseconds between looks at the marks; a write is found within the two seconds that search.md asks for. */
export const INDEX_PAUSE_MS = 250;

/** Milliseconds that a few marks wait for company while registrations stream in: a batch of more rewrites less a tool. */
export const INDEX_GATHER_MS = 200;

/** Milliseconds before a worker tries again what the store refused. */
export const WORKER_RETRY_MS = 1_000;
