/**
 * Messages on their way to a host, in their order. A host that does not read holds up the server and not this process's memory: when
 * much is waiting, no more is read of the server's answers.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Fetch } from "../settings.ts";

export interface Outbox {
  put(message: JSONRPCMessage): void;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** True when all is written; false when the time is over before. */
  drained(timeoutMs: number): Promise<boolean>;
}

export function createOutbox(
  write: (message: JSONRPCMessage) => Promise<void>,
  { maxBytes, onLost }: { readonly maxBytes: number; readonly onLost: () => void },
): Outbox {
  let writing: Promise<void> = Promise.resolve();
  let waiting = 0;
  let wakers: (() => void)[] = [];
  const settle = (bytes: number): void => {
    waiting -= bytes;
    if (waiting > maxBytes) return;
    for (const wake of wakers) wake();
    wakers = [];
  };
  return {
    put(message) {
      // Near enough: characters, and once more than the transport's own.
      const bytes = JSON.stringify(message).length;
      waiting += bytes;
      writing = writing
        .then(() => write(message))
        .catch(onLost)
        .finally(() => settle(bytes));
    },
    async room() {
      if (waiting > maxBytes) await new Promise<void>((resolve) => wakers.push(resolve));
    },
    async drained(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, timeoutMs, false);
      });
      const done = await Promise.race([writing.then(() => true), late]);
      clearTimeout(timer);
      return done;
    },
  };
}

/** Bodies that are read only while there is room. */
export function pacedFetch(fetch: Fetch, room: () => Promise<void>): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const paced = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          await room();
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(paced, { status, statusText, headers });
  };
}
