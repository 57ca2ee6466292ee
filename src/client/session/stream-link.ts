/**
 * MCP over a pair of byte streams that somebody else opened: a process, a socket, a worker. Messages are lines of JSON (MCP "stdio"),
 * whatever the chunks; a line that is none is passed over and kept for the error.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { EXCERPT_CHARS, MAX_LINE_BYTES } from "../limits.ts";
import { type Link, transportLink } from "./link.ts";
import { createLineScanner, type LineFacts, type LineScanner } from "./long-line.ts";

/** The streams to a server: what it writes is read here, what is written here it reads. */
export interface Streams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

export function isStreams(target: object): target is Streams {
  return "readable" in target && "writable" in target;
}

export function streamLink(streams: Streams, label = "The server"): Link {
  let stray: string | null = null;
  const onStray = (line: string): void => {
    stray ??= line.slice(0, EXCERPT_CHARS);
  };
  const transport = streamTransport(streams, { onStray });
  return Object.assign(transportLink(transport, { kind: "streams", label }), {
    evidence: () => ({ stray }),
  });
}

export function streamTransport(
  { readable, writable }: Streams,
  {
    onStray,
    onTooLong,
    beforeClose = () => Promise.resolve(),
  }: {
    readonly onStray: (line: string) => void;
    /** Told of a message that was passed over for its length; absent: such a message ends the connection. */
    readonly onTooLong?: (facts: LineFacts) => void;
    /** When nothing more will be read: what is still to be written is. */
    readonly beforeClose?: () => Promise<void>;
  },
): Transport {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let closed = false;

  const transport: Transport & { readonly stderr: null; readonly pid: null } = {
    // By these two the SDK knows a local pipe: silence there is an old server, and no outage.
    stderr: null,
    pid: null,
    async start() {
      void read();
    },
    async send(message) {
      await writer.write(encoder.encode(`${JSON.stringify(message)}\n`));
    },
    async close() {
      if (closed) return;
      closed = true;
      await writer.close().catch(() => undefined);
      await reader.cancel().catch(() => undefined);
      transport.onclose?.();
    },
  };

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let waiting = "";
    let passing: LineScanner | null = null;
    const add = (text: string): void => {
      if (passing === null) waiting += text;
      else passing.take(text);
      if (waiting.length <= MAX_LINE_BYTES) return;
      if (onTooLong === undefined) throw new Error(`A message is over ${MAX_LINE_BYTES} bytes.`);
      passing = createLineScanner();
      passing.take(waiting);
      waiting = "";
    };
    const end = (): void => {
      if (passing === null) take(waiting);
      else onTooLong?.(passing.facts());
      passing = null;
      waiting = "";
    };
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (const [at, text] of decoder.decode(value, { stream: true }).split("\n").entries()) {
          if (at > 0) end();
          add(text);
        }
      }
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await beforeClose();
    await transport.close();
  }

  function take(line: string): void {
    const text = line.trim();
    if (text === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      onStray(text);
      return;
    }
    if (typeof message === "object" && message !== null) transport.onmessage?.(message as JSONRPCMessage);
    else onStray(text);
  }

  return transport;
}
