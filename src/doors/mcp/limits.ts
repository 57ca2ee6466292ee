/** What one MCP client may hold open here. */

/** Bytes of a posted JSON-RPC message; a call's arguments travel in it. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Milliseconds for which a client may keep the tool list: it changes only when the catalog is upgraded. */
export const TOOL_LIST_TTL_MS = 60 * 60 * 1000;

/** Open `subscriptions/listen` streams. Nothing here ever changes, so they only cost. */
export const MAX_LISTEN_STREAMS = 100;
