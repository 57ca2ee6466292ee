/**
 * Where a peer's REST API is: its descriptor says (`catalog.api`, OpenMCP 0.1 "The catalog"), else `/v1` under its URL.
 * Asking is discovery's; what the answer means is judged here, purely.
 */
import { type DescriptorLook, readDescriptor } from "../../discovery/index.ts";
import { canonicalEndpoint, isJsonObject, type JsonValue, trimEndOf } from "../../spec/index.ts";
import type { CatalogContext, CatalogIdentity } from "../context.ts";

export type PeerApi =
  /** Without a trailing slash. */
  | { readonly kind: "api"; readonly api: string }
  /** It is this catalog, under whatever name. */
  | { readonly kind: "self" }
  /** The network policy forbids to ask; `problem` is a sentence. */
  | { readonly kind: "blocked"; readonly problem: string };

/**
 * Looks where the peer's API is. A peer that does not answer is taken to have it at `/v1`.
 * @throws OpenMcpError `aborted`.
 */
export async function findPeerApi(
  { identity, exchange, clock }: CatalogContext,
  peer: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<PeerApi> {
  const look = await readDescriptor(peer, { exchange, now: () => clock.now(), ...options });
  return judgePeerApi(peer, look, identity);
}

/** What a look at the descriptor of the peer's origin says. Pure. */
export function judgePeerApi(
  peer: string,
  { found }: Pick<DescriptorLook, "found">,
  identity: CatalogIdentity,
): PeerApi {
  if (found.outcome === "blocked") return { kind: "blocked", problem: found.problem };
  const served = found.outcome === "served" ? found : null;
  if (served !== null && sameUrl(served.endpoint, `${identity.url}/mcp`)) return { kind: "self" };
  const catalog = served?.descriptor.catalog;
  const stated = isJsonObject(catalog) ? httpUrl(catalog.api, served?.source) : null;
  // An origin may hold several catalogs: its one descriptor speaks for the one at its root.
  const speaks = stated !== null && (new URL(peer).pathname === "/" || stated.startsWith(`${peer}/`));
  const api = speaks ? stated : `${peer}/v1`;
  return isOwn(api, identity) ? { kind: "self" } : { kind: "api", api };
}

/** True when `url`, a peer's or its API's, is this catalog's own. */
export function isOwn(url: string, identity: CatalogIdentity): boolean {
  return sameUrl(url, identity.url) || sameUrl(url, `${identity.url}/v1`);
}

function sameUrl(one: string, other: string): boolean {
  return canonicalEndpoint(one) === canonicalEndpoint(other);
}

function httpUrl(value: JsonValue | undefined, base: string | undefined): string | null {
  if (typeof value !== "string" || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return trimEndOf(`${url.origin}${url.pathname}`, "/");
}
