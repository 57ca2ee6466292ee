/**
 * An OpenAPI document that is made for each read: what a kit serves beside its endpoint. Asked anew each time, which costs a 304:
 * its tools change while it runs, and with the user. It is made only for a read, and a failure to make it is the caller's to answer:
 * never a fuller document in its place.
 */
import { contentLength } from "./content-length.ts";
import { documentCors } from "./cors.ts";
import { noneMatch, typedEtag } from "./etag.ts";
import { preferredType } from "./preferred-type.ts";
import { withoutRead } from "./published-document.ts";

/** Registered for OpenAPI documents; and what everyone knows. */
export const OPENAPI_TYPES = ["application/vnd.oai.openapi+json", "application/json"] as const;

export interface OpenApiReplyOptions {
  /** True where who asks was looked at: no cache between may keep it for others. */
  readonly private?: boolean;
}

/**
 * GET and HEAD: the text that `make` gives, or 304; other methods: 405, or 204 to OPTIONS, and `make` is not asked.
 *
 * @example
 * ```ts
 * const request = new Request("https://relay.example/mcp/openapi.json");
 * const reply = await openApiReply(request, () => JSON.stringify({ openapi: "3.1.0" }), { private: true });
 * ```
 */
export async function openApiReply(
  request: Request,
  make: () => string | Promise<string>,
  options: OpenApiReplyOptions = {},
): Promise<Response> {
  const other = withoutRead(request);
  if (other !== null) return other;
  const text = await make();
  const personal = options.private === true;
  const type = preferredType(request.headers.get("accept"), OPENAPI_TYPES);
  const headers: Record<string, string> = {
    ...documentCors,
    etag: typedEtag(text, type),
    "cache-control": personal ? "private, no-cache" : "no-cache",
    vary: personal ? "Accept, Authorization, Cookie" : "Accept",
    "x-content-type-options": "nosniff",
  };
  if (noneMatch(request.headers.get("if-none-match"), headers.etag as string)) {
    return new Response(null, { status: 304, headers });
  }
  headers["content-type"] = type;
  if (request.method !== "HEAD") return new Response(text, { headers });
  headers["content-length"] = contentLength(text);
  return new Response(null, { headers });
}
