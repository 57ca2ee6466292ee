/** Bounds of the SQLite adapter, each with its unit and reason. */

/** KiB of page cache. The operating system caches the file; at 20,000 relays reads take the same with 4 to 16 MiB. */
export const PAGE_CACHE_KIB = 4_096;

/** KiB of page cache of the index's thread: what one step touches; each commit of the other thread empties it. */
export const THREAD_PAGE_CACHE_KIB = 8_192;

/**
 * Pages of the write-ahead log after which whoever commits takes it over into the file itself, and waits for the disk. At 4 KiB each,
 * 16 MiB: read in some 50 ms when a killed process starts again. The main thread, when it is busy, never gets there (checkpoints.ts).
 */
export const MAIN_CHECKPOINT_PAGES = 4_000;
export const THREAD_CHECKPOINT_PAGES = 4_000;

/** Commits after which a busy main thread has its log taken over: of four to six pages each, well before it has to itself. */
export const CHECKPOINT_COMMITS = 400;

/** Milliseconds in which so many commits come when it is busy. */
export const BUSY_CHECKPOINT_MS = 5_000;

/** Milliseconds to wait for another process's write lock before `unavailable`. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Words of a list's `q` that SQL narrows on, longest first; the others are checked on what is left. */
export const NARROWING_WORDS = 4;

/** Relays that one step of the search index takes: sorted batches of this size write each common term once. */
export const RELAYS_PER_STEP = 32;

/** Tools that one step makes entries for: about 10 ms, in which nobody else is served. */
export const TOOLS_PER_STEP = 64;

/** The same for a step in a thread of its own, where it only keeps registrations from being written: about 50 ms. */
export const RELAYS_PER_THREAD_STEP = 128;
export const TOOLS_PER_THREAD_STEP = 512;

/** Milliseconds without work after which that thread ends: it holds 45 MiB, and starting it anew takes a tenth of a second. */
export const THREAD_IDLE_MS = 30_000;

/** Terms whose number is remembered: nearly all that recur in 150,000 tools; a few MB. */
export const MAX_TERMS_REMEMBERED = 50_000;

/** Terms read that begin as an unknown word does. */
export const NEIGHBOURS_READ = 64;

/** Relays up to which a filter is turned into a set of tools before ranking: about 2 ms. */
export const RELAYS_GATHERED = 1_000;

/** Share of all relays up to which that pays: a filter that most pass takes little from a ranking. */
export const FEW_OF_ALL = 0.25;

/** Due relays at full places that are read and passed over before SQLite leaves their places out: a tenth of a millisecond. */
export const FULL_ROWS_SKIPPED = 64;

/** Milliseconds for which a dead dispatcher is remembered; only so that clocks that jump do no harm. */
export const DEAD_KEPT_MS = 60 * 60_000;
/** Sentences about an import that are kept: the first tell what is wrong, and the rest of 10,000 the same. */
export const MAX_IMPORT_PROBLEMS = 20;

/** Names of one URL that an import's result tells: some have hundreds of claimants. */
export const NAMES_TOLD = 100;

/**
 * Tools at twice which the index first holds its means against what is there while it grows: making 10,000 entries anew
 * costs two seconds of one core at most, and a smaller index is held when it has come to rest.
 */
export const FIRST_HELD_AT = 5_000;

/** Marked relays, the newest, of which is asked whether they can be found yet: a third of a millisecond. */
export const MARKS_LOOKED_AT = 500;

/** Routes of calls that are kept parsed: the tools in use; with the next limit 16 MiB at the very most, mostly 1. */
export const MAX_ROUTES_KEPT = 512;

/** Characters of a tool up to which its route is kept. */
export const MAX_ROUTE_CHARS = 16_384;
