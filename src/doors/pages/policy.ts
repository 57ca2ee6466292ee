/**
 * What a page's browser may do: load our own style, script and images, send our own forms, and ask this catalog. Nothing inline,
 * nothing from anyone else.
 */
const BASE = {
  "default-src": "'none'",
  "style-src": "'self'",
  "script-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
} as const;

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** Headers of every page. With `no-referrer` browsers would send forms with `Origin: null`, which no check can tell from a stranger's. */
export const PAGE_HEADERS = {
  vary: "Accept",
  "content-security-policy": policy(BASE),
  "referrer-policy": "same-origin",
} as const;

/** Of the API's page alone: Swagger UI sets style attributes and shows images of its own as data. */
export const API_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": policy({ ...BASE, "style-src": "'self' 'unsafe-inline'" }),
} as const;

export const HTML_TYPE = "text/html; charset=utf-8";
