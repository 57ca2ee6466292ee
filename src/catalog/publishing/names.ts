/**
 * Names in published documents (Server Card `name`, `com.example/weather`). A relay keeps the name that it gave itself where its own
 * domain is in it; every other gets one under this catalog's namespace, so that nobody goes by a name here that is somebody else's.
 */
import { publisherOf, type RelayRecord } from "../../spec/index.ts";
import { placeOf } from "../watch/place-of.ts";
import { MAX_NAME_CHARS, MAX_NAMESPACE_CHARS } from "./limits.ts";

/** Reverse DNS, a slash, a name that is no path. */
const NAME = /^[a-zA-Z0-9.-]+\/(?=.*[a-zA-Z0-9_-])[a-zA-Z0-9._-]+$/;

/** The catalog's own name behind its namespace: the one that its server goes by over MCP. */
const OWN_NAME = "openmcp";

/** Behind the one id that would be that name too, of a relay at `http://openmcp/mcp`. No id has an underscore. */
const RELAY_MARK = "_relay";

/** `https://catalog.example/` -> `example.catalog`; an address stays as it is. Only what a name may hold. */
export function namespaceOf(url: string): string {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isAddress(host)) return host.replaceAll(":", "-");
  const labels = host.replace(/\.$/, "").split(".").reverse();
  while (labels.length > 1 && labels.join(".").length > MAX_NAMESPACE_CHARS) labels.pop();
  return labels
    .join(".")
    .slice(0, MAX_NAMESPACE_CHARS)
    .replace(/[^a-zA-Z0-9.-]/g, "-");
}

/** The name of the catalog at `url` itself. */
export function catalogName(url: string): string {
  return `${namespaceOf(url)}/${OWN_NAME}`;
}

/** The name of a relay that has none of its own. */
export function mintedName(url: string, id: string): string {
  return `${namespaceOf(url)}/${id === OWN_NAME ? `${id}${RELAY_MARK}` : id}`;
}

/** The id in a name that the catalog at `url` minted; null for any other name. */
export function idOfName(url: string, name: string): string | null {
  const start = `${namespaceOf(url)}/`;
  if (!name.startsWith(start) || name.length === start.length) return null;
  const id = name.slice(start.length);
  return id === `${OWN_NAME}${RELAY_MARK}` ? OWN_NAME : id;
}

/**
 * True when `name` may be believed of a relay at `endpoint`: its namespace is the endpoint's own domain, backwards, or one above it
 * that is still somebody's (`com.example` for `mcp.example.com`, but neither `com` nor `app.vercel`).
 */
export async function isOwnName(name: string, endpoint: string): Promise<boolean> {
  if (name.length > MAX_NAME_CHARS || !NAME.test(name)) return false;
  return isOwnDomain(domainOfName(name), endpoint);
}

/** True when `identifier` is a `urn:air` whose publisher is the endpoint's own domain, or one above it. */
export async function isOwnIdentifier(identifier: string, endpoint: string): Promise<boolean> {
  const publisher = publisherOf(identifier);
  return publisher !== null && (await isOwnDomain(publisher, endpoint));
}

async function isOwnDomain(domain: string, endpoint: string): Promise<boolean> {
  const { host, domain: registrable } = await placeOf(endpoint);
  const within = (inner: string, outer: string) => inner === outer || inner.endsWith(`.${outer}`);
  return !isAddress(host) && within(host, domain) && within(domain, registrable);
}

/** Of a parsed URL's host: an IPv4 address has its one form there, an IPv6 address alone has colons. */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

/** `com.example/weather` -> `example.com`. */
export function domainOfName(name: string): string {
  const [namespace = ""] = name.toLowerCase().split("/", 1);
  return namespace.split(".").reverse().join(".");
}

/** The relay's URL in this catalog. */
export function recordUrl(url: string, { id }: Pick<RelayRecord, "id">): string {
  return `${url}/v1/relays/${encodeURIComponent(id)}`;
}

/** Where the card is that this catalog makes of a relay's record. */
export function listedCardUrl(url: string, record: Pick<RelayRecord, "id">): string {
  return `${recordUrl(url, record)}/server-card`;
}
