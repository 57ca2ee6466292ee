/**
 * Is a text a URI (RFC 3986 appendix A), as the schemas' `format: uri` asks? A scheme and something behind it; ASCII only. What a
 * URL parser would mend is not one: `https://example.com/a b` opens in a browser and is no URI. The other way, `https://h:x/` is let
 * pass here, as the validators of the field let it (what looks like a host may be a path to them), and found by the lints.
 */
import { isIpv6 } from "./host.ts";

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const QUERY = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
const PATH = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/;
const USER = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/;
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const FUTURE_ADDRESS = /^[Vv][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/;

export function isUri(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  const [beforeFragment, fragment] = splitAt(text.slice(scheme.length), "#");
  const [hierarchy, query] = splitAt(beforeFragment, "?");
  if (!QUERY.test(query) || !QUERY.test(fragment)) return false;
  return (hierarchy !== "" && PATH.test(hierarchy)) || [2, 1].some((slashes) => isPlace(hierarchy, slashes));
}

/** An authority and a path behind one slash or two. */
function isPlace(hierarchy: string, slashes: number): boolean {
  if (!hierarchy.startsWith("/".repeat(slashes))) return false;
  const slash = hierarchy.indexOf("/", slashes);
  const end = slash === -1 ? hierarchy.length : slash;
  return isAuthority(hierarchy.slice(slashes, end)) && PATH.test(hierarchy.slice(end));
}

/** The scheme of a URI in lower case, without its colon; null when there is none. */
export function schemeOf(text: string): string | null {
  return SCHEME.exec(text)?.[0].slice(0, -1).toLowerCase() ?? null;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  if (at !== -1 && !USER.test(authority.slice(0, at))) return false;
  const rest = authority.slice(at + 1);
  const port = /:\d*$/.exec(rest)?.[0] ?? "";
  const host = rest.slice(0, rest.length - port.length);
  if (!host.startsWith("[")) return HOST.test(host);
  const address = host.slice(1, -1);
  return host.endsWith("]") && (isIpv6(address) || FUTURE_ADDRESS.test(address));
}

function splitAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
