/**
 * Everything around the endpoint: the documents, the Explorer's place, health. Each part answers GET and HEAD and changes nothing.
 * Published documents are open to any origin; what shows tools asks for the user first.
 */

import { publishedReply, readCors, withoutRead } from "../../http/index.ts";
import { AI_CATALOG_PATH, DESCRIPTOR_PATH, DRAFT_CARD_PATH, MCP_CATALOG_PATH } from "../../spec/index.ts";
import type { Documents, DocumentText } from "../description.ts";
import type { ServeOptions } from "../options.ts";
import type { Part, Paths } from "./route.ts";

/** The paths of the parts that are on. */
export function pathsOf(options: ServeOptions<never, never>): Paths {
  const endpoint = endpointPath(options);
  const { openapi, explorer, health } = options;
  const explorerPath = explorer === false ? null : (explorer?.path ?? "/explorer");
  const all: readonly (readonly [Part, string | null])[] = [
    [
      "openapi",
      openapi === false ? null : `${endpoint}/${(openapi?.path ?? "openapi.json").replace(/^\/+/, "")}`,
    ],
    ["server-card", options.serverCard === false ? null : `${endpoint === "/" ? "" : endpoint}/server-card`],
    ["descriptor", options.descriptor === false ? null : DESCRIPTOR_PATH],
    ["draft-card", options.serverCard === false ? null : DRAFT_CARD_PATH],
    ["mcp-catalog", options.mcpCatalog === false ? null : MCP_CATALOG_PATH],
    ["ai-catalog", options.aiCatalog === false ? null : AI_CATALOG_PATH],
    ["oauth", options.oauth === undefined ? null : "/.well-known/oauth-protected-resource"],
    ["health", health === false ? null : (health ?? "/health")],
    ["endpoint", endpoint],
    ["explorer", explorerPath],
    ["root", explorer !== false && explorer?.redirectRoot === true ? "/" : null],
  ];
  return new Map(all.flatMap(([part, path]) => (path === null ? [] : [[part, path] as const])));
}

export function endpointPath({ path = "/mcp" }: { readonly path?: string | undefined }): string {
  const plain = `/${path.replace(/^\/+|\/+$/g, "")}`;
  return plain;
}

const DOCUMENT_OF: Partial<Record<Part, keyof Documents>> = {
  descriptor: "descriptor",
  "server-card": "serverCard",
  "draft-card": "serverCard",
  "mcp-catalog": "mcpCatalog",
  "ai-catalog": "aiCatalog",
};

/** The document that a part is; null for other parts. */
export function documentOf(part: Part, documents: Documents): DocumentText | null {
  const name = DOCUMENT_OF[part];
  return name === undefined ? null : documents[name];
}

export function isDocument(part: Part): boolean {
  return DOCUMENT_OF[part] !== undefined;
}

export function documentReply(request: Request, make: () => DocumentText): Response {
  return withoutRead(request) ?? publishedReply(request, make());
}

/** 200 while it takes requests; 503 when it is stopping, so that a balancer looks elsewhere. */
export function healthReply(request: Request, stopping: boolean): Response {
  const other = withoutRead(request);
  if (other !== null) return other;
  const body = JSON.stringify({ status: stopping ? "stopping" : "ok" });
  return new Response(request.method === "HEAD" ? null : body, {
    status: stopping ? 503 : 200,
    headers: { ...readCors, "content-type": "application/json", "cache-control": "no-store" },
  });
}
