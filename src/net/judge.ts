/**
 * The rules of wire.md, "Whom the catalog may call", as pure functions over addresses and URLs: no name is
 * resolved and nothing is sent here. The connector asks `address` about what it is about to connect to;
 * `url` is asked before, at every hop. Only public unicast addresses pass; everything else needs a reason to.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { OpenMcpError } from "../spec/index.ts";
import {
  type Address,
  type AddressKind,
  contains,
  embeddedIpv4,
  type Network,
  specialRange,
} from "./address-ranges.ts";
import { maxAddressChars, maxJudgedAddresses } from "./limits.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** Why something is refused, in parts, so that a name's address need not be told to whoever asked. */
export interface Refusal {
  readonly permitted: false;
  /** What is wrong, with the address or URL part in it: "127.0.0.1 is a loopback address". */
  readonly reason: string;
  /** What the operator or registrant can do about it, or null where nothing should be done. */
  readonly cure: string | null;
  /** Set when an address is refused. */
  readonly kind: AddressKind | null;
}

export type NetworkVerdict = { readonly permitted: true } | Refusal;

/** A policy with its networks parsed once. */
export interface Judge {
  address(address: string): NetworkVerdict;
  url(url: URL | string): NetworkVerdict;
}

const permitted = { permitted: true } as const;

const refuse = (reason: string, cure: string | null = null): Refusal => ({
  permitted: false,
  reason,
  cure,
  kind: null,
});

/**
 * Makes a judge of a policy.
 * @throws OpenMcpError `invalid-input` when an entry of `allowNetworks` is not a network.
 */
export function createJudge(policy: NetworkPolicy): Judge {
  const allowed = policy.allowNetworks.map(parseNetwork);
  /** The same few addresses come again, and an address is judged the same for good: the policy doesn't change. */
  const judged = new Map<string, NetworkVerdict>();

  function judgeParsed(address: Address, shown: string): NetworkVerdict {
    const special = specialRange(address);
    const named = allowed.some(
      (network) =>
        contains(network, address) &&
        // A wide network never opens the metadata service by accident: it hands out the machine's own credentials.
        (special?.kind !== "cloud metadata" || network[1] === (address.kind() === "ipv4" ? 32 : 128)),
    );
    if (named) return permitted;
    const { inner, wholly } = embeddedIpv4(address);
    for (const part of inner) {
      const verdict = judgeParsed(part, `${shown} (which stands for ${part.toString()})`);
      if (!verdict.permitted) return verdict;
    }
    if (wholly || special === undefined) return permitted;
    if (special.kind === "loopback" && policy.allowLoopback) return permitted;
    return {
      permitted: false,
      reason: `${shown} is ${article(special.kind)} ${special.kind} address`,
      cure: cureFor(special.kind, special.cidr),
      kind: special.kind,
    };
  }

  function address(text: string): NetworkVerdict {
    const known = judged.get(text);
    if (known !== undefined) return known;
    if (judged.size >= maxJudgedAddresses) judged.clear();
    const verdict = judgeText(text);
    // What is no address can be of any length.
    if (text.length <= maxAddressChars) judged.set(text, verdict);
    return verdict;
  }

  function judgeText(text: string): NetworkVerdict {
    const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
    if (!ipaddr.isValid(bare)) return refuse(`${JSON.stringify(text)} is not an IP address`);
    return judgeParsed(ipaddr.parse(bare), bare);
  }

  const loopback4 = address("127.0.0.1");
  const localhost = loopback4.permitted ? loopback4 : address("::1");

  function url(input: URL | string): NetworkVerdict {
    const parsed = typeof input === "string" ? URL.parse(input) : input;
    if (parsed === null) return refuse("the URL can not be read", "give an absolute http or https URL");
    const verdict = judgeParts(parsed);
    if (verdict !== undefined) return verdict;
    const host = hostOf(parsed);
    if (isIP(host) !== 0) return address(host);
    return isLocalhost(host) && !localhost.permitted
      ? {
          ...localhost,
          reason: `${host} is this machine itself`,
        }
      : permitted;
  }

  return { address, url };
}

/** Judges one IP address, in any spelling that a system call would take. Pure. */
export function judgeAddress(address: string, policy: NetworkPolicy): NetworkVerdict {
  return createJudge(policy).address(address);
}

/** Judges a URL as far as it can be without resolving its name. Pure. */
export function judgeUrl(url: URL | string, policy: NetworkPolicy): NetworkVerdict {
  return createJudge(policy).url(url);
}

/** The refusal as the error that crosses rooms. */
export function blocked(refusal: Refusal, prefix = "refused"): OpenMcpError {
  const cure = refusal.cure === null ? "" : `; ${refusal.cure}`;
  return new OpenMcpError("blocked", `${prefix}: ${refusal.reason}${cure}`, {
    data: refusal.kind === null ? {} : { kind: refusal.kind },
  });
}

/** Host of a URL without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  const host = url.hostname;
  return host.startsWith("[") ? host.slice(1, -1) : host;
}

/** `localhost` and every name below it, with or without the root dot (RFC 6761, section 6.3). */
export function isLocalhost(host: string): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return name === "localhost" || name.endsWith(".localhost");
}

/** Labels of letters, digits, hyphens and underscores: what is left after URL parsing has done IDNA. */
const hostName = /^(?=.{1,254}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/i;

/** What a URL alone shows: scheme, credentials, port, form of the host. */
function judgeParts(url: URL): Refusal | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse(
      `${JSON.stringify(url.protocol.slice(0, 40))} is not a scheme to call`,
      "give an http or https URL",
    );
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("the URL carries credentials", "take the part before the @ out of it");
  }
  const port = url.port;
  // The default port reads as "", so 80 and 443 can only stand here under the other scheme.
  if (port !== "" && port !== "80" && port !== "443" && Number(port) < 1024) {
    return refuse(`port ${port} is a system port`, "use 80, 443 or a port from 1024 up");
  }
  const host = url.hostname;
  if (!host.startsWith("[") && !hostName.test(host)) {
    return refuse(`${JSON.stringify(host.slice(0, 80))} is not a host name`);
  }
  return undefined;
}

function parseNetwork(text: string): Network {
  const cidr = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
  const valid = ipaddr.IPv6.isValidCIDR(cidr) || ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr);
  if (!valid) {
    throw new OpenMcpError(
      "invalid-input",
      `allowNetworks: ${JSON.stringify(text)} is not a network; write it like 10.0.0.0/8`,
      {
        data: { field: "allowNetworks" },
      },
    );
  }
  return ipaddr.parseCIDR(cidr);
}

function cureFor(kind: AddressKind, cidr: string): string | null {
  switch (kind) {
    case "loopback":
      return `start the catalog with --allow-network ${cidr}, or on a loopback URL, to permit it`;
    case "private":
    case "carrier-grade NAT":
    case "unique local":
    case "site-local":
    case "link-local":
    case "benchmark":
      return `--allow-network ${cidr} permits it, where the catalog is started (or to openmcp probe)`;
    default:
      return null;
  }
}

const article = (kind: AddressKind): string => (kind === "unspecified" ? "an" : "a");
