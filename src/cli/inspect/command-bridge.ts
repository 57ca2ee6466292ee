/**
 * Streamable HTTP in front of a command that speaks over its standard streams, for pages of this machine: each page has a process of
 * its own, which ends with it. Sessions are the older era's; in the newer one each request stands for itself.
 */
import { randomUUID } from "node:crypto";
import { readText } from "../../http/index.ts";
import { isOpenMcpError, type JsonObject } from "../../spec/index.ts";
import { type Conversation, type ConversationOptions, messageOf, openConversation } from "./conversation.ts";
import { MAX_CONVERSATIONS, MAX_MESSAGE_BYTES } from "./limits.ts";
import type { Upstream } from "./upstream.ts";

export interface CommandBridgeOptions extends Omit<ConversationOptions, "session"> {
  /** Why no process could be started: for the terminal, since a page may be looked at by somebody else. */
  readonly failed: (why: string) => void;
}

export function createCommandBridge(options: CommandBridgeOptions): Upstream {
  /** By page; the one that was used last is last. */
  const conversations = new Map<string, Conversation>();
  const ending = new Set<Promise<void>>();

  async function open(page: string, session: string | null): Promise<Conversation> {
    end(page);
    const made = await openConversation({ ...options, session });
    conversations.set(page, made);
    for (const [other, conversation] of [...conversations]) {
      if (conversations.size > MAX_CONVERSATIONS && other !== page && !conversation.busy) end(other);
    }
    return made;
  }

  /** Nobody waits for a process to end, but the end of it all. */
  function end(page: string): void {
    const known = conversations.get(page);
    conversations.delete(page);
    if (known === undefined) return;
    const closing = known.close().finally(() => ending.delete(closing));
    ending.add(closing);
  }

  async function post(request: Request, page: string): Promise<Response> {
    const text = await readText(request, { maxBytes: MAX_MESSAGE_BYTES });
    const message = messageOf(text);
    if (message === null) return refusal(400, "the body is no JSON-RPC message");
    // The command reads lines; outside strings a line's end means nothing.
    const line = text.replace(/[\r\n]+/g, " ");
    const conversation = await conversationFor(request, { page, message });
    if (conversation === null) return refusal(404, "this session is over");
    if (message.method !== undefined && message.id !== undefined) return conversation.request(message, line);
    conversation.tell(line);
    return new Response(null, { status: 202 });
  }

  async function conversationFor(
    request: Request,
    { page, message }: { readonly page: string; readonly message: JsonObject },
  ): Promise<Conversation | null> {
    const known = conversations.get(page);
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return known?.session === session && !known.over ? known : null;
    if (message.method === "initialize") return open(page, randomUUID());
    return known === undefined || known.over || known.session !== null ? open(page, null) : known;
  }

  return {
    async fetch(request, page) {
      try {
        if (request.method === "POST") return await post(request, page);
        const known = conversations.get(page);
        const session = request.headers.get("mcp-session-id");
        if (request.method === "GET") {
          if (session === null) return refusal(405, "nothing is said unasked without a session");
          return known?.session === session && !known.over
            ? known.listen()
            : refusal(404, "this session is over");
        }
        if (request.method !== "DELETE") return refusal(405, "POST, GET or DELETE");
        if (known?.session === session) end(page);
        return new Response(null, { status: 204 });
      } catch (error) {
        if (!isOpenMcpError(error)) throw error;
        if (error.code === "invalid-input") options.failed(error.message);
        return refusal(error.code === "too-large" ? 413 : 502, error.message);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const page of [...conversations.keys()]) end(page);
      await Promise.all(ending);
    },
  };
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status });
}
