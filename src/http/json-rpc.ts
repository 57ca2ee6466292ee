/**
 * What an MCP endpoint says outside the protocol's own messages, for the catalog's door and a relay of the kit alike: JSON-RPC errors
 * about a request as a whole, and which pages may read an answer. The SDK's handler answers everything else.
 */
export const PARSE_ERROR = -32700;
export const SERVER_ERROR = -32000;

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
  readonly id?: string | number | null;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error about a request as a whole (JSON-RPC 2.0 section 5.1: the id is null where none could be read). */
export function rpcError(status: number, { code, message, data, id = null, headers }: RpcFailure): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message, data }, id }), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

export interface PageAccess {
  /** Methods of the endpoint, commas between. */
  readonly methods: string;
  /** Headers that a page may send, commas between. */
  readonly requestHeaders: string;
  /** Headers of the answer that it may read, commas between. */
  readonly exposed: string;
  /** `Mcp-Param-*` may be sent too, as a preflight names them: a server's own tools name them. */
  readonly parameters?: boolean;
}

/** What MCP clients send; a page may send no other header of its own. */
export const MCP_REQUEST_HEADERS =
  "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";

/** A page whose origin passed the gate may read the answer; requests that no page sent stay as they are. */
export function readableByPage(request: Request, response: Response, access: PageAccess): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "Origin");
  headers.set("access-control-expose-headers", access.exposed);
  if (request.method === "OPTIONS") {
    const parameters = access.parameters === true ? parametersAsked(request) : [];
    headers.set("access-control-allow-methods", access.methods);
    headers.set("access-control-allow-headers", [access.requestHeaders, ...parameters].join(", "));
    headers.set("access-control-max-age", "86400");
  }
  return new Response(response.body, { status: response.status, headers });
}

function parametersAsked(request: Request): readonly string[] {
  const asked = (request.headers.get("access-control-request-headers") ?? "").slice(0, 2_000).split(",");
  return asked.map((name) => name.trim()).filter((name) => /^mcp-param-[\w-]{1,64}$/i.test(name));
}
