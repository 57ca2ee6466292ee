/**
 * A host that speaks over streams, and a server over HTTP: `openmcp connect`. Which way messages are carried is decided by the host's
 * first message and the server's answer to it; the host never notices.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../spec/index.ts";
import {
  BRIDGE_DRAIN_MS,
  HOST_END_MS,
  MAX_LINE_BYTES,
  MAX_WAITING_BYTES,
  READ_TIMEOUT_MS,
} from "../limits.ts";
import { httpLink, readEndpoint } from "../session/http-link.ts";
import { type Streams, streamTransport } from "../session/stream-link.ts";
import type { Fetch } from "../settings.ts";
import { type Carrier, type CarryOptions, carry } from "./carry.ts";
import { frameOf, refusal } from "./frames.ts";
import { createOutbox, pacedFetch } from "./outbox.ts";
import { translate } from "./translate.ts";

export interface BridgeOptions {
  /** Sent as `Authorization: Bearer`, to the endpoint's origin only. */
  readonly token?: string | undefined;
  /** Sent with every request, to the endpoint's origin only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default `globalThis.fetch`. One without a limit for silence: a call may take long. */
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told in a sentence, free of secrets, of what the host is not told of. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** The headers that a tool's definition wants of its arguments (MCP 2026-07-28, `x-mcp-header`). */
  readonly parameterHeaders?:
    | ((tool: JsonObject, args: JsonObject) => Readonly<Record<string, string>>)
    | undefined;
}

const TOO_LONG = `The application's message is over ${MAX_LINE_BYTES / 1024 / 1024} MiB: none that long is carried.`;

/**
 * Carries until the host hangs up or the signal comes; then answers under way are waited for, a while, and the session is ended.
 * Failures on the way are the host's answers. Rejects with `invalid-input` for what is no endpoint.
 */
export async function bridge(
  host: Streams,
  endpoint: string | URL,
  options: BridgeOptions = {},
): Promise<void> {
  const url = readEndpoint(endpoint);
  const ended = Promise.withResolvers<void>();
  const note = options.onNote ?? (() => undefined);
  const stop = (): void => ended.resolve();
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted === true) stop();

  const drained = Promise.withResolvers<void>();
  const transport = streamTransport(host, {
    onStray: (line) => note(`The host wrote "${line.slice(0, 60)}", which is no message.`),
    onTooLong: ({ id, asks }) => {
      const error = { code: -32000, message: TOO_LONG };
      // Whoever waits for it is told: the host for its answer, the server for the host's.
      if (id !== null && asks) toHost.put(refusal(id, error));
      else if (id !== null) take(refusal(id, error));
      else note(TOO_LONG);
    },
    // The host said all that it will, and still reads: what is under way is answered.
    beforeClose: () => {
      ended.resolve();
      return drained.promise;
    },
  });
  const toHost = createOutbox((message) => transport.send(message), {
    maxBytes: MAX_WAITING_BYTES,
    onLost: () => ended.resolve(),
  });
  /** What came behind an `initialize` that is not answered yet: no server takes it before. */
  let held: JSONRPCMessage[] | null = null;
  let greeting: unknown;
  const flush = (): void => {
    const waiting = held ?? [];
    held = null;
    for (const message of waiting) take(message);
  };
  const take = (message: JSONRPCMessage): void => {
    const frame = frameOf(message);
    if (held !== null) held.push(message);
    else {
      if (frame.kind === "request" && frame.method === "initialize") {
        held = [];
        greeting = frame.id;
      }
      carrier.take(message);
    }
  };
  const send: CarryOptions["send"] = (message) => {
    toHost.put(message);
    const frame = frameOf(message);
    // One that is taken over by another carrier goes on when that is in its place.
    if (held !== null && !translating && frame.kind === "response" && frame.id === greeting) flush();
  };
  let translating = false;
  const how: CarryOptions = {
    open: ({ raw }) =>
      httpLink(url, {
        raw,
        token: options.token,
        headers: options.headers,
        fetch: pacedFetch(options.fetch ?? ((input, init) => globalThis.fetch(input, init)), toHost.room),
        degraded: true,
        patient: true,
      }),
    send,
    note,
    parameterHeaders: options.parameterHeaders ?? (() => ({})),
    async onOldRefused(request) {
      translating = true;
      const translated = await translate(request, how, { timeoutMs: READ_TIMEOUT_MS });
      translating = false;
      if (translated === null) return false;
      const before = carrier;
      carrier = translated;
      void before.close().catch(() => undefined);
      flush();
      return true;
    },
  };
  let carrier: Carrier = await carry(how);
  const idle = async (): Promise<void> => {
    for (;;) {
      const at = carrier;
      await at.settled();
      if (at === carrier && held === null) return;
    }
  };
  transport.onmessage = take;
  transport.onerror = (error) => note(error.message);
  transport.onclose = () => ended.resolve();
  await transport.start();
  await ended.promise;

  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, options.signal?.aborted === true ? 0 : BRIDGE_DRAIN_MS);
  });
  await Promise.race([idle(), late]);
  clearTimeout(timer);
  await carrier.close().catch(() => undefined);
  const taken = await toHost.drained(HOST_END_MS);
  drained.resolve();
  options.signal?.removeEventListener("abort", stop);
  const closing = transport.close();
  // To a host that reads nothing there is no end of writing, and no waiting for it.
  if (taken) await closing;
}
