/**
 * Where an endpoint lives, as far as politeness goes: its host, whatever the port, and the registrable domain, which is
 * whose machines they are. Subdomains of a hosting service that lets strangers have them count as each stranger's own,
 * as the Public Suffix List says.
 */
import type { RelayPlace } from "../../store/index.ts";

/** `endpoint`: an absolute URL. The list of suffixes is loaded with the first endpoint, not at the start. */
export async function placeOf(endpoint: string): Promise<RelayPlace> {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, "");
  const { getDomain } = await import("tldts");
  return { host, domain: getDomain(host, { allowPrivateDomains: true }) ?? host };
}
