/** A stream of events with one message each (HTML standard, "Server-sent events"), as Streamable HTTP has it. */

export interface EventStream {
  readonly response: Response;
  send(message: string): void;
  /** Idempotent. */
  end(): void;
}

export function openEventStream(options: {
  readonly headers: Readonly<Record<string, string>>;
  /** Whoever read it went away. */
  readonly left: () => void;
}): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      controller = null;
      options.left();
    },
  });
  return {
    response: new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", ...options.headers },
    }),
    // A message is one line: it came as one.
    send: (message) => controller?.enqueue(encoder.encode(`event: message\ndata: ${message}\n\n`)),
    end() {
      controller?.close();
      controller = null;
    },
  };
}
