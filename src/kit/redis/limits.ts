/** What instances of a relay lay on a Redis that they share. */

/** Milliseconds that Redis keeps a session after its end, for a clock that goes wrong; prune ends it before. */
export const AFTERLIFE_MS = 60 * 60 * 1_000;

/** Milliseconds that a notice is kept for an instance that lost its connection. */
export const KEEP_NOTICES_MS = 5 * 60 * 1_000;

/** Milliseconds that one question for notices waits at the server, and how much later it has to be answered. */
export const WAIT_MS = 5_000;
export const WAIT_MARGIN_MS = 10_000;

/** Notices that are taken at once. */
export const MAX_NOTICES_AT_ONCE = 100;

/** Milliseconds between attempts to listen again, doubled up to the second. */
export const FIRST_RETRY_MS = 100;
export const LAST_RETRY_MS = 5_000;

/** Messages that are kept of one session for a client that takes a stream up again, or a few more. */
export const MAX_STREAMED_OF_SESSION = 1_000;
