/**
 * Everything around the endpoint: the documents, the Explorer's place, health. Each part answers GET and HEAD and changes nothing.
 * Published documents are open to any origin; what shows tools asks for the user first.
 */

import { publishedReply, readCors, withoutRead } from "../../http/index.ts";
import type { Documents, DocumentText } from "../description.ts";
import type { Part } from "./route.ts";

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
