/**
 * The MCP door: the catalog as a stateless MCP server of both eras on one endpoint, by the official SDK's handler. What the
 * SDK leaves open is here: Host and Origin, CORS for pages of allowed origins, a bounded body read once, and the
 * methods that a stateless endpoint has not. The server mounts it at /mcp.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type CatalogContext, requestIdOf } from "../../catalog/index.ts";
import {
  type ClientOf,
  createGate,
  type Door,
  type Gate,
  isJsonType,
  MCP_REQUEST_HEADERS,
  mediaType,
  PARSE_ERROR,
  parseJson,
  problems,
  publicError,
  readableByPage,
  readText,
  rpcError,
  SERVER_ERROR,
  wrongType,
} from "../../http/index.ts";
import { elementTexts, type JsonValue, OpenMcpError, withExactNumbersAt } from "../../spec/index.ts";
import { catalogServer } from "./catalog-server.ts";
import { MAX_LISTEN_STREAMS, MAX_MESSAGE_BYTES } from "./limits.ts";
import { tools } from "./tools.ts";

export interface McpDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's budgets are drawn on. */
  readonly clientOf?: ClientOf;
}

export interface McpDoor extends AsyncDisposable {
  readonly fetch: Door;
  /** The tools' names, for the catalog's own descriptor. */
  readonly tools: readonly string[];
  /** Ends what is under way. Idempotent. */
  close(): Promise<void>;
}

const ENDPOINT = /^\/mcp\/?$/;
const METHODS = "POST, OPTIONS";
const ACCESS = {
  methods: METHODS,
  requestHeaders: MCP_REQUEST_HEADERS,
  exposed: "MCP-Protocol-Version, Mcp-Session-Id",
};
/** Of a tools/call: the arguments for the relay's tool, and the answers to what it asked for. */
const FORWARDED = [
  ["params", "arguments", "arguments"],
  ["params", "inputResponses"],
];

/** `fetch` is the door; close it at shutdown: it holds open streams. */
export function mcpDoor({ context, gate: given, clientOf }: McpDoorOptions): McpDoor {
  const gate = given ?? createGate({ url: context.identity.url });
  /** What the adapter handed on beside a request: the handler passes the request only. */
  const envs = new WeakMap<Request, unknown>();
  const handler = createMcpHandler(
    ({ era, requestInfo: request }) =>
      catalogServer(context, {
        era,
        client: () => (request === undefined ? null : (clientOf?.(request, envs.get(request)) ?? null)),
      }),
    {
      maxSubscriptions: MAX_LISTEN_STREAMS,
      onerror(error) {
        context.logger.debug({ err: error }, "an MCP message was refused");
      },
    },
  );
  let closing: Promise<void> | null = null;

  async function serve(request: Request, env: unknown): Promise<Response> {
    gate.checkHost(request);
    gate.checkOrigin(request);
    if (!ENDPOINT.test(new URL(request.url).pathname)) {
      throw new OpenMcpError("not-found", "there is nothing here; the MCP endpoint is /mcp");
    }
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: METHODS } });
    if (request.method !== "POST") return methodRefused(request.method);
    if (closing !== null) throw new OpenMcpError("unavailable", "the catalog is shutting down");
    const type = mediaType(request);
    if (!isJsonType(type)) throw wrongType("send JSON-RPC as application/json", type);
    envs.set(request, env);
    // Read here, once: the handler would clone the request to read it twice.
    const text = await readText(request, { maxBytes: MAX_MESSAGE_BYTES });
    const response = await handler.fetch(request, { parsedBody: exactWhereForwarded(text, parseJson(text)) });
    // Whether a connection stays open is between the socket and its peer: the SDK's own word would keep one open that the
    // peer, or a stop, wants closed.
    response.headers.delete("connection");
    return response;
  }

  async function fetch(request: Request, env?: unknown): Promise<Response> {
    try {
      return readableByPage(request, await serve(request, env), ACCESS);
    } catch (error) {
      const response = refused(error);
      // To a page of a foreign origin it stays unreadable.
      return response.status === 403 ? response : readableByPage(request, response, ACCESS);
    }
  }

  function refused(error: unknown): Response {
    const told = publicError(error, requestIdOf(context));
    if (told.requestId !== undefined) {
      context.logger.error({ err: error, requestId: told.requestId }, "an MCP request failed");
    }
    const code = told.data.field === "body" && told.code === "invalid-input" ? PARSE_ERROR : SERVER_ERROR;
    return rpcError(problems[told.code].status, {
      code,
      message: told.message,
      data: { code: told.code },
    });
  }

  const close = () => {
    closing ??= handler.close();
    return closing;
  };
  return { fetch, tools: tools.map((tool) => tool.listing.name), close, [Symbol.asyncDispose]: close };
}

/** What goes on to a relay keeps every digit: a double would make another number of a long one, and `null` of 1e400. */
function exactWhereForwarded(text: string, body: JsonValue): JsonValue {
  if (Array.isArray(body)) {
    const texts = elementTexts(text);
    return body.map((message, index) => exactWhereForwarded(texts[index] ?? "", message));
  }
  return FORWARDED.reduce((message, path) => withExactNumbersAt(text, message, path), body);
}

/** MCP 2025-11-25 "Transports": no stream to GET, no session to DELETE. */
function methodRefused(method: string): Response {
  const message = `${method.slice(0, 20)} is not answered here: this MCP endpoint is stateless, POST to it`;
  return rpcError(405, { code: SERVER_ERROR, message, headers: { allow: METHODS } });
}
