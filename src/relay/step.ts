/**
 * One request to a relay, and what came of it. A step is data that the conversation (conversation.ts) or a call decides on;
 * `perform` sends it, to the endpoint's own origin and no other, and reads bounded evidence. Nothing is judged here. A failure is evidence too, save the caller's abort,
 * which rejects, and our own shutting down or running dry, which say nothing about the relay.
 */
import { type Exchange, type ExchangeResponse, isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import type { Answer } from "./answer.ts";
import { MAX_HEADER_LENGTH } from "./limits.ts";
import {
  BODY_HEADERS,
  type Dress,
  type Message,
  type Method,
  messageHeaders,
  messageText,
  transportHeaders,
} from "./protocol.ts";
import { type ReadOptions, readAnswer, readFirstEvent, settle } from "./read-answer.ts";
import { withinOrigin } from "./within-origin.ts";

export type Step =
  | {
      readonly kind: "ask";
      readonly message: Message & { readonly id: number };
      readonly dress: Dress;
      readonly maxBytes: number;
      /** Beside those of the message: the arguments that the modern era repeats as headers. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "notify"; readonly message: Message; readonly dress: Dress }
  /** The answer to a request of the server: to a ping, or that nothing else is done here. */
  | { readonly kind: "reply"; readonly text: string; readonly dress: Dress }
  | { readonly kind: "listen" }
  | { readonly kind: "end-session"; readonly dress: Dress };

/** Bounded raw evidence of one step. */
export interface Exchanged {
  readonly step: Step;
  /** The URL that answered, or the one asked. */
  readonly url: string;
  readonly status: number | null;
  /** Only those that are evidence, each cut to a bounded length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: Answer;
  /** Bytes of body that were read. */
  readonly bytes: number;
  readonly ms: number;
}

export interface PerformOptions {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Sent beside the step's own; a caller's credential. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly onMessage?: ReadOptions["onMessage"];
  readonly onChunk?: () => void;
}

const EVIDENCE_HEADERS = [
  "content-type",
  "mcp-session-id",
  "www-authenticate",
  "retry-after",
  "location",
  "allow",
];

/** The method of the message a step carries, or the HTTP method where it carries none. */
export function stepName(step: Step): Method | "GET" | "DELETE" | "POST" {
  return step.kind === "ask" || step.kind === "notify" ? step.message.method : httpMethod(step);
}

export function httpMethod(step: Step): "POST" | "GET" | "DELETE" {
  if (step.kind === "listen") return "GET";
  return step.kind === "end-session" ? "DELETE" : "POST";
}

/** @throws OpenMcpError `aborted` when the caller's signal does or the exchange closes; `unavailable` when it has no socket left. */
export async function perform(endpoint: string, step: Step, options: PerformOptions): Promise<Exchanged> {
  const begun = performance.now();
  let response: ExchangeResponse | null = null;
  let bytes = 0;
  let answer: Answer;
  try {
    response = await withinOrigin(options.exchange)(
      {
        method: httpMethod(step),
        url: endpoint,
        headers: { ...headersOf(step), ...options.headers },
        ...bodyOf(step),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      {
        timeoutMs: options.timeoutMs,
        maxBodyBytes: step.kind === "ask" ? step.maxBytes : MAX_HEADER_LENGTH,
      },
    );
    answer = await read(step, response, {
      onMessage: options.onMessage,
      onChunk(size) {
        bytes += size;
        options.onChunk?.();
      },
    });
  } catch (error) {
    response?.cancel();
    if (options.signal?.aborted) throw aborted(error);
    answer = failed(error);
  }
  return {
    step,
    url: response?.url ?? endpoint,
    status: response?.status ?? null,
    headers: response === null ? {} : evidenceHeaders(response),
    answer,
    bytes,
    ms: performance.now() - begun,
  };
}

/** The evidence of a step for which no time was left. */
export function notPerformed(endpoint: string, step: Step): Exchanged {
  return {
    step,
    url: endpoint,
    status: null,
    headers: {},
    answer: { kind: "failed", code: "timeout" },
    bytes: 0,
    ms: 0,
  };
}

/** @throws what is no evidence about the relay: that we ourselves are closing, or out of sockets. */
export function failed(error: unknown): Answer {
  if (!isOpenMcpError(error)) return { kind: "failed", code: "internal" };
  const { code, data, message } = error;
  if (code === "aborted" || code === "unavailable") throw error;
  return {
    kind: "failed",
    code,
    message,
    ...(typeof data.reason === "string" ? { reason: data.reason } : {}),
  };
}

export function aborted(cause: unknown): OpenMcpError {
  return isOpenMcpError(cause, "aborted")
    ? cause
    : new OpenMcpError("aborted", "The request was given up by whoever asked.", { cause });
}

async function read(
  step: Step,
  response: ExchangeResponse,
  options: { onMessage: ReadOptions["onMessage"]; onChunk: (bytes: number) => void },
): Promise<Answer> {
  switch (step.kind) {
    case "ask":
      return readAnswer(response, {
        id: step.message.id,
        onChunk: options.onChunk,
        // Only what is passed on is wanted as it was written.
        keepText: step.message.method === "tools/call",
        ...(options.onMessage === undefined ? {} : { onMessage: options.onMessage }),
      });
    case "listen":
      return readFirstEvent(response);
    default:
      // Whatever a relay says to a notification or a DELETE, the status is all that counts.
      await settle(response.body[Symbol.asyncIterator](), response);
      return { kind: "empty" };
  }
}

function headersOf(step: Step): Record<string, string> {
  switch (step.kind) {
    case "listen":
      return { accept: "text/event-stream" };
    case "end-session":
      return transportHeaders(step.dress);
    case "reply":
      return { ...transportHeaders(step.dress), ...BODY_HEADERS };
    default:
      return { ...messageHeaders(step.message, step.dress), ...("headers" in step ? step.headers : {}) };
  }
}

function bodyOf(step: Step): { readonly body?: string } {
  if (step.kind === "reply") return { body: step.text };
  return step.kind === "ask" || step.kind === "notify" ? { body: messageText(step.message, step.dress) } : {};
}

function evidenceHeaders(response: ExchangeResponse): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of EVIDENCE_HEADERS) {
    const value = response.headers[name];
    if (value !== undefined) kept[name] = value.slice(0, MAX_HEADER_LENGTH);
  }
  return kept;
}
