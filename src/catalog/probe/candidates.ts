/** Which endpoints a URL may stand for. Pure. */

/** Where relays of a bare site are found, in the order of asking (wire.md "The probe"). */
const SITE_PATHS = ["/mcp", "/api/mcp", "/api/v1/mcp", "/v1/mcp", "/"];

/** `url` where it may be an endpoint itself: it has a path, and not one of a well-known file. */
export function givenEndpoint(url: string): string | null {
  const { pathname } = new URL(url);
  return pathname === "/" || pathname.startsWith("/.well-known/") ? null : url;
}

/** The endpoints to try on a site that says nothing of itself. A query is kept for the root alone, where it was given. */
export function siteEndpoints(url: string): readonly string[] {
  const given = new URL(url);
  const paths = SITE_PATHS.map((path) => new URL(path, given.origin).href);
  return given.pathname === "/" && given.search !== "" ? [given.href, ...paths] : paths;
}

/**
 * `url` on the origin that a document's redirect led to, where that is another one; null otherwise. `sameHost` when only
 * the scheme or a leading `www.` differ: then it is the same endpoint under its proper name.
 */
export function onAnsweringOrigin(
  url: string,
  document: { readonly url: string; readonly answeredBy: string | null },
): { readonly url: string; readonly sameHost: boolean } | null {
  if (document.answeredBy === null) return null;
  const asked = new URL(document.url);
  const answered = new URL(document.answeredBy);
  // Only a redirect of the whole host says anything about other paths.
  if (answered.origin === asked.origin || answered.pathname !== asked.pathname) return null;
  const given = new URL(url);
  return {
    url: new URL(`${given.pathname}${given.search}`, answered.origin).href,
    sameHost: withoutWww(asked.hostname) === withoutWww(answered.hostname),
  };
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "");
}
