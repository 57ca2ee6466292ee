/**
 * Syncs every peer at its start, when it is added, and from then on by a period with jitter. Each peer has its own lane,
 * so that one that hangs holds up itself alone. What a sync does is sync-peer.ts.
 */
import type { CatalogContext } from "../context.ts";
import { createDoorbell } from "../doorbell.ts";
import { WORKER_RETRY_MS } from "../limits.ts";
import { shared } from "../shared.ts";
import { createWorker, slept, type Worker } from "../worker.ts";
import { MAX_PEER_PAUSE_MS, PEER_JITTER } from "./limits.ts";
import { type PeerSync, syncPeer } from "./sync-peer.ts";

export interface PeerWorkerOptions {
  /** Milliseconds from the end of one sync to the start of the next, before jitter. */
  readonly everyMs: number;
  /** From 0 to 1; default `Math.random`. */
  readonly random?: () => number;
}

interface Lane {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export function createPeerWorker(context: CatalogContext, options: PeerWorkerOptions): Worker {
  const { store, clock, logger } = context;
  const { everyMs, random = Math.random } = options;
  const { peers, syncAll } = shared(store);

  return createWorker(async (signal) => {
    const lanes = new Map<string, Lane>();
    const change = createDoorbell(signal);
    const hush = peers.listen(change.ring);
    try {
      while (!signal.aborted) {
        try {
          await follow(lanes, signal);
          await change.rung();
        } catch (error) {
          logger.error({ error: String(error) }, "the peers could not be read; it is tried again");
          if (!(await slept(clock, WORKER_RETRY_MS, signal))) break;
        }
      }
    } finally {
      hush();
      for (const lane of lanes.values()) lane.abort.abort();
      await Promise.all([...lanes.values()].map((lane) => lane.ended));
    }
  });

  /** Lanes for the peers there are, none for those that are gone. */
  async function follow(lanes: Map<string, Lane>, signal: AbortSignal): Promise<void> {
    const urls = (await store.peers.list()).map((peer) => peer.url);
    for (const [url, lane] of lanes) {
      if (urls.includes(url)) continue;
      lanes.delete(url);
      lane.abort.abort();
      await lane.ended;
    }
    for (const url of urls) {
      if (lanes.has(url) || signal.aborted) continue;
      const abort = new AbortController();
      lanes.set(url, { abort, ended: runLane(url, abort.signal) });
    }
  }

  /** Never rejects; ends when the signal fires. */
  async function runLane(peer: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const outcome = await syncOnce(peer, signal);
      if (!signal.aborted) await pause(pauseAfter(outcome), signal);
    }
  }

  /** Null when it failed for reasons of our own: those are for the log. */
  async function syncOnce(peer: string, signal: AbortSignal): Promise<PeerSync | null> {
    try {
      return await syncPeer(context, peer, { signal });
    } catch (error) {
      if (!signal.aborted) logger.error({ peer, error: String(error) }, "a sync with a peer was broken off");
      return null;
    }
  }

  function pauseAfter(outcome: PeerSync | null): number {
    const jittered = everyMs * (1 + PEER_JITTER * (2 * random() - 1));
    return Math.max(jittered, Math.min(outcome?.retryAfterMs ?? 0, MAX_PEER_PAUSE_MS));
  }

  /** Until the time is over, all peers are to be synced or the signal fires. */
  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const hush = syncAll.listen(() => over.abort());
    await slept(clock, ms, AbortSignal.any([signal, over.signal]));
    hush();
  }
}
