/**
 * Errors as problem documents (RFC 9457; wire.md "REST, under /v1"): the one total map from error code to status and
 * title, and the one place where an unknown failure loses its message.
 */
import { type ErrorCode, isOpenMcpError, OpenMcpError, stringifyRaw } from "../spec/index.ts";
import { readCors } from "./cors.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** Status and title of every code. A code without an entry does not compile. */
export const problems: Readonly<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  "invalid-input": { status: 400, title: "The request is not of its form" },
  unauthorized: { status: 401, title: "The admin credential is needed" },
  forbidden: { status: 403, title: "Not from here" },
  "not-found": { status: 404, title: "There is no such thing" },
  "method-not-allowed": { status: 405, title: "Not with this method" },
  "unsupported-media-type": { status: 415, title: "The body is of another type" },
  "too-large": { status: 413, title: "Too large" },
  "rate-limited": { status: 429, title: "Too many requests" },
  conflict: { status: 409, title: "It changed meanwhile" },
  gone: { status: 410, title: "No longer kept" },
  "not-listed": { status: 422, title: "Nothing there that can be listed" },
  "relay-error": { status: 422, title: "The relay answered an error" },
  "tool-error": { status: 422, title: "The tool failed" },
  "relay-refused": { status: 502, title: "The relay wants a credential, or refused the one given" },
  "relay-unreachable": { status: 502, title: "The relay could not be reached" },
  "relay-timeout": { status: 504, title: "The relay did not answer in time" },
  blocked: { status: 422, title: "The network policy refuses this address" },
  timeout: { status: 504, title: "No answer in time" },
  unreachable: { status: 502, title: "No connection" },
  "tls-failed": { status: 502, title: "The certificate does not verify" },
  "too-many-redirects": { status: 502, title: "Too many redirects" },
  // Nobody is left to read it; 499 is what logs call that.
  aborted: { status: 499, title: "The caller went away" },
  unavailable: { status: 503, title: "Not ready" },
  "schema-too-new": { status: 500, title: "The server failed" },
  internal: { status: 500, title: "The server failed" },
  // A client's own codes; a catalog that met them was acting as a client of another.
  "unsupported-transport": { status: 501, title: "Not over this transport" },
  "catalog-unreachable": { status: 502, title: "The other catalog could not be reached" },
  "catalog-answer": { status: 502, title: "The other catalog gave no catalog's answer" },
};

/** An error made fit to leave: its code, its sentence, its safe detail. */
export interface PublicError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The failure is ours: log `cause` under this id, which is in the message. */
  readonly requestId?: string;
}

const OURS: readonly ErrorCode[] = ["internal", "schema-too-new"];

/**
 * What may be told of any thrown value. Only an `OpenMcpError` keeps its message, and none of the catalog's own faults does: a store
 * that fails (a full disk) is told as such, without the file that it names to the operator.
 */
export function publicError(error: unknown, newId: () => string = () => crypto.randomUUID()): PublicError {
  const known = isOpenMcpError(error);
  const store = known && error.code === "unavailable" && error.data.part === "store";
  if (known && !store && !OURS.includes(error.code)) {
    return { code: error.code, message: error.message, data: error.data };
  }
  const requestId = newId();
  const what = store ? "the catalog's store can't do this now" : "the server failed on this request";
  return {
    code: store ? "unavailable" : "internal",
    message: `${what}; its operator finds the cause in the log under ${requestId}`,
    data: { requestId },
    requestId,
  };
}

/**
 * The problem document of an error that was made public. `status` is for what HTTP itself has a finer one for than our codes have;
 * whoever gives it sends the same.
 */
export function problemText(error: PublicError, status: number = problems[error.code].status): string {
  return stringifyRaw({
    ...error.data,
    // A registered type would have to be dereferenceable somewhere; catalogs run anywhere. docs/errors.md lists them.
    type: `urn:openmcp:error:${error.code}`,
    title: problems[error.code].title,
    status,
    detail: error.message,
    code: error.code,
    ok: false,
    error: error.message,
  });
}

/** The response for an error that was made public. Readable from any origin, never cached. */
export function problemReply(error: PublicError, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(problemText(error), {
    status: problems[error.code].status,
    headers: {
      "content-type": PROBLEM_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...readCors,
      ...ownHeaders(error),
      ...headers,
    },
  });
}

function ownHeaders({ code, data }: PublicError): Record<string, string> {
  if (code === "unauthorized") return { "www-authenticate": 'Bearer realm="openmcp admin"' };
  if (code === "method-not-allowed" && Array.isArray(data.allow)) return { allow: data.allow.join(", ") };
  if (typeof data.retryAfterSeconds === "number") {
    return { "retry-after": String(Math.max(1, Math.ceil(data.retryAfterSeconds))) };
  }
  return {};
}

/** 405 for a route that exists with other methods. */
export function methodNotAllowed(method: string, allow: readonly string[]): OpenMcpError {
  const all = [...allow, "OPTIONS"];
  return new OpenMcpError("method-not-allowed", `${method} is not answered here; use ${all.join(", ")}`, {
    data: { allow: all },
  });
}
