/**
 * An exchange that stays with the origin it was asked for: what another origin answers is no evidence of this endpoint (wire.md,
 * "A record is only changed by evidence from the endpoint's own origin"), and neither a call's arguments nor a credential go there.
 * Looks and calls share it, so that what a look finds is what a call meets. Elsewhere it answers the 3xx itself.
 */
import { type Exchange, type ExchangeResponse, OpenMcpError } from "../spec/index.ts";
import { MAX_REDIRECTS } from "./limits.ts";

/** A POST keeps its body by these two alone (RFC 9110, section 15.4); whoever sends them did not run the request. */
const KEEPS_METHOD: readonly number[] = [307, 308];
const LEADS_ON: readonly number[] = [301, 302, 303, 307, 308];

export function withinOrigin(exchange: Exchange): Exchange {
  return async (request, limits) => {
    const end = performance.now() + limits.timeoutMs;
    const followed = request.method === "GET" ? LEADS_ON : KEEPS_METHOD;
    let { url } = request;
    for (let hops = 0; ; hops++) {
      const timeoutMs = hops === 0 ? limits.timeoutMs : Math.max(1, end - performance.now());
      const response = await exchange({ ...request, url }, { ...limits, timeoutMs, maxRedirects: 0 });
      const target = redirectTarget(response);
      if (target === null || !followed.includes(response.status)) return response;
      const asked = new URL(request.url);
      if (!staysWith(asked, target)) return response;
      response.cancel();
      if (hops >= MAX_REDIRECTS) {
        throw new OpenMcpError(
          "too-many-redirects",
          `${asked.origin} redirects more than ${MAX_REDIRECTS} times`,
        );
      }
      url = target.href;
    }
  };
}

/** Where an answer leads; null where that is nowhere on the web. */
export function redirectTarget(answer: {
  readonly status: number | null;
  readonly headers: ExchangeResponse["headers"];
  readonly url: string;
}): URL | null {
  const { location } = answer.headers;
  if (answer.status === null || !LEADS_ON.includes(answer.status) || location === undefined) return null;
  if (!URL.canParse(location, answer.url)) return null;
  const target = new URL(location, answer.url);
  return target.protocol === "http:" || target.protocol === "https:" ? target : null;
}

/** The same origin, or the same host gone over to https: more of a secret, not less. */
function staysWith(asked: URL, target: URL): boolean {
  if (target.origin === asked.origin) return true;
  return asked.protocol === "http:" && target.protocol === "https:" && target.host === asked.host;
}
