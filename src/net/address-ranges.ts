/**
 * The ranges of the IANA special-purpose address registries (RFC 6890 and its successors), by the kind a person
 * would call them, and where an IPv6 address carries an IPv4 one. A table and two look-ups; whether a kind is
 * permitted is judge-address's to say. The table is ours and not the parser library's, so that an update
 * of that library never opens a range.
 */
import ipaddr from "ipaddr.js";

/** A parsed address of either family. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: its first address and the length of its prefix in bits. */
export type Network = readonly [address: Address, prefix: number];

export type AddressKind =
  | "unspecified"
  | "loopback"
  | "private"
  | "carrier-grade NAT"
  | "link-local"
  | "cloud metadata"
  | "documentation"
  | "benchmark"
  | "multicast"
  | "broadcast"
  | "unique local"
  | "site-local"
  | "discard-only"
  | "reserved";

/** One row: a network that is not part of the public internet. */
export interface SpecialRange {
  readonly cidr: string;
  readonly kind: AddressKind;
  readonly network: Network;
}

const range = (cidr: string, kind: AddressKind): SpecialRange => ({
  cidr,
  kind,
  network: ipaddr.parseCIDR(cidr),
});

/** First match wins: an address of its own stands before the network it lies in. */
const ipv4Ranges: readonly SpecialRange[] = [
  range("169.254.169.254/32", "cloud metadata"), // AWS, Google, Azure, DigitalOcean, OpenStack
  range("169.254.170.2/32", "cloud metadata"), // AWS container credentials
  range("169.254.170.23/32", "cloud metadata"), // AWS pod identity
  range("168.63.129.16/32", "cloud metadata"), // Azure's wire server: a public-looking address
  range("100.100.100.200/32", "cloud metadata"), // Alibaba
  range("192.0.0.192/32", "cloud metadata"), // Oracle
  range("127.0.0.0/8", "loopback"),
  range("10.0.0.0/8", "private"), // RFC 1918
  range("172.16.0.0/12", "private"),
  range("192.168.0.0/16", "private"),
  range("100.64.0.0/10", "carrier-grade NAT"), // RFC 6598
  range("169.254.0.0/16", "link-local"), // RFC 3927
  range("0.0.0.0/8", "unspecified"), // "this host": reaches loopback on many systems
  range("192.0.2.0/24", "documentation"), // RFC 5737
  range("198.51.100.0/24", "documentation"),
  range("203.0.113.0/24", "documentation"),
  range("198.18.0.0/15", "benchmark"), // RFC 2544
  range("192.0.0.0/24", "reserved"), // IETF protocol assignments
  range("192.31.196.0/24", "reserved"), // AS112, RFC 7535
  range("192.52.193.0/24", "reserved"), // AMT, RFC 7450
  range("192.88.99.0/24", "reserved"), // 6to4 relay anycast, RFC 7526
  range("192.175.48.0/24", "reserved"), // AS112, RFC 7534
  range("224.0.0.0/4", "multicast"),
  range("255.255.255.255/32", "broadcast"),
  range("240.0.0.0/4", "reserved"),
];

const ipv6Ranges: readonly SpecialRange[] = [
  range("fd00:ec2::254/128", "cloud metadata"), // AWS
  range("fd00:ec2::23/128", "cloud metadata"), // AWS pod identity
  range("fd20:ce::254/128", "cloud metadata"), // Google
  range("::/128", "unspecified"),
  range("::1/128", "loopback"),
  range("fc00::/7", "unique local"), // RFC 4193
  range("fe80::/10", "link-local"),
  range("fec0::/10", "site-local"), // RFC 3879, deprecated and still routed inside some networks
  range("ff00::/8", "multicast"),
  range("100::/64", "discard-only"), // RFC 6666
  range("2001:2::/48", "benchmark"), // RFC 5180
  range("2001:db8::/32", "documentation"), // RFC 3849
  range("3fff::/20", "documentation"), // RFC 9637
  range("64:ff9b:1::/48", "reserved"), // local-use NAT64, RFC 8215: where the IPv4 part lies is each network's choice
  range("2001::/23", "reserved"), // IETF protocol assignments: ORCHID, AMT, AS112 …
  range("2620:4f:8000::/48", "reserved"), // AS112, RFC 7534
];

const globalUnicast: Network = ipaddr.parseCIDR("2000::/3");

/** IPv6 outside 2000::/3 was never assigned to the public internet (RFC 4291, section 2.4). */
const unassigned: SpecialRange = { cidr: "::/0", kind: "reserved", network: ipaddr.parseCIDR("::/0") };

/** The special range that holds an address; undefined for an address of the public internet. */
export function specialRange(address: Address): SpecialRange | undefined {
  if (address.kind() === "ipv4") return ipv4Ranges.find((row) => contains(row.network, address));
  const found = ipv6Ranges.find((row) => contains(row.network, address));
  return found ?? (contains(globalUnicast, address) ? undefined : unassigned);
}

/** True when `address` lies in `network`; never across families. */
export function contains(network: Network, address: Address): boolean {
  return network[0].kind() === address.kind() && address.match(network[0] as never, network[1]);
}

/** Forms whose whole meaning is an IPv4 address: the offset of its four bytes, inverted in Teredo's case. */
const carriers: readonly {
  readonly network: Network;
  readonly at: readonly number[];
  readonly inverted?: number;
}[] = [
  { network: ipaddr.parseCIDR("::ffff:0:0/96"), at: [12] }, // IPv4-mapped, RFC 4291
  { network: ipaddr.parseCIDR("::ffff:0:0:0/96"), at: [12] }, // IPv4-translated, RFC 7915
  { network: ipaddr.parseCIDR("64:ff9b::/96"), at: [12] }, // NAT64, RFC 6052
  { network: ipaddr.parseCIDR("2002::/16"), at: [2] }, // 6to4, RFC 3056
  { network: ipaddr.parseCIDR("2001::/32"), at: [4, 12], inverted: 12 }, // Teredo's server and client, RFC 4380
];

const unspecifiedHigh: Network = ipaddr.parseCIDR("::/96");

/**
 * The IPv4 addresses that an IPv6 address stands for, and whether it is nothing but a cover for them. An ISATAP
 * address (RFC 5214) has a prefix of its own besides, which is judged too.
 */
export function embeddedIpv4(address: Address): {
  readonly inner: readonly ipaddr.IPv4[];
  readonly wholly: boolean;
} {
  if (address.kind() === "ipv4") return none;
  const bytes = address.toByteArray();
  const carrier = carriers.find((form) => contains(form.network, address));
  if (carrier !== undefined) {
    return { inner: carrier.at.map((at) => ipv4At(bytes, at, at === carrier.inverted)), wholly: true };
  }
  // IPv4-compatible (RFC 4291, deprecated); `::` and `::1` are addresses of their own.
  if (contains(unspecifiedHigh, address)) {
    const own = bytes[12] === 0 && bytes[13] === 0 && bytes[14] === 0 && (bytes[15] ?? 0) <= 1;
    return own ? none : { inner: [ipv4At(bytes, 12, false)], wholly: true };
  }
  const isatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isatap ? { inner: [ipv4At(bytes, 12, false)], wholly: false } : none;
}

const none = { inner: [], wholly: false } as const;

function ipv4At(bytes: readonly number[], offset: number, inverted: boolean): ipaddr.IPv4 {
  const part = bytes.slice(offset, offset + 4);
  return new ipaddr.IPv4(inverted ? part.map((byte) => byte ^ 0xff) : part);
}
