/** What the endpoint says itself: JSON-RPC errors as HTTP answers, and who may read them. */
import type { JsonValue } from "../spec/index.ts";

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INTERNAL_ERROR = -32603;
export const SERVER_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly id?: string | number | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error about a request as a whole (JSON-RPC 2.0 section 5.1: the id is null where none could be read). */
export function rpcError(status: number, { code, message, id = null, headers }: RpcFailure): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id }), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** The id to answer with: of a single request, else null. */
export function idOf(body: JsonValue | undefined): string | number | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { id, method } = body as { readonly id?: unknown; readonly method?: unknown };
  if (typeof method !== "string") return null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

const METHODS = "GET, POST, DELETE, OPTIONS";
/** What MCP clients send, the kit's own credential headers among it; a page may send no other header of its own. */
const REQUEST_HEADERS =
  "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, Traceparent, Tracestate";

/** Methods that the endpoint answers, for `Allow`. */
export const ENDPOINT_METHODS = METHODS;

/**
 * A page whose origin passed the gate may read the answer; requests that no page sent stay as they are. A preflight is told which
 * headers it may send: those that MCP has, and `Mcp-Param-*` ones that it asks for, which are named by the server's own tools.
 */
export function readableBy(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "Origin");
  headers.set("access-control-expose-headers", "MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate");
  if (request.method === "OPTIONS") {
    const asked = (request.headers.get("access-control-request-headers") ?? "").slice(0, 2_000).split(",");
    const parameters = asked
      .map((name) => name.trim())
      .filter((name) => /^mcp-param-[\w-]{1,64}$/i.test(name));
    headers.set("access-control-allow-methods", METHODS);
    headers.set("access-control-allow-headers", [REQUEST_HEADERS, ...parameters].join(", "));
    headers.set("access-control-max-age", "86400");
  }
  return new Response(response.body, { status: response.status, headers });
}
