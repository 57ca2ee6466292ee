/**
 * Looks at relays when they are due. What is due is leased from the store, so that several of these over one store share
 * the work, and a crash gives it back; here is decided only how much is under way at once. A look that turns out slow
 * is set aside: it goes on, and another takes its place.
 */
import { type Clock, isOpenMcpError } from "../../spec/index.ts";
import type { LeasedRelay } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { WORKER_RETRY_MS } from "../limits.ts";
import { lookAgain } from "../look-again.ts";
import { createTurns } from "../turns.ts";
import { breathe, createWorker, slept, type Worker } from "../worker.ts";
import {
  LEASE_MS,
  LEASE_RENEWAL_MS,
  LOOKS_A_TURN,
  SLOW_LOOK_MS,
  WATCH_BATCH,
  WATCH_CONCURRENCY,
  WATCH_MOST,
  WATCH_MOST_PER_DOMAIN,
  WATCH_MOST_PER_HOST,
  WATCH_PER_DOMAIN,
  WATCH_PER_HOST,
  WATCH_POLL_MS,
  WATCH_RETRY_MS,
} from "./limits.ts";
import { createLookRoom, type LookRoom } from "./look-room.ts";
import { longestHealthyMs, longestPlanMs } from "./plan-next.ts";

/** `periodMs`: milliseconds between two looks at a relay that answers. */
export function createScheduler(context: CatalogContext, periodMs: number): Worker {
  const { store, clock, newId, logger } = context;
  /** What answered at once is not worked off at once. */
  const turn = createTurns(LOOKS_A_TURN);

  return createWorker(async (signal) => {
    const owner = newId();
    const room = createLookRoom({ quick: WATCH_CONCURRENCY, most: WATCH_MOST, slowMs: SLOW_LOOK_MS });
    const own = { owner, room, signal };
    const nap = createNap(clock, signal);
    const hush = room.listen(nap.wake);
    let last = Number.POSITIVE_INFINITY;
    let renewAt = 0;
    while (!signal.aborted) {
      let pause: number;
      try {
        const now = clock.now();
        // At the start, and when the clock was set back: plans made under another period or another time.
        if (now < last) await recall(now);
        if (now < last || now >= renewAt) {
          await store.schedule.renew(owner, now + LEASE_MS);
          renewAt = now + LEASE_RENEWAL_MS;
        }
        last = now;
        pause = await fill(own, now);
      } catch (error) {
        logger.error({ error: String(error) }, "the schedule could not be read; it is tried again");
        pause = WORKER_RETRY_MS;
      }
      if (pause > 0) await nap.sleep(pause);
      // What else ends in this turn is taken in one go.
      await breathe();
    }
    hush();
    await room.idle();
    await handBackAll(owner);
  });

  async function recall(now: number): Promise<void> {
    const online = now + longestHealthyMs(periodMs);
    const recalled = await store.schedule.recall({ now, online, any: now + longestPlanMs(periodMs) });
    if (recalled > 0) logger.info({ relays: recalled }, "plans for a far time were taken back");
  }

  /** Starts what is due as far as there is room. Milliseconds until there may be more; 0: look again soon. */
  async function fill(own: Own, now: number): Promise<number> {
    const limit = own.room.free(now);
    if (limit < WATCH_BATCH) return WATCH_POLL_MS;
    const { relays, more } = await store.schedule.lease({
      owner: own.owner,
      now,
      limit,
      leaseMs: LEASE_MS,
      slowMs: SLOW_LOOK_MS,
      perHost: WATCH_PER_HOST,
      perDomain: WATCH_PER_DOMAIN,
      mostPerHost: WATCH_MOST_PER_HOST,
      mostPerDomain: WATCH_MOST_PER_DOMAIN,
    });
    for (const [index, relay] of relays.entries()) {
      if (index > 0 && index % LOOKS_A_TURN === 0) await breathe();
      own.room.run(now, () => look(relay, own));
    }
    if (more) return WATCH_POLL_MS;
    const due = await store.schedule.nextDue();
    return due === null ? WATCH_POLL_MS : Math.min(Math.max(due - now, 0), WATCH_POLL_MS);
  }

  /** Never rejects. */
  async function look({ id }: LeasedRelay, { owner, signal }: Own): Promise<void> {
    try {
      await lookAgain(context, id, { signal, lease: owner, turn });
    } catch (error) {
      // At a stop all leases are handed back at once.
      if (signal.aborted) return;
      // Removed meanwhile, or its owner wants no listing.
      const gone = isOpenMcpError(error, "not-found") || isOpenMcpError(error, "not-listed");
      if (!gone) logger.warn({ relay: id, error: String(error) }, "a relay could not be looked at");
      await postpone(id, owner);
    }
  }

  async function postpone(id: string, owner: string): Promise<void> {
    try {
      const dueAt = clock.now() + WATCH_RETRY_MS;
      await store.schedule.handBack(owner, { relay: id, dueAt });
    } catch (error) {
      logger.error({ relay: id, error: String(error) }, "a look could not be handed back");
    }
  }

  async function handBackAll(owner: string): Promise<void> {
    try {
      await store.schedule.handBack(owner);
    } catch (error) {
      logger.error({ error: String(error) }, "looks could not be handed back: their leases run out");
    }
  }
}

interface Nap {
  /** Until the time is over, the signal fires, or it is woken; at once when it was woken since the last time. */
  sleep(ms: number): Promise<void>;
  readonly wake: () => void;
}

function createNap(clock: Clock, signal: AbortSignal): Nap {
  let woken = false;
  let asleep: AbortController | null = null;
  return {
    async sleep(ms) {
      if (!woken) {
        asleep = new AbortController();
        await slept(clock, ms, AbortSignal.any([signal, asleep.signal]));
        asleep = null;
      }
      woken = false;
    },
    wake() {
      woken = true;
      asleep?.abort();
    },
  };
}

interface Own {
  readonly owner: string;
  readonly room: LookRoom;
  readonly signal: AbortSignal;
}
