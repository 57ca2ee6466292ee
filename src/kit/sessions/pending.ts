/** Which requests of a client are under way on a transport: a session that works is not idle, and a stop waits for it. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

export interface Pending {
  readonly count: number;
  /** Resolves when none is left. */
  settled(): Promise<void>;
}

type Id = string | number;

/** Watches a transport that a server was connected to. */
export function watchPending(transport: Transport, onSettled: () => void = () => {}): Pending {
  const ids = new Set<Id>();
  let waiting: (() => void)[] = [];

  function settle(id: Id): void {
    if (!ids.delete(id) || ids.size > 0) return;
    onSettled();
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if ("method" in message) {
      if ("id" in message) ids.add(message.id);
      else if (message.method === "notifications/cancelled") {
        // A cancelled request is not answered.
        const { requestId } = (message.params ?? {}) as { readonly requestId?: Id };
        if (requestId !== undefined) settle(requestId);
      }
    }
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if (!("method" in message) && message.id !== undefined) settle(message.id);
    }
  };

  return {
    get count() {
      return ids.size;
    },
    settled: () =>
      ids.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}
