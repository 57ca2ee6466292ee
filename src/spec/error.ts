/**
 * The closed union of error codes, and the one error class that crosses rooms.
 * A door maps each code to its own form (problem+json and status, tool result, exit code) by a total map.
 * docs/errors.md lists the same codes; a test holds the two equal.
 */

export const errorCodes = [
  // What the caller sent
  "invalid-input", // a parameter or body is not of its form; `data.field` names it
  "unauthorized", // the admin credential is missing, wrong, or not configured
  "forbidden", // Host or Origin is not one of ours
  "not-found", // no such relay, tool, job or route
  "method-not-allowed", // the route exists, not with this method; `data.allow`
  "unsupported-media-type", // a body that is not JSON (or text, where lines are taken)
  "too-large", // a body over its limit, the caller's or a relay's
  "rate-limited", // over a budget; `data.retryAfterSeconds`
  "conflict", // the record changed underneath; try again
  "gone", // a cursor older than what is kept
  // What a relay did
  "not-listed", // a probe found nothing that may be listed; `data.probe`
  "relay-error", // the relay answered a JSON-RPC error; `data.rpc`
  "tool-error", // the tool answered `isError`; `data.result`
  "relay-refused", // the relay wants a credential, or refused the one given
  "relay-unreachable", // no connection, or an answer that is not MCP
  "relay-timeout", // it did not answer in time
  // What the network did (net/)
  "blocked", // the network policy refuses the address or the URL
  "timeout", // over the time limit
  "unreachable", // no name, no connection, broken off
  "tls-failed", // the certificate does not verify
  "too-many-redirects",
  "aborted", // the caller's signal
  // What the catalog itself could not do
  "unavailable", // shutting down, or a part is not ready
  "schema-too-new", // the database was written by a newer version
  "internal",
  // What only a client says
  "unsupported-transport", // this method has no MCP tool; use REST
  "catalog-unreachable", // no answer from the catalog
  "catalog-answer", // an answer that is not a catalog's
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The error every public function rejects or throws with. `message` is a sentence for a person, free of secrets. */
export class OpenMcpError extends Error {
  readonly code: ErrorCode;
  /** Machine-readable detail, safe to show. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "OpenMcpError";
    this.code = code;
    this.data = options.data ?? {};
  }
}

/** True when `error` is an `OpenMcpError`, of `code` when one is given. */
export function isOpenMcpError(error: unknown, code?: ErrorCode): error is OpenMcpError {
  return error instanceof OpenMcpError && (code === undefined || error.code === code);
}
