/**
 * Responses from JSON that is already serialised: ETag, 304, Cache-Control and CORS in one place.
 * Headers are plain objects and the body is one string or one array of bytes: that is what @hono/node-server writes without
 * building a `Headers` or a stream. HEAD needs no code here: the router drops the body of the GET answer.
 */
import { readCors } from "./cors.ts";
import { noneMatch, strongEtag } from "./etag.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export interface ReadOptions {
  /** Default 200; only such an answer is conditional (RFC 9110 section 13.2.1). */
  readonly status?: number;
  /** Content type; default JSON. */
  readonly type?: string;
  /** Default `no-cache`: may be kept, must be asked again, which costs a 304. */
  readonly cacheControl?: string;
  /** A text that is another one whenever the body is, to make the tag from; default: the body. */
  readonly version?: string | null;
  /** More headers, lower-case names; they are repeated on 304. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The strong tag, quotes included; default: made from the body. */
  readonly etag?: string;
}

/** A readable document: 200 with a strong ETag, or 304 with the same headers. Open to any origin. */
export function readReply(request: Request, body: string | Uint8Array, options: ReadOptions = {}): Response {
  const etag = options.etag ?? strongEtag(options.version ?? body);
  const headers: Record<string, string> = {
    ...readCors,
    ...options.headers,
    etag,
    "cache-control": options.cacheControl ?? "no-cache",
    "x-content-type-options": "nosniff",
  };
  const status = options.status ?? 200;
  if (status === 200 && noneMatch(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  headers["content-type"] = options.type ?? JSON_TYPE;
  return new Response(body, { status, headers });
}

/** The answer to something done: never stored by a cache. */
export function doneReply(
  body: string | Uint8Array,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(body, {
    status: options.status ?? 200,
    headers: {
      "content-type": JSON_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...options.headers,
    },
  });
}
