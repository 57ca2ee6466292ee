/**
 * A user's `tools/list`, for the documents: asked of the relay's own endpoint, as a client would, so that they can never show
 * another tool, or in another order, than a client of that user sees.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import type { OpenApiTool } from "../../openapi/index.ts";
import { isJsonObject, type JsonObject, OpenMcpError } from "../../spec/index.ts";
import { setScope } from "../call-scope.ts";
import { MAX_TOOL_PAGES } from "../limits.ts";
import type { Viewer } from "../visibility.ts";

/** The revision that documents are read in. */
const REVISION = "2026-07-28";

/** Answers a request of the modern era whose scope is set. */
export type ServeModern = (
  request: Request,
  asked: { readonly body: JsonObject; readonly viewer: Viewer<unknown> },
) => Promise<Response>;

/** @throws OpenMcpError `internal` when the list can't be had: a predicate or the server failed. */
export async function readTools(
  request: Request,
  { viewer, serve }: { readonly viewer: Viewer<unknown>; readonly serve: ServeModern },
): Promise<readonly OpenApiTool[]> {
  const tools: OpenApiTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const result = await ask("tools/list", cursor === undefined ? {} : { cursor });
    if (Array.isArray(result.tools)) tools.push(...(result.tools as OpenApiTool[]));
    const next = result.nextCursor;
    if (typeof next !== "string" || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return tools;

  async function ask(method: string, params: JsonObject): Promise<JsonObject> {
    return askServer(request, { method, params, viewer, serve });
  }
}

/** One question to the relay's own server, with the credential that came with `request`. */
export async function askServer(
  request: Request,
  {
    method,
    params = {},
    viewer,
    serve,
  }: {
    readonly method: string;
    readonly params?: JsonObject;
    readonly viewer: Viewer<unknown>;
    readonly serve: ServeModern;
  },
): Promise<JsonObject> {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: REVISION,
    [CLIENT_CAPABILITIES_META_KEY]: {},
    [CLIENT_INFO_META_KEY]: { name: "openmcp-kit", version: "1" },
  };
  const body = { jsonrpc: "2.0", id: 0, method, params: { ...params, _meta } };
  const headers = new Headers(request.headers);
  for (const name of ["content-length", "transfer-encoding", "if-none-match"]) headers.delete(name);
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  headers.set("mcp-protocol-version", REVISION);
  headers.set("mcp-method", method);
  const own = new Request(request.url, { method: "POST", headers, signal: request.signal });
  setScope(own, { viewer, session: null, request, wanted: method === "tools/list" ? "all" : new Set() });
  const response = await serve(own, { body, viewer });
  const text = await response.text();
  const answer: unknown = response.ok && text !== "" ? JSON.parse(messageOf(text)) : null;
  if (isJsonObject(answer) && isJsonObject(answer.result)) return answer.result;
  const code = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error.code : undefined;
  // A server without tools knows no such method.
  if (code === -32601 || response.status === 404) return {};
  throw new OpenMcpError("internal", `the server's own ${method} failed with ${response.status}`);
}

/** The last message, where a server that logs made a stream of it. */
function messageOf(text: string): string {
  const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return data ?? text;
}
