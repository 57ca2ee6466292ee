/**
 * A published discovery document: a descriptor, a card, a catalog's file (MCP Discovery draft "CORS Requirements" and "Caching";
 * SEP-2127 "Serving"). Every method has its answer here, so that a kit and a catalog serve alike: any origin may read, a plain GET
 * works whatever `Accept` says, and what is known already is a 304.
 * It makes no document and knows no path. Who may be asked by what name is the gate's to say (gate.ts); the origin is asked of no one.
 */
import { contentLength } from "./content-length.ts";
import { documentCors } from "./cors.ts";
import { noneMatch, strongEtag } from "./etag.ts";
import type { Gate } from "./gate.ts";
import { DOCUMENT_MAX_AGE_SECONDS } from "./limits.ts";
import { methodNotAllowed, problemReply, publicError } from "./problem.ts";

export interface PublishedDocument {
  /** The document's own text or bytes, UTF-8. */
  readonly body: string | Uint8Array;
  /** As `Content-Type` says it, such as `application/mcp-server-card+json`. */
  readonly mediaType: string;
  /** The strong tag, quotes included; default: made from the body. */
  readonly etag?: string;
  /** Seconds for which caches may keep it; default `DOCUMENT_MAX_AGE_SECONDS`. */
  readonly maxAgeSeconds?: number;
  /** More headers, lower-case names, such as `link`; they are repeated on 304. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PublishingOptions {
  /** Refuses names that are not ours with 403; absent: whoever mounts it has asked already. */
  readonly gate?: Pick<Gate, "checkHost">;
}

const READS = ["GET", "HEAD"];

/**
 * The door of one document that stays as it is.
 * @example
 * ```ts
 * const card = publishedDocument({ body: "{}", mediaType: "application/mcp-server-card+json" });
 * const response = card(new Request("https://relay.example/mcp/server-card"));
 * ```
 */
export function publishedDocument(
  document: PublishedDocument,
  { gate }: PublishingOptions = {},
): (request: Request) => Response {
  const fixed = { ...document, etag: document.etag ?? strongEtag(document.body) };
  return (request) => {
    try {
      gate?.checkHost(request);
      return withoutRead(request) ?? publishedReply(request, fixed);
    } catch (error) {
      return problemReply(publicError(error));
    }
  };
}

/** The answer to a GET or HEAD: the document, or 304 with the same headers where `If-None-Match` names it. */
export function publishedReply(request: Request, document: PublishedDocument): Response {
  const { body, mediaType, maxAgeSeconds = DOCUMENT_MAX_AGE_SECONDS } = document;
  const etag = document.etag ?? strongEtag(body);
  const headers: Record<string, string> = {
    ...documentCors,
    ...document.headers,
    etag,
    "cache-control": `public, max-age=${maxAgeSeconds}`,
    "x-content-type-options": "nosniff",
  };
  if (noneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers["content-type"] = mediaType;
  if (request.method !== "HEAD") return new Response(body, { headers });
  // What GET would send (RFC 9110 section 9.3.2), for whoever has no router that drops the body.
  headers["content-length"] = contentLength(body);
  return new Response(null, { headers });
}

/**
 * The answer to every method but GET and HEAD, null for these two: OPTIONS 204, others 405 with `Allow`. For a document that is made
 * anew for each read, and should not be for the others.
 */
export function withoutRead({ method }: Pick<Request, "method">): Response | null {
  if (READS.includes(method)) return null;
  const allow = [...READS, "OPTIONS"].join(", ");
  if (method === "OPTIONS") {
    return new Response(null, {
      status: 204,
      headers: { ...documentCors, allow, "access-control-max-age": "86400" },
    });
  }
  return problemReply(publicError(methodNotAllowed(method.slice(0, 20), READS)), documentCors);
}
