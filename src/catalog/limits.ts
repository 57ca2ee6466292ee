/** Limits of the operations and of what several parts share, each with its unit and reason. A part's own are in its folder. */
import type { BudgetRules } from "../spec/index.ts";

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

/** Characters of a name, and letters that may differ, when a wrong one is compared with thousands: a few milliseconds for all. */
export const MAX_NEAR_CHARS = 60;
export const MAX_LETTERS_APART = 4;

/** Characters of a relay's own error message inside a sentence of ours: a stack trace's worth. */
export const MAX_QUOTED_ERROR_CHARS = 2_000;

/** Characters of a relay's `requestState`: it may hold what a whole call did so far, and comes back in one body. */
export const MAX_STATE_CHARS = 1024 * 1024;

/** Relays on a page (wire.md). */
export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 500;

/** Tags that are told to narrow by: a column of them, which holds what most people look for. */
export const TAGS_TOLD = 24;

/** Changes that are told of the newest: a page, or a feed between two visits of its reader. */
export const DEFAULT_RECENT_LIMIT = 50;
export const MAX_RECENT_LIMIT = 100;

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

/** Milliseconds for all looks of a refresh by hand: one whole look (relay/), and a third of one to confirm that nothing answers. */
export const HAND_LOOKS_MS = 60_000;

/** Milliseconds that a confirming look has at least, however many there are to be. */
export const MIN_LOOK_MS = 5_000;

/** Milliseconds for which a look waits for the descriptor of its origin: most answer within, and on the connection that is open then. */
export const DESCRIPTOR_HEAD_START_MS = 1_000;

/** Characters of one text that is taken from a Server Card; the schema allows fewer to all of them but URLs. */
export const MAX_CARD_TEXT_CHARS = 2_048;

/** Milliseconds after which a planned look searches again for a card that may vouch, or a name by now: looks are due more often. */
export const PUBLISHED_SEARCH_MS = 24 * 60 * 60_000;

/** Servers of a domain's catalogs that one registration looks at, and how many at once; an import takes whole catalogs. */
export const MAX_LISTED_SERVERS = 25;
export const LISTED_AT_ONCE = 5;

/** Milliseconds after which no further path of a bare site is tried; the look under way is still finished. */
export const SITE_SEARCH_MS = 30_000;

/** Endpoints looked at in a row because each redirects to the next (wire.md: 3 redirects). */
export const MAX_FOLLOWED = 3;

/** Writes tried for one finding before it gives up: each conflict means that another write came through. */
export const MAX_COMMIT_TRIES = 8;

/** Relays looked through for an id that someone may have meant. */
export const NEAR_RELAYS = 50;

/** Bulk registrations under way in all, and in one registrable domain: one that is asked more is asked impolitely. */
export const BULK_CONCURRENCY = 32;
export const BULK_PER_DOMAIN = 2;

/** Bulk jobs whose URLs are held in memory; the others wait in the store. */
export const MAX_JOBS_AT_ONCE = 8;

/** Milliseconds for which a finished job can be asked for: a week. */
export const JOB_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Marked relays from which on the index goes on without a pause: fewer are cheaper in company. */
export const INDEX_BATCH = 32;

/** Milliseconds between looks at the marks; a write is found within the two seconds that search.md asks for. */
export const INDEX_PAUSE_MS = 250;

/** Milliseconds that a few marks wait for company while registrations stream in: a batch of more rewrites less a tool. */
export const INDEX_GATHER_MS = 200;

/** Milliseconds that a registration by hand waits at most until its relay can be found: a step of a large catalog, and a thread's start on a busy machine. */
export const INDEX_WAIT_MS = 3_000;

/** Registrations by hand under way up to which each waits for the index; more are many, and gain from a batch. */
export const MAX_INDEX_WAITERS = 4;

/** Marked relays behind which nobody waits: more than a step takes. */
export const MAX_MARKS_WAITED_FOR = 128;

/** Milliseconds without a mark after which the index is taken to be at rest, and its means are held against what is there. */
export const INDEX_QUIET_MS = 2_000;

/** Milliseconds after which that is done where the index never rests. */
export const INDEX_HELD_MS = 60_000;

/** Milliseconds before a worker tries again what the store refused. */
export const WORKER_RETRY_MS = 1_000;

/** Changes on a page. */
export const DEFAULT_CHANGE_LIMIT = 100;
export const MAX_CHANGE_LIMIT = 500;

/** Relays that a reader of changes may name: more are no list that someone follows, and would be a URL too long. */
export const MAX_WATCHED_RELAYS = 100;

/** Milliseconds for which changes are kept (wire.md: 30 days). */
export const CHANGES_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Milliseconds between looks for changes that are too old. */
export const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** Changes dropped in one step: a few milliseconds in which nobody else is served. */
export const PRUNE_STEP = 500;

/** Newest changes that are held in memory for those who follow them: at most so many, and so many characters. */
export const FEED_CHANGES = 256;
export const FEED_CHARS = 4 * 1024 * 1024;

/** Changes read at a time, and characters of them that one who is behind has in memory. */
export const FEED_READ = 64;
export const FEED_READ_CHARS = 256 * 1024;

/** Milliseconds between looks for what another process appended; our own appends ring. */
export const FEED_POLL_MS = 2_000;

