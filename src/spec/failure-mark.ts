/**
 * The mark of a catalog's own failures over MCP. `call_tool` answers another server's result, which may be a failure too and look
 * like anything; so the catalog marks what it says itself, and takes the mark off what it passes on. Callers read nothing else.
 */

/** A key of a tool result's `_meta` (MCP "`_meta`", a prefix of our own); its value is `{code}`, one of `errorCodes`. */
export const FAILURE_META_KEY = "openmcp/failure";
