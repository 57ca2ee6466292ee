/** Bounds of the SQLite adapter, each with its unit and reason. */

/** KiB of page cache: the hot end of 20,000 relays; the operating system caches the rest of the file. */
export const PAGE_CACHE_KIB = 16_384;

/** Milliseconds to wait for another process's write lock before `unavailable`. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Words of a list's `q` that SQL narrows on, longest first; the others are checked on what is left. */
export const NARROWING_WORDS = 4;
