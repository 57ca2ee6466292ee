/**
 * One endpoint that a peer lists: looked at here, and listed with `via` when there is something to list. A record that is
 * here already is never written by it, whether it was registered directly or learned from another peer.
 */
import type { ProbeState } from "../../spec/index.ts";
import type { PeerOffer } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { commitFinding } from "../probe/commit-finding.ts";
import { probeDeps } from "../probe/context-deps.ts";
import { createInspector } from "../probe/inspector.ts";
import { REMOVED_KEPT_OUT_MS } from "./limits.ts";

export type Learned =
  | { readonly kind: "listed" | "known" | "removed" }
  /** Nothing to list; `state` says why. */
  | { readonly kind: "not-listable"; readonly state: ProbeState };

/** @throws OpenMcpError `aborted`, `conflict`; what the relay does never rejects. */
export async function learnEndpoint(
  context: CatalogContext,
  { endpoint, url }: PeerOffer,
  { peer, signal }: { readonly peer: string; readonly signal: AbortSignal },
): Promise<Learned> {
  const { store, clock } = context;
  if ((await store.relays.findByEndpoint(endpoint)) !== null) return { kind: "known" };
  const finding = await createInspector(probeDeps(context, signal)).inspect(url);
  // Asked after the look, which takes its time: an admin may have removed it meanwhile.
  if (await store.peers.removedSince(endpoint, clock.now() - REMOVED_KEPT_OUT_MS)) return { kind: "removed" };
  const committed = await commitFinding(context, finding, { via: peer });
  if (committed.kind === "not-listable" || committed.kind === "opted-out") {
    return { kind: "not-listable", state: finding.verdict.state };
  }
  return { kind: committed.kind === "saved" ? "listed" : "known" };
}
