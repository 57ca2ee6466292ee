/**
 * Who sent a request, behind however many proxies: from the connection and from what trusted proxies say, read from the right,
 * because everything left of what they added is the sender's to make up. Pure.
 */
import ipaddr from "ipaddr.js";
import { MAX_REMEMBERED_NAMES } from "./limits.ts";

/** The proxies whose word is taken. */
export interface TrustedProxies {
  /**
   * `hops`: so many in a row, whoever they are; right only while nobody can reach the catalog past them. `networks`: whoever
   * is at these CIDR ranges.
   */
  readonly proxies: { readonly hops: number } | { readonly networks: readonly string[] };
  /** The one header that they write; the other is never read, for they would pass on the sender's. */
  readonly header: "x-forwarded-for" | "forwarded";
}

export type ClientAddress = (
  connection: string | null,
  headers: { get(name: string): string | null },
) => string | null;

/**
 * The address of the first hop, from the right, that is no proxy of ours; without trust the connection's own. Where a proxy hides
 * or garbles whom it speaks for, the proxy itself. Null when the connection has no address any more.
 */
export function createClientAddress(trust: TrustedProxies | null): ClientAddress {
  if (trust === null) return (connection) => normalAddress(connection ?? "");
  const { header } = trust;
  const isProxy = proxyTest(trust.proxies);
  const read = header === "forwarded" ? forwardedFor : listed;
  return (connection, headers) => {
    const value = headers.get(header);
    const hops = value === null ? [] : read(value);
    let client = normalAddress(connection ?? "");
    for (let passed = 0; client !== null && passed < hops.length && isProxy(client, passed); passed += 1) {
      const next = normalAddress(hops[hops.length - 1 - passed] as string);
      if (next === null) break;
      client = next;
    }
    return client;
  };
}

/**
 * What stands for an address where addresses are counted: an IPv4 address itself, of an IPv6 address its /64, for that is what one
 * subscriber is given at least (RFC 6177).
 */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** `10.0.0.0/8`, `fd00::/8`, or one address; null for anything else. */
export function parseNetwork(text: string): string | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return text;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return `${text}/32`;
  return ipaddr.IPv6.isValid(text) ? `${text}/128` : null;
}

function proxyTest(proxies: TrustedProxies["proxies"]): (address: string, passed: number) => boolean {
  if ("hops" in proxies) return (_address, passed) => passed < proxies.hops;
  const networks = proxies.networks.map((network) => ipaddr.parseCIDR(network));
  // Proxies are few and ask again and again.
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return true;
    const address = ipaddr.parse(text);
    const trusted = networks.some(
      (network) => address.kind() === network[0].kind() && address.match(network),
    );
    if (trusted && known.size < MAX_REMEMBERED_NAMES) known.add(text);
    return trusted;
  };
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** With a port, or in IPv6 form, as sockets of both families say it. Most addresses are such: they are not parsed. */
const IPV4 = new RegExp(`^(?:::ffff:)?(${OCTET}(?:\\.${OCTET}){3})(?::\\d{1,5})?$`);

/** One spelling an address, without port, brackets and zone; an IPv4 address in IPv6 form as IPv4. Null: none. */
function normalAddress(text: string): string | null {
  const [, ipv4] = IPV4.exec(text) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!text.includes(":")) return null;
  const [, bracketed = text] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [plain = ""] = bracketed.split("%", 1);
  try {
    return ipaddr.process(plain).toString();
  } catch {
    return null;
  }
}

function listed(value: string): readonly string[] {
  return value.split(",").map((entry) => entry.trim());
}

/**
 * The `for` of each element of a `Forwarded` header (RFC 7239 section 4); "" where an element has none. A quote that is left open
 * makes all of it void: a sender could hide in it what our proxy wrote after.
 */
function forwardedFor(value: string): readonly string[] {
  const hops: string[] = [];
  let node = "";
  let start = 0;
  let quoted = false;

  function endPair(end: number): void {
    const pair = value.slice(start, end);
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trimStart();
    if (name.toLowerCase() === "for") node = unquoted(pair.slice(equals + 1).trim());
    start = end + 1;
  }
  function endElement(end: number): void {
    endPair(end);
    hops.push(node);
    node = "";
  }

  for (let at = 0; at < value.length; at += 1) {
    const char = value[at];
    if (char === '"') quoted = !quoted;
    else if (quoted && char === "\\") at += 1;
    else if (!quoted && char === ";") endPair(at);
    else if (!quoted && char === ",") endElement(at);
  }
  if (quoted) return [];
  endElement(value.length);
  return hops;
}

function unquoted(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}
