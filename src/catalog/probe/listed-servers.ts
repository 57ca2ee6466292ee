/**
 * The relays that an origin's catalogs and cards lead to, each looked at as if its own URL had been given: a document is a lead and
 * no evidence. Bounded, and said when it is.
 */
import { type Discovery, publishersIdentifier, vouchingCard } from "../../discovery/index.ts";
import { canonicalEndpoint, type ProbeStep } from "../../spec/index.ts";
import { LISTED_AT_ONCE, MAX_LISTED_SERVERS } from "../limits.ts";
import { called } from "./called.ts";
import type { Finding } from "./finding.ts";
import type { Inspector } from "./inspector.ts";

export interface ListedServers {
  /** In the order in which they are published. */
  readonly findings: readonly Finding[];
  /** Servers that were not looked at. */
  readonly more: number;
}

/** `isEndpoint`: `url` was asked, and is no document. */
export async function inspectListed(
  url: string,
  { inspector, isEndpoint }: { readonly inspector: Inspector; readonly isEndpoint: boolean },
): Promise<ListedServers> {
  const found = await inspector.published(url, isEndpoint);
  const endpoints = endpointsOf(found);
  const taken = endpoints.slice(0, MAX_LISTED_SERVERS);
  if (taken.length < endpoints.length) inspector.note(cutStep(url, { taken, endpoints }));
  const findings: Finding[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    for (let at = next++; at < taken.length; at = next++) {
      const endpoint = taken[at] as string;
      const { documents } = found;
      const finding = await inspector.inspect(endpoint, { card: vouchingCard(documents, endpoint) });
      findings[at] = called(finding, publishersIdentifier(documents, endpoint));
    }
  }
  await Promise.all(Array.from({ length: LISTED_AT_ONCE }, worker));
  return { findings, more: endpoints.length - taken.length };
}

/** Each once, by identity. What lacks inputs has no endpoint yet. */
function endpointsOf({ servers }: Discovery): readonly string[] {
  const endpoints = new Map<string, string>();
  for (const { endpoint, documents } of servers) {
    if (endpoint === null || documents.length === 0) continue;
    const identity = canonicalEndpoint(endpoint);
    if (!endpoints.has(identity)) endpoints.set(identity, endpoint);
  }
  return [...endpoints.values()];
}

function cutStep(
  url: string,
  { taken, endpoints }: { readonly taken: readonly string[]; readonly endpoints: readonly string[] },
): ProbeStep {
  return {
    step: "catalog",
    method: "GET",
    url,
    status: null,
    ms: 0,
    outcome: `lists ${endpoints.length} servers: the first ${taken.length} were looked at`,
    ok: true,
  };
}
