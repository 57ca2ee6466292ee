/**
 * One page's talk with one process of the command: which answer belongs to which request, and on which stream the rest goes. Messages
 * pass as they were written; ids are looked at, and nothing is changed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { type CommandProcess, startCommand } from "./command-process.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { DISCOVER_MS, MAX_WAITING } from "./limits.ts";

const METHOD_NOT_FOUND = -32_601;
const SERVER_ERROR = -32_000;
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

export interface ConversationOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: (text: string) => void;
  /** Text on standard output that is no message: such a server breaks with every client. */
  readonly stray: (text: string) => void;
  /** Null in the modern era, which has none. */
  readonly session: string | null;
}

export interface Conversation {
  readonly session: string | null;
  readonly over: boolean;
  /** Requests that wait for their answer. */
  readonly busy: boolean;
  /** A request's answer comes as a stream. */
  request(message: JsonObject, text: string): Response;
  /** A notification, or the answer to a request of the server. */
  tell(text: string): void;
  /** The stream for what the server says unasked. */
  listen(): Response;
  close(): Promise<void>;
}

interface Pending {
  readonly stream: EventStream;
  readonly id: JsonValue;
  readonly method: string;
  /** What its progress is told under; undefined where it wants none. */
  readonly token: JsonValue | undefined;
}

export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { session, stray } = options;
  const headers: Record<string, string> = session === null ? {} : { "mcp-session-id": session };
  const pending = new Map<string, Pending>();
  const waiting: string[] = [];
  let unasked: EventStream | null = null;
  let over: string | null = null;
  const child: CommandProcess = await startCommand({ ...options, line, ended });

  function line(text: string): void {
    const message = messageOf(text);
    if (message === null) {
      stray(text);
      return;
    }
    if (message.method === undefined && message.id !== undefined) {
      const asked = pending.get(keyOf(message.id));
      if (asked === undefined) return;
      pending.delete(keyOf(message.id));
      asked.stream.send(text);
      asked.stream.end();
      return;
    }
    const stream = streamFor(message);
    if (stream !== null) stream.send(text);
    else if (waiting.length < MAX_WAITING) waiting.push(text);
  }

  /** A progress belongs to its request, a change to its subscription; the rest goes where somebody listens. */
  function streamFor({ params }: JsonObject): EventStream | null {
    const given = isJsonObject(params) ? params : {};
    const meta = isJsonObject(given._meta) ? given._meta : {};
    for (const each of pending.values()) {
      if (given.progressToken !== undefined && given.progressToken === each.token) return each.stream;
      if (meta[SUBSCRIPTION_ID] !== undefined && String(meta[SUBSCRIPTION_ID]) === String(each.id))
        return each.stream;
    }
    return unasked ?? [...pending.values()].at(-1)?.stream ?? null;
  }

  function ended(why: string): void {
    over = why;
    for (const asked of pending.values()) fail(asked, { code: codeOf(asked), message: why });
    pending.clear();
    unasked?.end();
  }

  /** An old server that ends at the newer protocol's first request is one that lacks the method. */
  function codeOf({ method }: Pending): number {
    return method === "server/discover" ? METHOD_NOT_FOUND : SERVER_ERROR;
  }

  function fail({ stream, id }: Pending, error: JsonObject): void {
    stream.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
    stream.end();
  }

  return {
    session,
    get over() {
      return over !== null;
    },
    get busy() {
      return pending.size > 0 || unasked !== null;
    },
    request(message, text) {
      const { id = null, params } = message;
      const method = String(message.method);
      const key = keyOf(id);
      const meta = isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {};
      const stream = openEventStream({
        headers,
        left() {
          // Without sessions, leaving is how a request is given up; the command has to be told in words.
          if (!pending.delete(key) || session !== null) return;
          const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
          child.send(JSON.stringify(cancelled));
        },
      });
      const asked: Pending = { stream, id, method, token: meta.progressToken };
      if (over !== null) fail(asked, { code: codeOf(asked), message: over });
      else {
        pending.set(key, asked);
        child.send(text);
        if (method === "server/discover") giveUpLater(key);
      }
      return stream.response;
    },
    tell: (text) => child.send(text),
    listen() {
      unasked?.end();
      const stream = openEventStream({
        headers,
        left: () => {
          if (unasked === stream) unasked = null;
        },
      });
      unasked = stream;
      for (const text of waiting.splice(0)) stream.send(text);
      return stream.response;
    },
    async close() {
      await child.close();
      unasked?.end();
    },
  };

  function giveUpLater(key: string): void {
    const timer = setTimeout(() => {
      const asked = pending.get(key);
      if (asked === undefined || !pending.delete(key)) return;
      fail(asked, { code: METHOD_NOT_FOUND, message: "the command did not answer" });
    }, DISCOVER_MS);
    timer.unref();
  }
}

/** Ids are texts or numbers, and `1` is not `"1"`. */
function keyOf(id: JsonValue): string {
  return JSON.stringify(id);
}

export function messageOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) && value.jsonrpc === "2.0" ? value : null;
  } catch {
    return null;
  }
}
