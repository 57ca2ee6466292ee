/**
 * Looks at what an import took, as a bulk registration does: bounded in all and one domain, domains in turn, while more is being
 * read. A host that does not answer is left alone. A URL whose outcome was not written is looked at again, which changes nothing.
 */
import type { OpenUrl, UrlOutcome } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { createDoorbell, type Doorbell } from "../doorbell.ts";
import type { HostPool } from "../host-pool.ts";
import { IMPORT_HOST_FAILURES, IMPORT_QUEUED, WORKER_RETRY_MS } from "../limits.ts";
import { REMOVED_KEPT_OUT_MS } from "../peers/limits.ts";
import { registerOutcome } from "../register-outcome.ts";
import { slept } from "../worker.ts";

export interface ProbeLane {
  readonly job: string;
  /** True where the URLs are a list's and not a person's: what an admin removed stays removed. */
  readonly hearsay: boolean;
  /** All imports share it. */
  readonly pool: HostPool;
  readonly signal: AbortSignal;
}

export interface Probing {
  /** There may be more to look at. */
  readonly more: () => void;
  /** All is read: it ends when nothing is left. */
  readonly last: () => void;
  /** Resolves when nothing is left, or the signal fires: what is under way then is the pool's. Rejects when the store does. */
  readonly ended: Promise<void>;
}

export function probeAll(context: CatalogContext, { job, hearsay, pool, signal }: ProbeLane): Probing {
  const { store, clock, logger } = context;
  const inHand = new Set<number>();
  const failures = new Map<string, number>();
  const bell: Doorbell = createDoorbell(signal);
  let allRead = false;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (inHand.size <= IMPORT_QUEUED / 2) {
        // Those in hand have no outcome yet, and come first again.
        const open = await store.imports.open(job, inHand.size + IMPORT_QUEUED);
        const fresh = open.filter(({ position }) => !inHand.has(position));
        if (fresh.length === 0 && inHand.size === 0 && allRead) return;
        for (const url of fresh.slice(0, IMPORT_QUEUED - inHand.size)) take(url);
      }
      await bell.rung();
    }
  }

  function take(url: OpenUrl): void {
    inHand.add(url.position);
    pool.add(url.domain, (stop) =>
      one(url, AbortSignal.any([stop, signal])).finally(() => {
        inHand.delete(url.position);
        bell.ring();
      }),
    );
  }

  /** Never rejects. */
  async function one(url: OpenUrl, stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    try {
      const outcome = await outcomeOf(url, stop);
      if (outcome !== null) await store.imports.finish(job, url.position, outcome, clock.now());
    } catch (error) {
      // Without an outcome it stays open and is tried again: not at once, when it is the store that fails.
      logger.error({ job, error: String(error) }, "the outcome of an import's URL was not written");
      await slept(clock, WORKER_RETRY_MS, stop);
    }
  }

  /** Null when it was broken off. */
  async function outcomeOf(
    { url, endpoint, identifier }: OpenUrl,
    stop: AbortSignal,
  ): Promise<UrlOutcome | null> {
    const { host } = new URL(url);
    if ((failures.get(host) ?? 0) >= IMPORT_HOST_FAILURES) {
      return notListed(
        "host-down",
        `it was not asked: ${IMPORT_HOST_FAILURES} others at ${host} were out of reach`,
      );
    }
    if (hearsay && (await store.peers.removedSince(endpoint, clock.now() - REMOVED_KEPT_OUT_MS))) {
      return notListed("removed", "an admin removed it here: register it by hand to have it back");
    }
    const tried = await registerOutcome(context, url, { signal: stop, identifier });
    if (tried === null) return null;
    const { outcome, relay, state, error } = tried.result;
    const down = outcome === "refused" && (state === "timeout" || state === "unreachable");
    failures.set(host, down ? (failures.get(host) ?? 0) + 1 : 0);
    if (outcome === "listed" || outcome === "known") return { outcome, relay, failure: null, error: null };
    return notListed(tried.optedOut ? "opted-out" : (state ?? "error"), error);
  }

  return {
    more: bell.ring,
    last() {
      allRead = true;
      bell.ring();
    },
    ended: run(),
  };
}

function notListed(failure: UrlOutcome["failure"], error: string | null): UrlOutcome {
  return { outcome: "failed", relay: null, failure, error };
}
