/** What instances of a relay lay on a PostgreSQL that they share. */

/** Bytes of a notice that travels in `NOTIFY` itself; PostgreSQL takes less than 8,000. A longer one is read from its row. */
export const MAX_NOTICE_BYTES = 7_500;

/** Milliseconds that a notice is kept for an instance that lost its connection. */
export const KEEP_NOTICES_MS = 5 * 60 * 1_000;

/** Milliseconds between sweeps of old notices. */
export const SWEEP_NOTICES_MS = 60 * 1_000;

/** Milliseconds that a notice may take to become visible after its time was noted. */
export const OVERLAP_MS = 10_000;

/** Notices that were heard lately, so that none is told twice after a lost connection. */
export const MAX_HEARD = 20_000;

/** Milliseconds between attempts to listen again, doubled up to the second. */
export const FIRST_RETRY_MS = 100;
export const LAST_RETRY_MS = 5_000;

/** Milliseconds between signs of life on the connection that listens: one that nobody answers is given up. */
export const PULSE_MS = 30_000;
export const PULSE_TIMEOUT_MS = 10_000;

/** Connections of a pool of our own: one listens. */
export const MAX_CONNECTIONS = 10;

/** Messages that are kept of one session for a client that takes a stream up again. */
export const MAX_STREAMED_OF_SESSION = 1_000;

/** A session's oldest messages are dropped after so many new ones. */
export const DROP_STREAMED_EVERY = 100;
