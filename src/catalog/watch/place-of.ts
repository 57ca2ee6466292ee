/**
 * Where an endpoint lives, as far as politeness goes: its host, whatever the port, and the registrable domain, which is
 * whose machines they are. Subdomains of a hosting service that lets strangers have them count as each stranger's own,
 * as the Public Suffix List says.
 */
import type { RelayPlace } from "../../store/index.ts";

/** An import that is asked for each time costs a twentieth of a millisecond. */
let suffixes: Promise<typeof import("tldts")> | null = null;

/** `endpoint`: an absolute URL. The list of suffixes is loaded with the first endpoint, not at the start. */
export async function placeOf(endpoint: string): Promise<RelayPlace> {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, "");
  suffixes ??= import("tldts");
  const { getDomain } = await suffixes;
  return { host, domain: getDomain(host, { allowPrivateDomains: true }) ?? host };
}
