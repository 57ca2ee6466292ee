/** What following the catalog's changes may cost. */

/** Streams open at once: each is a connection and a place in the log, a quarter of the connections that the server takes. */
export const MAX_STREAMS = 1_000;

/** Of those, streams of one client: an office behind one address fits, and nobody takes all the places. */
export const MAX_STREAMS_OF_CLIENT = 64;

/** Milliseconds without a word after which a heartbeat is sent: proxies cut what is silent for 30 s and more. */
export const HEARTBEAT_MS = 15_000;

/** Milliseconds for which a reader may take nothing of what was written for it. Then its stream ends. */
export const SLOW_READER_MS = 30_000;

/** Milliseconds that the end of a stream, with how to resume, has to be taken; then the connection is cut. */
export const LAST_WORD_MS = 5_000;

/** Bytes written at a time, so that a reader shows that it takes something; one that is slow has this, and one record, in memory. */
export const PIECE_BYTES = 64 * 1024;

/** Milliseconds that a reader waits before it comes back: told to it as `retry`. */
export const RETRY_MS = 1_000;

/** Seconds that one is told to wait for whom there is no room. */
export const FULL_RETRY_SECONDS = 30;
