/**
 * Looks at what a peer lists and this catalog doesn't, politely: bounded in all and in one domain, domains in turn, no host
 * asked on that does not answer. What could not be listed is tried again later, less and less often. The candidates are
 * the store's, so that a stop at any moment loses nothing.
 */
import { isOpenMcpError, type ProbeState } from "../../spec/index.ts";
import type { PeerCandidate } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { createHostPool } from "../host-pool.ts";
import { placeOf } from "../watch/place-of.ts";
import { learnEndpoint } from "./learn-endpoint.ts";
import {
  LEARN_CONCURRENCY,
  LEARN_HOST_FAILURES,
  LEARN_PER_DOMAIN,
  LEARN_RETRY_MS,
  LEARN_ROUND,
  LEARN_ROUND_PER_DOMAIN,
  MAX_LEARN_RETRY_MS,
  REMOVED_KEPT_OUT_MS,
} from "./limits.ts";

/**
 * Resolves with the number of relays listed for the first time, when nothing is due any more or the time is over.
 * `until`: milliseconds since the epoch.
 */
export async function learnFrom(
  context: CatalogContext,
  peer: string,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
): Promise<number> {
  const { store, clock, logger } = context;
  const failures = new Map<string, number>();
  let listed = 0;
  let broken = false;

  await using pool = createHostPool({ total: LEARN_CONCURRENCY, perHost: LEARN_PER_DOMAIN });
  const stop = (): void => void pool.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (
      let now = clock.now();
      !signal.aborted && !broken && now < until;
      now = Math.max(clock.now(), now + 1)
    ) {
      const due = await store.peers.due(peer, now, LEARN_ROUND);
      if (due.length === 0) break;
      const asked = new Map<string, number>();
      for (const candidate of due) {
        // Politeness is owed to whoever has the machines, however many names they gave them.
        const { host, domain } = await placeOf(candidate.endpoint);
        const count = (asked.get(domain) ?? 0) + 1;
        asked.set(domain, count);
        // Its turn comes with the next round.
        if (count > LEARN_ROUND_PER_DOMAIN) await store.peers.postpone(peer, candidate, now + 1);
        else pool.add(domain, (halt) => one(candidate, host, halt));
      }
      await pool.idle();
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return listed;

  /** Never rejects. A candidate that neither was settled nor could be put off stays due, and ends this. */
  async function one(candidate: PeerCandidate, host: string, halt: AbortSignal): Promise<void> {
    const { endpoint, tries } = candidate;
    try {
      if (clock.now() >= until) return;
      if ((failures.get(host) ?? 0) >= LEARN_HOST_FAILURES) {
        await store.peers.postpone(peer, candidate, clock.now() + LEARN_RETRY_MS);
        return;
      }
      const learned = await learnEndpoint(context, candidate, { peer, signal: halt });
      switch (learned.kind) {
        case "listed":
          listed += 1;
          return await store.peers.settle(peer, endpoint);
        case "known":
          return await store.peers.settle(peer, endpoint);
        case "removed":
          return await store.peers.postpone(peer, candidate, clock.now() + REMOVED_KEPT_OUT_MS);
        case "not-listable": {
          if (outOfReach(learned.state)) failures.set(host, (failures.get(host) ?? 0) + 1);
          const pause = Math.min(LEARN_RETRY_MS * 2 ** tries, MAX_LEARN_RETRY_MS);
          return await store.peers.postpone(peer, { endpoint, tries: tries + 1 }, clock.now() + pause);
        }
      }
    } catch (error) {
      if (halt.aborted || isOpenMcpError(error, "aborted")) return;
      logger.warn(
        { peer, endpoint, error: String(error) },
        "a relay that a peer lists could not be looked at",
      );
      await store.peers.postpone(peer, candidate, clock.now() + LEARN_RETRY_MS).catch(() => {
        broken = true;
      });
    }
  }
}

function outOfReach(state: ProbeState): boolean {
  return state === "timeout" || state === "unreachable" || state === "blocked";
}
