/** Reads what an admin gives for a peer: its site, its descriptor, its `/v1` or its `/mcp`. Pure. */
import { canonicalEndpoint, trimEndOf } from "../../spec/index.ts";
import { type GivenUrl, parseGivenUrl } from "../given-url.ts";

const ENDS = /\/(\.well-known\/openmcp\.json|v1(\/relays)?|mcp)$/;

/** The peer's base URL without a trailing slash, one spelling for one catalog; or a sentence that says what to give instead. */
export function parsePeerUrl(text: string): GivenUrl {
  const given = parseGivenUrl(text);
  if (!given.ok) return given;
  const { origin, pathname } = new URL(given.url);
  const path = trimEndOf(pathname, "/").replace(ENDS, "");
  return { ok: true, url: canonicalEndpoint(`${origin}${path}`) };
}
