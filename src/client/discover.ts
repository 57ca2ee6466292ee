/** Discovery for callers, browsers too: `openmcp/discovery` with this environment's own `fetch`, and a look through the SDK's client. */
import { type DiscoverSettings, type Discovery, discover as discoverWith } from "../discovery/index.ts";
import { createLook } from "./live-look.ts";
import type { Fetch } from "./settings.ts";

export interface DiscoverOptions extends DiscoverSettings {
  /** Default `globalThis.fetch`. In a browser only what allows other origins can be read: discovery documents have to. */
  readonly fetch?: Fetch;
  /** False: read the documents only. Default true; `ask` is a look of your own. */
  readonly look?: boolean;
}

/**
 * Reads what a domain or a URL publishes about MCP servers, and asks the servers that are named whether they run.
 * Rejects with `OpenMcpError`: `invalid-input` when it is no URL, `aborted` when the signal fires. What an origin does is in the answer.
 *
 * @example
 * ```ts
 * import { discover } from "openmcp/client";
 *
 * const { servers } = await discover("example.com");
 * for (const { endpoint, names, live, contradictions } of servers) {
 *   console.log(endpoint, names, live?.state, contradictions.length);
 * }
 * ```
 */
export function discover(domainOrUrl: string, options: DiscoverOptions = {}): Promise<Discovery> {
  const { fetch = (input, init) => globalThis.fetch(input, init), look = true, ...settings } = options;
  const ask = settings.ask ?? (look ? createLook(fetch) : undefined);
  return discoverWith(domainOrUrl, { ...settings, ...(ask === undefined ? {} : { ask }), fetch });
}