/**
 * What one client address may ask for, where nothing else is configured. A person or an agent never comes near; an office behind
 * one address seldom does. What they hold in check is what the catalog does for a stranger at others' cost: looks (each up to
 * some twenty requests), forwarded calls, deliveries. Bulk counts URLs: the first thousand at once, then as many as by hand.
 */
export const DEFAULT_BUDGETS = {
  register: { perMinute: 30, burst: 60 },
  bulk: { perMinute: 100, burst: 2_000 },
  refresh: { perMinute: 60, burst: 60 },
  call: { perMinute: 600, burst: 1_200 },
  subscribe: { perMinute: 10, burst: 30 },
} as const satisfies BudgetRules;

/** Calls under way of one client: sixty-four clients would be needed to hold all sockets of a catalog (server/). */
export const MAX_CALLS_OF_CLIENT = 64;

/** Calls under way to one relay: twice the connections that it is given (net/), so that one that hangs holds an eighth of the sockets. */
export const MAX_CALLS_OF_RELAY = 512;

/**
 * Requests passed through at once, in all, of one client, and to one origin. Each holds two sockets and up to half a MiB for a reader that
 * is slow. An open page takes one place and a second while something runs; an origin keeps the other half of its connections (net/)
 * for looks and calls.
 */
export const MAX_PASSAGES = 256;
export const MAX_PASSAGES_OF_CLIENT = 32;
export const MAX_PASSAGES_OF_ORIGIN = 128;

/** Of those, with a message of more characters than this; it is held until its answer has ended: 64 MiB of small ones, 128 of large. */
export const MAX_LARGE_PASSAGES = 32;
export const LARGE_MESSAGE_CHARS = 256 * 1024;

/** Seconds until one tries again for whom there was no place: streams end when their pages do. */
export const NO_PLACE_RETRY_SECONDS = 5;

/** Seconds until a call is tried again that found too many under way: most calls take less. */
export const CROWDED_RETRY_SECONDS = 1;

/** Milliseconds between looks for budgets that are full again, and how many are dropped in one step: under 10 ms. */
export const PRUNE_BUDGETS_EVERY_MS = 60_000;
export const BUDGETS_PRUNED = 1_000;

/** Imports under way at once; the others wait in the store. Unfinished ones that a catalog takes. */
export const MAX_IMPORTS_AT_ONCE = 4;
export const MAX_IMPORTS_WAITING = 32;

/** URLs that come with one import (wire.md: as a bulk registration). */
export const MAX_IMPORT_URLS = 1_000;

/** Imports that a list tells of: the newest. */
export const IMPORTS_TOLD = 50;

/** Entries asked for on a page of a registry: the most that the official one gives. */
export const REGISTRY_PAGE_SIZE = 100;

/** Milliseconds for one document, and without a byte of it: the official registry takes up to 25 s (discovery.md). */
export const IMPORT_TIMEOUT_MS = 60_000;
export const IMPORT_IDLE_MS = 60_000;

/** Milliseconds until a document that could not be read is asked for again: the first times, and from then on. */
export const IMPORT_PAUSES_MS = [2_000, 10_000, 60_000, 5 * 60_000, 15 * 60_000] as const;

/** Milliseconds that `Retry-After` may put it off: six hours. */
export const MAX_IMPORT_WAIT_MS = 6 * 60 * 60_000;

/** Times that a first document is asked for: who waits for it may have mistyped. A catalog or card further on. */
export const MAX_FIRST_TRIES = 3;
export const MAX_CATALOG_TRIES = 3;

/** Times that a later page is asked for whose registry is away: about a day. And one that it refuses. */
export const MAX_PAGE_TRIES = 100;
export const MAX_REFUSED_TRIES = 2;

/** Ways round a broken cursor that are taken in one list. */
export const MAX_IMPORT_DETOURS = 20;

/** Pages in a row that bring nothing new, after which a list is at its end whatever its cursors say. */
export const MAX_STALE_PAGES = 10;

/** Bytes of one catalog or card (discovery.md: 1 MiB), and catalogs inside catalogs. */
export const MAX_IMPORT_DOCUMENT_BYTES = 1024 * 1024;

/** Bytes that a catalog may announce: it is read up to the limit above, and what it says there is taken. */
export const MAX_IMPORT_CUT_BYTES = 64 * 1024 * 1024;
export const MAX_CATALOG_DEPTH = 3;

/** Entries of a catalog that are judged before others have their turn: each may hold a card, and costs a tenth of a millisecond. */
export const ENTRIES_A_TURN = 200;

/** Documents of one import read at once in all; one a host. */
export const IMPORT_READS = 8;

/** URLs looked at at once for all imports, and in one registrable domain: fewer than for people who wait. */
export const IMPORT_CONCURRENCY = 16;
export const IMPORT_PER_DOMAIN = 2;

/** URLs of one import that are queued; below the half of it more are read from the store. */
export const IMPORT_QUEUED = 256;

/** URLs of a host that may be out of reach in a row before its others are not asked any more. */
export const IMPORT_HOST_FAILURES = 5;

/** Names that are told of a relay which others list under more. */
export const CLAIMS_TOLD = 500;

/** URLs that one import takes at most: five times what the official registry has of them. */
export const MAX_TAKEN = 100_000;

/** The official registry of MCP servers: where an import reads that is told of no other. */
export const DEFAULT_REGISTRY = "https://registry.modelcontextprotocol.io";
