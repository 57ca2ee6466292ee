/** Whether an answer sends us elsewhere, and with what: pure. The next URL is judged by who follows it. */
import type { ExchangeRequest } from "../spec/index.ts";

/** Dropped for ever once a redirect leaves the origin they were meant for. */
const credentialHeaders = new Set(["authorization", "proxy-authorization", "cookie"]);

/**
 * The target of a redirect as written; undefined when the answer is to be given as it is. GET and HEAD follow every
 * redirect; other methods only 307 and 308, which repeat them: a POST is never made into a GET behind its caller's back.
 */
export function redirectTarget(
  method: ExchangeRequest["method"],
  status: number,
  location: string | undefined,
): string | undefined {
  if (location === undefined) return undefined;
  if (status === 307 || status === 308) return location;
  const safe = method === "GET" || method === "HEAD";
  return safe && (status === 301 || status === 302 || status === 303) ? location : undefined;
}

/** Headers for the next hop: without credentials when it has another scheme, host or port. */
export function headersAcross(
  headers: Readonly<Record<string, string>> | undefined,
  sameOrigin: boolean,
): Readonly<Record<string, string>> | undefined {
  if (sameOrigin || headers === undefined) return headers;
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !credentialHeaders.has(name.toLowerCase())),
  );
}
