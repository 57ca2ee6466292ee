/**
 * Reads the body of a POST until the answer is in, and no further (MCP Streamable HTTP, "Sending Messages to the Server"):
 * JSON or an event stream, notifications and requests before the answer. What the first character shows wins over a wrong
 * content type; the charset parameter is not looked at, since JSON-RPC messages are UTF-8.
 * Bytes and time are bounded by the exchange that the body comes from; failures reject, as its own do.
 */
import {
  createEventStreamParser,
  type ExchangeResponse,
  elementTexts,
  isJsonObject,
  type JsonObject,
  memberText,
  type StreamEvent,
} from "../spec/index.ts";
import { type Answer, findAnswer, isExact, readMessage } from "./answer.ts";
import { createJsonScanner } from "./json-scanner.ts";
import { MAX_JSON_DEPTH, MAX_SAMPLE_BYTES, SETTLE_MS } from "./limits.ts";
import { quotable } from "./quotable.ts";

/** A notification or a request of the server. */
export type ServerMessage = JsonObject & { readonly method: string };

export interface ReadOptions {
  readonly id: number;
  /** Each notification and request that precedes the answer. */
  readonly onMessage?: (message: ServerMessage) => void;
  /** Called for every chunk: a sign of life. */
  readonly onChunk?: (bytes: number) => void;
  /** Gives a result's text too, for passing it on as it was written. */
  readonly keepText?: boolean;
}

/** Takes text piece by piece until it knows the answer; `end` is what it makes of a body that stops. */
interface Reader {
  push(text: string): Answer | null;
  end(): Answer;
}

export async function readAnswer(response: ExchangeResponse, options: ReadOptions): Promise<Answer> {
  const type = mediaType(response);
  const decoder = new TextDecoder();
  const iterator = response.body[Symbol.asyncIterator]();
  let reader: Reader | null = null;
  let start = "";
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    options.onChunk?.(value.byteLength);
    let text = decoder.decode(value, { stream: true });
    if (reader === null) {
      text = start += text;
      if (text.length < MAX_SAMPLE_BYTES && /^\s*$/.test(text)) continue;
      reader = chooseReader(type, text, options);
    }
    const answer = reader.push(text);
    if (answer !== null) {
      await settle(iterator, response);
      return answer;
    }
  }
  return reader?.end() ?? { kind: type === "text/event-stream" ? "stream-ended" : "empty" };
}

/**
 * Reads an event stream to its first event and drops it: `endpoint` is how HTTP+SSE of revision 2024-11-05 begins.
 * Anything else is `text`.
 */
export async function readFirstEvent(response: ExchangeResponse): Promise<Answer> {
  let first: StreamEvent | null = null;
  const parser = createEventStreamParser((event) => {
    first ??= event;
  });
  const decoder = new TextDecoder();
  if (response.status === 200 && mediaType(response) === "text/event-stream") {
    for await (const chunk of response.body) {
      parser.push(decoder.decode(chunk, { stream: true }));
      if (first !== null) break;
    }
  }
  response.cancel();
  return (first as StreamEvent | null)?.type === "endpoint"
    ? { kind: "endpoint-event" }
    : { kind: "text", sample: "" };
}

function chooseReader(type: string, start: string, options: ReadOptions): Reader {
  const first = /[^\s\uFEFF]/.exec(start)?.[0] ?? "";
  if (first === "{" || first === "[") return jsonReader(options);
  if (first === "<") return htmlReader();
  if (type === "text/event-stream") return eventReader(options);
  if (isJsonType(type)) return brokenReader();
  return /^\s*(?:data|event|id|retry)?:/.test(start) ? eventReader(options) : textReader();
}

function jsonReader(options: ReadOptions): Reader {
  const scanner = createJsonScanner(MAX_JSON_DEPTH);
  const pieces: string[] = [];
  return {
    push(text) {
      pieces.push(text);
      const state = scanner.push(text);
      if (state === "too-deep") return { kind: "too-deep" };
      return state === "complete" ? finish() : null;
    },
    end: finish,
  };

  function finish(): Answer {
    const text = pieces.join("");
    const body = parse(text);
    if (body === undefined) return { kind: "bad-json" };
    announce(body, options);
    return withText(findAnswer(body, options.id), { text, body, options });
  }
}

function eventReader(options: ReadOptions): Reader {
  let answer: Answer | null = null;
  let fallback: Answer = { kind: "stream-ended" };
  const parser = createEventStreamParser(({ data }) => {
    if (answer !== null) return;
    if (createJsonScanner(MAX_JSON_DEPTH).push(data) === "too-deep") {
      answer = { kind: "too-deep" };
      return;
    }
    // An event that is no JSON is a server's own affair: another may follow.
    const body = parse(data);
    if (body === undefined) return;
    announce(body, options);
    const found = withText(findAnswer(body, options.id), { text: data, body, options });
    if (isExact(found)) answer = found;
    else if (found.kind !== "other-json" && fallback.kind !== "error") fallback = found;
  });
  return {
    push(text) {
      parser.push(text);
      return answer;
    },
    end() {
      parser.end();
      return answer ?? fallback;
    },
  };
}

function htmlReader(): Reader {
  const html: Answer = { kind: "html" };
  return { push: () => html, end: () => html };
}

/** Says JSON and does not begin like a message. */
function brokenReader(): Reader {
  const broken: Answer = { kind: "bad-json" };
  return { push: () => broken, end: () => broken };
}

function textReader(): Reader {
  let text = "";
  const end = (): Answer => ({ kind: "text", sample: quotable(text) });
  return {
    push(piece) {
      text += piece;
      return text.length >= MAX_SAMPLE_BYTES ? end() : null;
    },
    end,
  };
}

/** A result with its own slice of the text, where that is wanted. */
function withText(
  answer: Answer,
  from: { readonly text: string; readonly body: unknown; readonly options: ReadOptions },
): Answer {
  const { text, body, options } = from;
  if (answer.kind !== "result" || options.keepText !== true) return answer;
  const isAnswer = (message: unknown) => readMessage(message, options.id)?.kind === "result";
  const message = Array.isArray(body) ? elementTexts(text)[body.findIndex(isAnswer)] : text;
  const result = message === undefined ? undefined : memberText(message, "result");
  return result === undefined ? answer : { ...answer, text: result };
}

/** Hands on whatever has a method, from a message or an array of them. */
function announce(body: unknown, options: ReadOptions): void {
  if (options.onMessage === undefined) return;
  for (const message of Array.isArray(body) ? body : [body]) {
    if (
      isJsonObject(message) &&
      typeof message.method === "string" &&
      readMessage(message, options.id) === null
    ) {
      options.onMessage(message as ServerMessage);
    }
  }
}

const NOT_YET = Promise.resolve(null);

/** Waits a moment for a body that is about to end, so that its connection can be used again; then drops it. */
export async function settle(iterator: AsyncIterator<Uint8Array>, response: ExchangeResponse): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    // Most have ended by now, and need no timer.
    const coming = iterator.next();
    if ((await Promise.race([coming, NOT_YET]))?.done === true) return;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, SETTLE_MS, null);
    });
    for (let reads = 0; reads < 4; reads++) {
      const next = await Promise.race([reads === 0 ? coming : iterator.next(), late]);
      if (next === null) break;
      if (next.done) return;
    }
    response.cancel();
  } catch {
    // The answer is in; how its body ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

function mediaType(response: ExchangeResponse): string {
  return (response.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function isJsonType(type: string): boolean {
  return type === "application/json" || type.endsWith("+json");
}
