/**
 * Looks again at a relay that is listed. Unlike a registration it searches nothing: it asks the endpoint, and its origin
 * whether it still vouches; a new path is followed only where the origin vouched for the old one (wire.md "The relay id").
 */
import { canonicalEndpoint } from "../../spec/index.ts";
import { called } from "./called.ts";
import type { Finding, ProbeDeps } from "./finding.ts";
import { createInspector, type Inspector } from "./inspector.ts";

export interface KnownRelay {
  /** The endpoint as it is asked. */
  readonly url: string;
  /** True when its origin's descriptor named it at the last look that gave evidence. */
  readonly vouchedFor: boolean;
  /** True: its origin's AI Catalog is read for what it is called, if its origin vouches for it. */
  readonly seekIdentifier: boolean;
}

export interface Relook {
  readonly finding: Finding;
  /** The endpoint on the same origin that the descriptor names now, in place of the old one. */
  readonly moved: Finding | null;
}

/** @throws OpenMcpError `aborted` when the signal fires; what the relay does never rejects. */
export async function probeRelay(known: KnownRelay, deps: ProbeDeps): Promise<Relook> {
  const inspector = createInspector(deps);
  const [reading, looked] = await Promise.all([inspector.read(known.url), inspector.inspect(known.url)]);
  const finding = known.seekIdentifier ? await identified(looked, inspector) : looked;
  if (reading.found.outcome !== "served") return { finding, moved: null };
  const named = reading.found.endpoint;
  if (canonicalEndpoint(named) === finding.endpoint) {
    // The same endpoint, perhaps in another spelling: the one that is served now counts.
    const respelled = named === known.url ? finding : await inspector.inspect(named);
    return { finding: called(respelled, finding.identifier), moved: null };
  }
  const sameOrigin = new URL(canonicalEndpoint(named)).origin === new URL(finding.endpoint).origin;
  return { finding, moved: known.vouchedFor && sameOrigin ? await inspector.inspect(named) : null };
}

/** No more is asked of who did not answer just now. */
async function identified(finding: Finding, inspector: Inspector): Promise<Finding> {
  const { state } = finding.verdict;
  if (finding.verifiedBy === null || (state !== "online" && state !== "auth-required")) return finding;
  return called(finding, await inspector.identifier(finding.url, finding.endpoint));
}
