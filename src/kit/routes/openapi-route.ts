/**
 * `openapi.json` beside the endpoint: the tools of whoever asks, as OpenAPI 3.1. The tag is of the document as this user sees it; a
 * predicate that fails gives no document, never a fuller one.
 */
import { methodNotAllowed, noneMatch, optionsReply, readCors, strongEtag } from "../../http/index.ts";
import { type OpenApiInfo, toolsToOpenApi } from "../../openapi/index.ts";
import type { OpenApiOptions } from "../options.ts";
import type { Viewer } from "../visibility.ts";
import { readTools, type ServeModern } from "./read-tools.ts";

const OPENAPI_TYPE = "application/vnd.oai.openapi+json";
const READS = ["GET", "HEAD"];

export interface OpenApiRouteOptions {
  readonly options: OpenApiOptions;
  readonly serve: ServeModern;
  /** Some requests are somebody's: nothing is for shared caches. */
  readonly personal: boolean;
}

export interface OpenApiQuestion {
  readonly viewer: Viewer<unknown>;
  readonly info: OpenApiInfo;
  /** The endpoint's path or URL as its callers see it. */
  readonly endpoint: string;
}

export type OpenApiRoute = (request: Request, question: OpenApiQuestion) => Promise<Response>;

/** The answer to what reads nothing and so needs no user: OPTIONS and wrong methods; null for GET and HEAD. */
export function withoutDocument(request: Request): Response | null {
  if (READS.includes(request.method)) return null;
  if (request.method === "OPTIONS") return optionsReply(READS);
  throw methodNotAllowed(request.method.slice(0, 20), READS);
}

export function createOpenApiRoute({ options, serve, personal }: OpenApiRouteOptions): OpenApiRoute {
  return async (request, { viewer, info, endpoint }) => {
    const tools = await readTools(request, { viewer, serve });
    const document = toolsToOpenApi({ ...info, ...options.info }, tools, {
      endpoint,
      ...(options.pathStyle === undefined ? {} : { pathStyle: options.pathStyle }),
      ...(options.servers === undefined ? {} : { servers: options.servers }),
    });
    const type = prefersPlainJson(request.headers.get("accept")) ? "application/json" : OPENAPI_TYPE;
    const body = JSON.stringify(document);
    // Two types of one document are two representations, and need two strong tags (RFC 9110 section 8.8.3).
    const etag = strongEtag(`${type}\n${body}`);
    const headers: Record<string, string> = {
      ...readCors,
      etag,
      "cache-control": personal ? "private, no-cache" : "no-cache",
      vary: personal ? "Accept, Authorization, Cookie" : "Accept",
      "x-content-type-options": "nosniff",
    };
    if (noneMatch(request.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    headers["content-type"] = type;
    return new Response(request.method === "HEAD" ? null : body, { headers });
  };
}

/** `application/json` is named before the document's own type, and before a wildcard. */
function prefersPlainJson(accept: string | null): boolean {
  const first = (accept ?? "").split(",", 1)[0]?.split(";", 1)[0]?.trim().toLowerCase();
  return first === "application/json";
}
