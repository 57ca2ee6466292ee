/**
 * Looks again at a relay that is listed. Unlike a registration it searches nothing: it asks the endpoint, and its origin
 * whether it still vouches; a new path is followed only where the origin vouched for the old one (wire.md "The relay id").
 */
import { canonicalEndpoint } from "../../spec/index.ts";
import type { Finding, ProbeDeps } from "./finding.ts";
import { createInspector } from "./inspector.ts";

export interface KnownRelay {
  /** The endpoint as it is asked. */
  readonly url: string;
  /** True when its origin's descriptor named it at the last look that gave evidence. */
  readonly vouchedFor: boolean;
}

export interface Relook {
  readonly finding: Finding;
  /** The endpoint on the same origin that the descriptor names now, in place of the old one. */
  readonly moved: Finding | null;
}

/** @throws OpenMcpError `aborted` when the signal fires; what the relay does never rejects. */
export async function probeRelay(known: KnownRelay, deps: ProbeDeps): Promise<Relook> {
  const inspector = createInspector(deps);
  const [reading, finding] = await Promise.all([inspector.read(known.url), inspector.inspect(known.url)]);
  if (reading.found.outcome !== "served") return { finding, moved: null };
  const named = reading.found.endpoint;
  if (canonicalEndpoint(named) === finding.endpoint) {
    // The same endpoint, perhaps in another spelling: the one that is served now counts.
    return { finding: named === known.url ? finding : await inspector.inspect(named), moved: null };
  }
  const sameOrigin = new URL(canonicalEndpoint(named)).origin === new URL(finding.endpoint).origin;
  return { finding, moved: known.vouchedFor && sameOrigin ? await inspector.inspect(named) : null };
}
