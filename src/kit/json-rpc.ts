/** What the kit's endpoint says itself, beyond what http/json-rpc.ts has for every MCP endpoint. */
import { MCP_REQUEST_HEADERS, readableByPage } from "../http/index.ts";
import type { JsonValue } from "../spec/index.ts";

export const INVALID_REQUEST = -32600;
export const INTERNAL_ERROR = -32603;
export const SESSION_NOT_FOUND = -32001;

/** The id to answer with: of a single request, else null. */
export function idOf(body: JsonValue | undefined): string | number | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { id, method } = body as { readonly id?: unknown; readonly method?: unknown };
  if (typeof method !== "string") return null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Methods that the endpoint answers, for `Allow`. */
export const ENDPOINT_METHODS = "GET, POST, DELETE, OPTIONS";

const ACCESS = {
  methods: ENDPOINT_METHODS,
  requestHeaders: `${MCP_REQUEST_HEADERS}, Traceparent, Tracestate`,
  exposed: "MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate",
  parameters: true,
};

/** Pages of allowed origins may read the answer, and send what MCP clients send. */
export function readableBy(request: Request, response: Response): Response {
  return readableByPage(request, response, ACCESS);
}
