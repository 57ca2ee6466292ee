/** `--trust-proxy`: which proxies stand before the catalog, and the header that they write. Pure. */
import { parseNetwork, type TrustedProxies } from "../http/index.ts";
import { MAX_PROXY_HOPS } from "./limits.ts";

export type TrustProxyReading =
  | { readonly ok: true; readonly trust: TrustedProxies | null }
  | { readonly ok: false; readonly problem: string };

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/**
 * Reads `off`, or entries with commas between: one number of proxies, or addresses, CIDR ranges and `loopback`; and `forwarded`, where
 * the proxies write the header of RFC 7239 in place of X-Forwarded-For.
 */
export function parseTrustProxy(text: string): TrustProxyReading {
  if (/^(off|no|none|0)$/i.test(text)) return { ok: true, trust: null };
  let header: TrustedProxies["header"] = "x-forwarded-for";
  let hops: number | null = null;
  const networks: string[] = [];
  for (const entry of text.split(",").map((part) => part.trim().toLowerCase())) {
    if (entry === "forwarded" || entry === "x-forwarded-for") header = entry;
    else if (entry === "loopback") networks.push(...LOOPBACK);
    else if (/^\d+$/.test(entry)) {
      if (hops !== null) return wrong("names two numbers of proxies: give one");
      hops = Number(entry);
      if (hops < 1 || hops > MAX_PROXY_HOPS)
        return wrong(`is out of range: give a number of proxies from 1 to ${MAX_PROXY_HOPS}`);
    } else {
      const network = parseNetwork(entry);
      if (network === null)
        return wrong(
          "names no proxies: give how many there are, such as 1, or their addresses, such as 10.0.0.0/8",
        );
      networks.push(network);
    }
  }
  if (hops !== null && networks.length > 0)
    return wrong("names a number and addresses: give one or the other");
  if (hops === null && networks.length === 0)
    return wrong("names a header but no proxies: give how many there are too, such as 1,forwarded");
  return { ok: true, trust: { proxies: hops === null ? { networks } : { hops }, header } };
}

function wrong(problem: string): TrustProxyReading {
  return { ok: false, problem };
}
