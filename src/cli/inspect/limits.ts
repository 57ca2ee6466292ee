/** What `openmcp inspect` allows itself; each with its reason. */

/** Bytes of one message to a server: files travel in them as base64. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Characters of one line of a command's output: a tool's result may hold images. */
export const MAX_LINE_CHARS = 64 * 1024 * 1024;

/** Milliseconds for one exchange with a URL: streams stay open while a page does. */
export const EXCHANGE_MS = 24 * 60 * 60_000;

/** Bytes of one answer of a URL, streams included. */
export const MAX_ANSWER_BYTES = 1024 * 1024 * 1024;

/** Pages open at once, each with a process of its own; the one that is idle for the longest time ends. */
export const MAX_CONVERSATIONS = 8;

/** Messages that wait for a page to listen. */
export const MAX_WAITING = 200;

/** Milliseconds in which a command says whether it knows the newer protocol; some of the older do not answer at all. */
export const DISCOVER_MS = 5_000;

/** Milliseconds that a command has to end by itself when its input ended, and again after SIGTERM. */
export const END_MS = 1_000;
