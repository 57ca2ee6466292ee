/**
 * What an exchange gave once it was read: a closed union, and the pure rules that find the answer to a request among
 * JSON-RPC messages. An answer is the message with exactly the id that was sent; an error without an id counts when
 * nothing better came, since that is how servers refuse what they could not read (JSON-RPC 2.0, section 5).
 */
import { type ErrorCode, isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export type Answer =
  /** `text` is the result as it was written, where that was asked for. */
  | { readonly kind: "result"; readonly result: JsonObject; readonly text?: string }
  /** `exact` is false when the error carried no id. */
  | { readonly kind: "error"; readonly error: RpcError; readonly exact: boolean }
  /** JSON-RPC, but no answer with the id that was sent. */
  | { readonly kind: "mismatch" }
  /** The answer to the request, with a result that is no object. */
  | { readonly kind: "odd-result" }
  /** An event stream that ended before the answer. */
  | { readonly kind: "stream-ended" }
  /** The first event of an HTTP+SSE server (2024-11-05). */
  | { readonly kind: "endpoint-event" }
  /** JSON that is no JSON-RPC. */
  | { readonly kind: "other-json" }
  | { readonly kind: "html" }
  /** The start of something else, cleaned for quoting. */
  | { readonly kind: "text"; readonly sample: string }
  | { readonly kind: "empty" }
  /** It says JSON and is none. */
  | { readonly kind: "bad-json" }
  | { readonly kind: "too-deep" }
  /**
   * No answer, or one that broke off; also `too-large`. `reason` and `message` are the network's own (net/failure.ts), which
   * name scheme, host and port and no more of a URL.
   */
  | {
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly reason?: string;
      readonly message?: string;
    };

/** The answer to request `id` in a parsed body: a message, or an array of them (batches of older revisions). */
export function findAnswer(body: unknown, id: number): Answer {
  const messages = Array.isArray(body) ? body : [body];
  let fallback: Answer = { kind: "other-json" };
  for (const message of messages) {
    const answer = readMessage(message, id);
    if (answer === null) continue;
    if (isExact(answer)) return answer;
    if (fallback.kind !== "error") fallback = answer;
  }
  return fallback;
}

/** A message as an answer to request `id`; null when it is no response. */
export function readMessage(message: unknown, id: number): Answer | null {
  if (!isJsonObject(message) || message.jsonrpc !== "2.0") return null;
  // Some servers say in a text what went wrong.
  const error = typeof message.error === "string" ? { message: message.error } : message.error;
  if (isJsonObject(error)) {
    if (message.id !== id && (message.id ?? null) !== null) return { kind: "mismatch" };
    return { kind: "error", error: rpcError(error), exact: message.id === id };
  }
  // A member `"error": null` beside a result is odd but clear.
  if (message.result === undefined) return null;
  if (message.id !== id) return { kind: "mismatch" };
  return isJsonObject(message.result) ? { kind: "result", result: message.result } : { kind: "odd-result" };
}

/** True for the answer that was waited for: a result, of its form or not, or an error with our id. */
export function isExact(answer: Answer): boolean {
  return (
    answer.kind === "result" || answer.kind === "odd-result" || (answer.kind === "error" && answer.exact)
  );
}

/** Failures of connecting: nothing was sent, and asking again at once gives the same. */
const NOT_CONNECTED = new Set(["name-not-found", "name-lookup-failed", "refused", "no-route", "not-http"]);

/** True when the request cannot have arrived, whatever it was. */
export function neverArrived(answer: Answer): boolean {
  if (answer.kind !== "failed") return false;
  const { code, reason = "" } = answer;
  return (
    code === "blocked" || code === "tls-failed" || code === "too-many-redirects" || NOT_CONNECTED.has(reason)
  );
}

/** True when whoever answered speaks JSON-RPC. */
export function isRpc(answer: Answer): boolean {
  return (
    answer.kind === "result" ||
    answer.kind === "odd-result" ||
    answer.kind === "error" ||
    answer.kind === "mismatch"
  );
}

function rpcError(error: JsonObject): RpcError {
  return {
    code: typeof error.code === "number" ? error.code : -32603,
    message: typeof error.message === "string" ? error.message : "",
    ...(error.data === undefined ? {} : { data: error.data }),
  };
}
