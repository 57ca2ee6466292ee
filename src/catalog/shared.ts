/**
 * What the operations and workers of one catalog share in this process beside the store: work under way, and bells
 * for who waits for more. Kept by store, so that every context over one store shares it; nothing here outlives the process.
 */
import type { Store } from "../store/index.ts";
import { type Crowd, createCrowd } from "./crowd.ts";
import { createFlights, type Flights } from "./flights.ts";
import { createIndexLine, type IndexLine } from "./index-line.ts";
import { createStepFeed, type StepFeed } from "./step-feed.ts";
import { type Courtesy, createCourtesy } from "./watch/courtesy.ts";
import { COURTESY_PER_DOMAIN, COURTESY_PER_HOST, SLOW_LOOK_MS } from "./watch/limits.ts";

export interface Shared {
  /** Registrations and refreshes. */
  readonly probes: Flights;
  /** The steps of those, for who waits for one. */
  readonly steps: StepFeed;
  /** Looks at endpoints and readings of descriptors, under whatever probe. */
  readonly looks: Flights;
  /** How much of that may be asked at one place. */
  readonly courtesy: Courtesy;
  /** Calls that are being forwarded, by relay and by client. */
  readonly calls: Crowd;
  /** Requests that are being passed through, in all, by client and by origin. */
  readonly passages: Crowd;
  /** Where registrations by hand wait for the search index. */
  readonly index: IndexLine;
  /** Rung when a bulk job was created. */
  readonly jobs: Bell;
  /** Rung when an import was created or cancelled. */
  readonly imports: Bell;
  /** Rung when a delivery was asked for by hand. */
  readonly webhooks: Bell;
  /** Syncs with peers, by the peer's URL. */
  readonly syncs: Flights;
  /** Rung when a peer was added or removed. */
  readonly peers: Bell;
  /** Rung when all peers are to be synced now. */
  readonly syncAll: Bell;
}

export interface Bell {
  ring(): void;
  /** Calls `listener` at every ring until the returned function is called. */
  listen(listener: () => void): () => void;
}

const sharedOf = new WeakMap<Store, Shared>();

export function shared(store: Store): Shared {
  const known = sharedOf.get(store);
  if (known !== undefined) return known;
  const fresh: Shared = {
    probes: createFlights(),
    steps: createStepFeed(),
    looks: createFlights(),
    courtesy: createCourtesy({
      perHost: COURTESY_PER_HOST,
      perDomain: COURTESY_PER_DOMAIN,
      slowMs: SLOW_LOOK_MS,
    }),
    calls: createCrowd(),
    passages: createCrowd(),
    index: createIndexLine(() => store.searchIndex.pending()),
    jobs: createBell(),
    imports: createBell(),
    webhooks: createBell(),
    syncs: createFlights(),
    peers: createBell(),
    syncAll: createBell(),
  };
  sharedOf.set(store, fresh);
  return fresh;
}

function createBell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
