/**
 * Speaking MCP to one relay, tolerantly and bounded: what it is, which tools it has, one call.
 * Its network is the `exchange` it is handed; it keeps nothing between calls.
 */
export { type Asked, ask } from "./ask.ts";
export { callTool } from "./call-tool.ts";
export { judge } from "./judge.ts";
export { look } from "./look.ts";
export { parameterHeaderFault, parameterHeaders } from "./parameter-headers.ts";
export { type Passed, type PassedRequest, type PassedStatus, passThrough } from "./pass-through.ts";
export { headersUp, type PassedMethod } from "./passing-headers.ts";
export type { AskOptions, CallLog, CallOptions, CallOutcome, CallProgress, ToolCall } from "./types.ts";
