/**
 * Cross-origin access (Fetch standard, "CORS protocol"): reads are open to any origin, writes to none.
 * No credential is ever ambient here (no cookies), so `*` gives away nothing that a plain request would not.
 */

/** On every readable answer, its 304 and its errors. */
export const readCors: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Retry-After, Location, RateLimit, RateLimit-Policy",
};

/**
 * What a published document says of its readers, also without a preflight: the headers that the discovery drafts name, and these
 * values. HEAD needs no mention: like GET it is a method that no preflight asks about (Fetch standard, "CORS-safelisted method").
 */
export const documentCors: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "Content-Type, If-None-Match",
  "access-control-expose-headers": "ETag",
};

/**
 * The answer to OPTIONS: 204 with `Allow`; the CORS part names only the methods that read, so that a browser refuses
 * to send another origin's writes.
 */
export function optionsReply(allow: readonly string[]): Response {
  const reads = allow.filter((method) => method === "GET" || method === "HEAD");
  return new Response(null, {
    status: 204,
    headers: {
      allow: [...allow, "OPTIONS"].join(", "),
      ...(reads.length === 0
        ? {}
        : {
            ...readCors,
            "access-control-allow-headers": "Content-Type, If-None-Match",
            "access-control-allow-methods": reads.join(", "),
            "access-control-max-age": "86400",
          }),
    },
  });
}
