/** What a request that is passed through may cost at this end; at the relay's end: relay/limits.ts, how many at once: catalog/limits.ts. */

/** Bytes of one posted message; a call's arguments, or a person's answer with a file, travel in it. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Messages of one batch, which only revision 2025-03-26 has; each costs a call, and a budget takes no more than all of itself. */
export const MAX_BATCH_MESSAGES = 100;

/** Milliseconds for which a reader may take nothing of what was written for it. Then it is cut, and the relay's stream with it. */
export const SLOW_READER_MS = 30_000;
