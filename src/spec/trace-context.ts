/**
 * W3C Trace Context: which larger piece of work a request belongs to, as HTTP headers carry it and as MCP's `_meta` does
 * (MCP 2026-07-28 "_meta": the bare keys `traceparent` and `tracestate` are reserved for it). `baggage` is never read nor
 * sent: it is the caller's own data. Pure; makes no ids.
 */

export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`, lower-case hex. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Trace Context section 3.2: a version that is not ff, and ids that are not all zeroes. A later version may have more parts. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,64})?$/;

/** Section 3.3: list members in printable ASCII; 512 characters are what everyone should pass on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Null unless `traceparent` is of its form; a `tracestate` that is not of its form is left out. */
export function readTraceContext(given: Readonly<Record<string, unknown>>): TraceContext | null {
  const { traceparent, tracestate } = given;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return null;
  // Version 00 has exactly four parts.
  if (traceparent.startsWith("00") && traceparent.length !== 55) return null;
  const state = typeof tracestate === "string" && TRACESTATE.test(tracestate) ? { tracestate } : {};
  return { traceparent, ...state };
}
