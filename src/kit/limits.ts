/** What a served relay spends on strangers, and how long it waits for anyone. */

/** Bytes of a posted JSON-RPC message; a call's arguments travel in it. The SDK's own limit. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Messages in one array (protocol 2025-03-26 only). The SDK's own limit, applied before any predicate runs. */
export const MAX_BATCH_MESSAGES = 100;

/** Milliseconds that a legacy session lives without a request and without an open stream. */
export const SESSION_TTL_MS = 30 * 60 * 1_000;

/** Legacy sessions of one server in one process. One costs an `McpServer`, some tens of kilobytes. */
export const MAX_SESSIONS = 10_000;

/** Legacy sessions of one user, where there are users: one who opens more ends the own idlest. */
export const MAX_SESSIONS_OF_USER = 100;

/** Bytes of a session's state as JSON: it is read and written whole, and may lie in a database. */
export const MAX_STATE_BYTES = 256 * 1024;

/** Attempts to change a session's state when others change it at the same time. */
export const MAX_STATE_ATTEMPTS = 20;

/** Open `subscriptions/listen` streams of the modern era. */
export const MAX_LISTEN_STREAMS = 1_024;

/** Bytes of notices that the reader of an open stream may be behind, beside what its socket holds: thousands of them. */
export const MAX_STREAM_BACKLOG_BYTES = 1024 * 1024;

/** Resources that one legacy session may subscribe to. */
export const MAX_SUBSCRIPTIONS_OF_SESSION = 1_000;

/** Characters of a URI that is subscribed to in a session: it may be kept in a database for other instances. */
export const MAX_SUBSCRIBED_URI_LENGTH = 8_192;

/** Things that a session is asked to remember for other instances: its subscriptions and its log level. */
export const MAX_REMEMBERED = MAX_SUBSCRIPTIONS_OF_SESSION + 1;

/** Sessions in a store that instances share; one is a row of some kilobytes. What is more ends at the next sweep, the idlest first. */
export const MAX_SHARED_SESSIONS = 100_000;

/** Bytes of an `initialize` request that is kept for other instances. */
export const MAX_INITIALIZE_BYTES = 64 * 1024;

/** A session in a shared store is renewed after this share of its time, not at every request: it may end that much sooner. */
export const TOUCH_SHARE = 1 / 20;

/** Milliseconds between looks for sessions that are over. The moment itself is checked at each request. */
export const SESSION_SWEEP_MS = 60 * 1_000;

/** Milliseconds that calls under way have to end when the server is closed. */
export const DRAIN_MS = 10_000;

/** Pages of a `tools/list` that are read for a document. */
export const MAX_TOOL_PAGES = 100;

/** Base URLs for which the published documents are kept: a relay has one, or a few names on loopback. */
export const MAX_REMEMBERED_BASES = 16;

/** Characters of a session id that are looked up: ours have 36. */
export const MAX_SESSION_ID_LENGTH = 128;

/** Bytes of request headers. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Milliseconds in which a request's headers, and all of it, must have come. */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 60_000;

/** Milliseconds that an idle connection is kept: longer than the 60 s of common proxies, so that they hang up first. */
export const KEEP_ALIVE_MS = 65_000;

/** Milliseconds that connections have to take what was answered last, after the drain. */
export const LAST_WORDS_MS = 250;

/** Milliseconds that calls under way may still take after the client closed our standard input. */
export const EOF_DRAIN_MS = 5_000;

/** Bytes of one frame over stdio. The SDK's own limit, which would end the connection without a word. */
export const MAX_FRAME_BYTES = 10 * 1024 * 1024 - 1;
