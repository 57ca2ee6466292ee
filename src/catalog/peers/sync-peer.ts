/**
 * One sync with one peer: its list is read, what is new is looked at, what became of it is kept. Whoever asks for the
 * same peer at the same time joins; whatever the peer does is a sentence in `lastError` and concerns nobody else.
 */
import type { CatalogContext } from "../context.ts";
import { shared } from "../shared.ts";
import { learnFrom } from "./learn.ts";
import { PEER_SYNC_MS, REMOVED_KEPT_OUT_MS } from "./limits.ts";
import { readPeer } from "./read-peer.ts";

export interface PeerSync {
  /** Relays listed for the first time. */
  readonly learned: number;
  /** Why the list was not read to its end; null when it was. */
  readonly error: string | null;
  /** What the peer asked to be left alone for. */
  readonly retryAfterMs?: number;
}

/** @throws OpenMcpError `aborted` when the last one who waits has gone, and whatever the store throws. */
export function syncPeer(
  context: CatalogContext,
  peer: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<PeerSync> {
  return shared(context.store).syncs.run(peer, signal, (joint) => sync(context, peer, { signal: joint }));
}

async function sync(
  context: CatalogContext,
  peer: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<PeerSync> {
  const { store, clock, logger, meter } = context;
  const started = clock.now();
  await store.peers.forgetRemoved(started - REMOVED_KEPT_OUT_MS);
  const reading = await readPeer(context, peer, { signal });
  const learned = await learnFrom(context, peer, { until: started + PEER_SYNC_MS, signal });
  signal.throwIfAborted();
  const { error } = reading;
  await store.peers.synced(peer, { error, now: clock.now() });
  meter.count("peer_syncs_total", { outcome: error === null ? "read" : "failed" });
  meter.observe("peer_sync_duration_seconds", (clock.now() - started) / 1_000, {});
  if (error !== null) logger.warn({ peer, error }, "a peer's list was not read to its end");
  if (learned > 0) logger.info({ peer, learned }, "relays were learned from a peer");
  return { ...reading, learned };
}
