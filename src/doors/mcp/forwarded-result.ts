/**
 * Passing another server's tool result on untouched (wire.md "MCP": `call_tool` gives the relay's own result).
 * The SDK checks every result by its own schemas: it refuses content of a kind it does not know and drops keys that it
 * does not know. So the handler answers a placeholder, and the result takes its place when the message is sent.
 */
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { FAILURE_META_KEY, isJsonObject, type JsonObject } from "../../spec/index.ts";
import { isInputRequired } from "./input-required.ts";

export interface Forwarding {
  /** Keeps `result` for the answer to the request with this id; gives what the handler has to return. */
  hold(id: string | number, result: JsonObject): { readonly content: [] };
  /** Gives the server's transport the sending side of it. Call it once, before the server is connected. */
  attach(server: Server): void;
}

export function createForwarding(): Forwarding {
  const held = new Map<string | number, JsonObject>();

  function withHeld(message: JSONRPCMessage): JSONRPCMessage {
    if (!("result" in message) || message.id === undefined) return message;
    const result = held.get(message.id);
    if (result === undefined) return message;
    held.delete(message.id);
    return { ...message, result: merged(message.result as JsonObject, result) } as JSONRPCMessage;
  }

  return {
    hold(id, result) {
      held.set(id, result);
      return { content: [] };
    },
    attach(server) {
      const connect = server.connect.bind(server);
      server.connect = (transport: Transport) => {
        const send = transport.send.bind(transport);
        transport.send = (message, options) => send(withHeld(message), options);
        return connect(transport);
      };
    },
  };
}

/**
 * The relay's keys win; what the era demands of our own answer (`resultType`, who served it) is added where it is missing. Taken
 * off are the mark of a catalog's own failures, which speaks for the catalog that answers, and a relay may be one too; and a `_meta`
 * that is no object (some serialisers write `null`): the transport would not know the message as an answer, and send none.
 */
function merged(ours: JsonObject, { _meta: theirMeta, ...theirs }: JsonObject): JsonObject {
  const meta = {
    ...(isJsonObject(ours._meta) ? ours._meta : {}),
    ...(isJsonObject(theirMeta) ? theirMeta : {}),
  };
  delete meta[FAILURE_META_KEY];
  // A result without content is read as one of none, but a question for more input has no content at all.
  const { content, ...rest } = ours;
  const base = isInputRequired(theirs) || content === undefined ? rest : { content, ...rest };
  return { ...base, ...theirs, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) };
}
