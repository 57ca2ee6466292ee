/**
 * `/v1/relays/:id/mcp`: POST, GET and DELETE of Streamable HTTP, passed on to one listed relay and back as it answers. Host, Origin and
 * CORS are those of the catalog's own MCP endpoint; errors of the catalog are problem documents, which no relay's answer ever is. The
 * server asks `serves` before the REST door gets a path, and closes it at a stop: streams have no end of their own.
 */
import {
  type CatalogContext,
  openPassage,
  operations,
  type Passage,
  type PassageInput,
  readInput,
  requestIdOf,
} from "../../catalog/index.ts";
import {
  type ClientOf,
  createFailures,
  createGate,
  type Door,
  type Gate,
  isJsonType,
  MCP_REQUEST_HEADERS,
  mediaType,
  methodNotAllowed,
  PROBLEM_TYPE,
  parseJson,
  problemText,
  RELAY_CREDENTIAL_HEADER,
  rateLimitHeaders,
  readableByPage,
  readText,
  relayCredential,
  wrongType,
} from "../../http/index.ts";
import { type BudgetStanding, isJsonObject, type JsonValue, OpenMcpError } from "../../spec/index.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { createPassageStream, type PassageStream } from "./passage-stream.ts";

export interface PassageDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's budgets are drawn on. */
  readonly clientOf?: ClientOf;
}

export interface PassageDoor extends AsyncDisposable {
  /** True for the paths of this door. */
  serves(url: string): boolean;
  /** Of `env`, what the adapter hands on, only the connection is used, to cut it (`outgoing.destroy`). */
  readonly fetch: Door;
  /** Answers on their way now. */
  readonly streams: number;
  /** Ends what clients only listen to, and takes no more requests; answers to messages go on. Idempotent. */
  endListening(): void;
  /** Ends every stream and takes no more. Idempotent. */
  close(): Promise<void>;
}

const PATH = /^[a-z]+:\/\/[^/?#]*\/v1\/relays\/([^/?#]+)\/mcp\/?(?:[?#]|$)/;
const ROUTE = "/v1/relays/:id/mcp";
const METHODS = ["POST", "GET", "DELETE"] as const;
const ACCESS = {
  methods: `${METHODS.join(", ")}, OPTIONS`,
  requestHeaders: `${MCP_REQUEST_HEADERS}, ${RELAY_CREDENTIAL_HEADER}`,
  exposed: "MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy",
  parameters: true,
};
/** Nothing between may keep it, compress it or wait for more of it, and a page that is led here shows it as nothing but text. */
const HEADERS = {
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
} as const;

export function passageDoor({ context, gate: given, clientOf }: PassageDoorOptions): PassageDoor {
  const gate = given ?? createGate({ url: context.identity.url });
  const { logger, clock } = context;
  const failed = createFailures({ logger, newId: requestIdOf(context), message: "a passage failed" });
  const open = new Map<PassageStream, string>();
  let closed = false;

  async function answer(request: Request, env: unknown): Promise<Response> {
    let standing: BudgetStanding | null = null;
    const budget = (): Record<string, string> => (standing === null ? {} : rateLimitHeaders(standing));
    try {
      logger.note?.({ route: ROUTE });
      gate.checkHost(request);
      gate.checkOrigin(request);
      if (request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow: ACCESS.methods } });
      if (closed) throw new OpenMcpError("unavailable", "the catalog is stopping");
      const passage = await openPassage(context, () => read(request), {
        signal: request.signal,
        admin: false,
        client: clientOf?.(request, env) ?? null,
        onBudget: (now) => {
          standing = now;
        },
      });
      return reply(passage, { budget: budget(), method: request.method, env });
    } catch (error) {
      return failed(error, { request, headers: budget() });
    }
  }

  function reply(
    passage: Passage,
    {
      budget,
      method,
      env,
    }: { readonly budget: Record<string, string>; readonly method: string; readonly env: unknown },
  ): Response {
    const headers = { ...HEADERS, ...passage.headers, ...budget };
    const { status } = passage;
    if (passage.kind === "status") {
      const code = status === 401 || status === 403 ? "relay-refused" : "relay-unreachable";
      const message = `${passage.relay}: ${passage.message}`;
      const body = problemText({ code, message, data: { relay: passage.relay } }, status);
      return new Response(body, { status, headers: { ...headers, "content-type": PROBLEM_TYPE } });
    }
    if (passage.body === null || passage.type === null) return new Response(null, { status, headers });
    const stream = createPassageStream({
      chunks: passage.body,
      clock,
      cut: () => dropped(env),
      onEnd(how, error) {
        open.delete(stream);
        passage.cancel();
        const why = error === undefined ? {} : { reason: String(error) };
        logger.debug({ relay: passage.relay, how, ...why }, "a passage ended");
      },
    });
    open.set(stream, method);
    return new Response(stream.body, { status, headers: { ...headers, "content-type": passage.type } });
  }

  function endListening(): void {
    closed = true;
    for (const [stream, method] of open) if (method === "GET") stream.close();
  }

  async function close(): Promise<void> {
    closed = true;
    for (const stream of open.keys()) stream.close();
  }

  return {
    serves: (url) => PATH.test(url),
    fetch: async (request, env) => readableByPage(request, await answer(request, env), ACCESS),
    get streams() {
      return open.size;
    },
    endListening,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws OpenMcpError for what is no request of Streamable HTTP. */
async function read(request: Request): Promise<PassageInput> {
  const method = METHODS.find((known) => known === request.method);
  if (method === undefined) throw methodNotAllowed(request.method.slice(0, 20), METHODS);
  const { id: relay } = readInput(operations.get, { id: idOf(request.url) });
  const token = relayCredential(request);
  const about = { relay, method, headers: request.headers, ...(token === null ? {} : { token }) };
  if (method === "POST") return { ...about, body: await readMessage(request) };
  // A page that embeds this as an image or a script asks for other things, and opens no stream at a relay.
  if (method === "GET" && !/\btext\/event-stream\b/i.test(request.headers.get("accept") ?? "")) {
    throw new OpenMcpError(
      "invalid-input",
      "this is a relay's MCP endpoint, for MCP clients: GET it with Accept: text/event-stream, or POST to it",
      { data: { field: "Accept" } },
    );
  }
  return about;
}

/** As it was written: every digit goes on. That it is JSON-RPC is all that is asked of it. */
async function readMessage(request: Request): Promise<string> {
  const type = mediaType(request);
  if (!isJsonType(type)) throw wrongType("send JSON-RPC as application/json", type);
  const text = await readText(request, { maxBytes: MAX_MESSAGE_BYTES });
  const body = parseJson(text);
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > 0 && messages.every(isRpc)) return text;
  throw new OpenMcpError("invalid-input", "the body must be a JSON-RPC 2.0 message", {
    data: { field: "body" },
  });
}

function isRpc(message: JsonValue): boolean {
  return isJsonObject(message) && message.jsonrpc === "2.0";
}

function idOf(url: string): string {
  const [, segment = ""] = PATH.exec(url) ?? [];
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The response's side of the connection, as the Node adapter hands it on. */
function dropped(env: unknown): boolean {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: { destroy?(): void } };
  if (typeof outgoing?.destroy !== "function") return false;
  outgoing.destroy();
  return true;
}
