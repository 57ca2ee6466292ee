/**
 * One HTTP request of an MCP client passed on to a relay's endpoint, and its answer as it comes: nothing in it is read, so that
 * whatever the protocol has or will have goes through. What holds is around it: headers afresh (passing-headers.ts), the endpoint's
 * own origin only, bounds on bytes and time. Nothing is retried, remembered or judged of the relay.
 */
import type { Exchange, ExchangeResponse } from "../spec/index.ts";
import type { Answer } from "./answer.ts";
import { bearer } from "./call-line.ts";
import { outcomeOf } from "./call-outcome.ts";
import {
  CALL_IDLE_MS,
  MAX_CALL_BYTES,
  MAX_SAMPLE_BYTES,
  PASSAGE_IDLE_MS,
  PASSAGE_TIMEOUT_MS,
} from "./limits.ts";
import { headersDown, type PassedMethod, passedType } from "./passing-headers.ts";
import { quotable } from "./quotable.ts";
import { aborted, type Exchanged, failed, type Step } from "./step.ts";
import type { CallOutcome } from "./types.ts";
import { withinOrigin } from "./within-origin.ts";

export interface PassedRequest {
  readonly method: PassedMethod;
  /** From `headersUp`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The message as it was written; for POST only. */
  readonly body?: string;
  /** The caller's credential for the relay. */
  readonly token?: string;
}

export interface PassOptions {
  readonly exchange: Exchange;
  /** The caller's: aborting it ends the request at the relay, also while the body is read. */
  readonly signal: AbortSignal;
  /** Milliseconds until the answer begins. Default in limits.ts, as the two below. */
  readonly answerMs?: number;
  /** Milliseconds without a byte of it. */
  readonly idleMs?: number;
  /** Milliseconds in all. */
  readonly timeoutMs?: number;
}

/** What a relay answered, ready to go on. */
export interface Passed {
  readonly kind: "passed";
  readonly status: number;
  /** Lower-case names; without a content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly type: "application/json" | "text/event-stream" | null;
  /** Null where there is none. Iterate it once; failures reject with `OpenMcpError`. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Ends the rest of it. Idempotent. */
  cancel(): void;
}

/** An HTTP error without a word of MCP in it: its status counts, its text does not go on. */
export interface PassedStatus {
  readonly kind: "status";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

export type PassOutcome =
  | Passed
  | PassedStatus
  | Extract<CallOutcome, { readonly kind: "unreachable" | "timeout" | "blocked" }>;

/**
 * @throws OpenMcpError `invalid-input` for a token that no header can hold; `aborted` by the caller's signal; `unavailable` when we
 * have no socket left. Every other failure is an outcome.
 */
export async function passThrough(
  endpoint: string,
  request: PassedRequest,
  options: PassOptions,
): Promise<PassOutcome> {
  const { method, body, token } = request;
  const headers = { ...request.headers, ...bearer(token) };
  const unanswered = new AbortController();
  const timer = setTimeout(() => unanswered.abort(), options.answerMs ?? CALL_IDLE_MS);
  const exchanged = (answer: Answer, response: ExchangeResponse | null = null): Exchanged => ({
    step: asStep(method),
    url: response?.url ?? endpoint,
    status: response?.status ?? null,
    headers: response?.headers ?? {},
    answer,
    bytes: 0,
    ms: 0,
  });
  try {
    const response = await withinOrigin(options.exchange)(
      {
        method,
        url: endpoint,
        headers,
        signal: AbortSignal.any([options.signal, unanswered.signal]),
        ...(body === undefined ? {} : { body }),
      },
      {
        timeoutMs: options.timeoutMs ?? PASSAGE_TIMEOUT_MS,
        idleMs: options.idleMs ?? PASSAGE_IDLE_MS,
        maxBodyBytes: MAX_CALL_BYTES,
      },
    );
    const passed = passedOn(method, response);
    if (passed !== null) return passed;
    const answer = await sampled(response);
    const outcome = outcomeOf(exchanged(answer, response), { hints: null, token });
    const message = "message" in outcome ? outcome.message : "";
    return response.status >= 400 && isStatus(response.status)
      ? { kind: "status", status: response.status, headers: headersDown(response.headers), message }
      : { kind: "unreachable", message };
  } catch (error) {
    if (options.signal.aborted) throw aborted(error);
    const answer: Answer = unanswered.signal.aborted ? { kind: "failed", code: "timeout" } : failed(error);
    const outcome = outcomeOf(exchanged(answer), { hints: null, token });
    if (outcome.kind === "timeout" || outcome.kind === "blocked") return outcome;
    return { kind: "unreachable", message: "message" in outcome ? outcome.message : "" };
  } finally {
    clearTimeout(timer);
  }
}

/** Statuses that have no body, whatever is sent behind them (Fetch standard, "null body status"). */
const BODILESS: readonly number[] = [204, 205];

/** What HTTP gives a meaning to; anything else is as if the server had failed (RFC 9110 section 15), and can't be sent on. */
function isStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** The answer as it goes on; null where it has no form that MCP knows. */
function passedOn(method: PassedMethod, response: ExchangeResponse): Passed | null {
  const { status } = response;
  const ok = status >= 200 && status < 300;
  const empty = response.headers["content-length"] === "0" || BODILESS.includes(status);
  const type = passedType(response.headers["content-type"]);
  const headers = headersDown(response.headers);
  const whole = { kind: "passed", status, headers, cancel: () => response.cancel() } as const;
  // "Accepted" is all that they say, in whatever words.
  if (ok && (empty || status === 202 || method === "DELETE")) {
    response.cancel();
    return { ...whole, type: null, body: null };
  }
  if (type === null || !isStatus(status) || (status >= 300 && status < 400)) return null;
  return { ...whole, type, body: response.body };
}

/** The start of what is no MCP, to say what it is. */
async function sampled(response: ExchangeResponse): Promise<Answer> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk.subarray(0, MAX_SAMPLE_BYTES), { stream: true });
    if (text.length >= MAX_SAMPLE_BYTES || /\S/.test(text)) break;
  }
  response.cancel();
  const start = text.trimStart();
  if (start === "") return { kind: "empty" };
  return start.startsWith("<") ? { kind: "html" } : { kind: "text", sample: quotable(start) };
}

/** For the words of an outcome. */
function asStep(method: PassedMethod): Step {
  const dress = { era: "legacy", version: null, sessionId: null } as const;
  if (method === "POST") return { kind: "reply", text: "", dress };
  return method === "GET" ? { kind: "listen" } : { kind: "end-session", dress };
}
