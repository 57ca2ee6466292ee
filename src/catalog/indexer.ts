/**
 * Keeps the search index level with the records: the store marks what a write left behind, this works the marks off.
 * Batches are what make it cheap, so a few marks wait a moment for company unless somebody waits for them, and many are worked
 * off without a pause. What is left for a quiet time, the index's means, is looked at then.
 */
import type { CatalogContext } from "./context.ts";
import {
  INDEX_BATCH,
  INDEX_GATHER_MS,
  INDEX_HELD_MS,
  INDEX_PAUSE_MS,
  INDEX_QUIET_MS,
  WORKER_RETRY_MS,
} from "./limits.ts";
import { shared } from "./shared.ts";
import { breathe, createWorker, slept, type Worker } from "./worker.ts";

/** Within `INDEX_PAUSE_MS` of a write when idle, at once for who waits; after a crash it finds the marks and catches up. */
export function createIndexer(context: CatalogContext): Worker {
  const { store, clock, logger, meter } = context;
  const line = shared(store).index;

  return createWorker(async (signal) => {
    let woken = false;
    let wake = (): void => {};
    /** Whether anything was indexed since the means were held: a stop may have come in between. */
    let unheld = true;
    let indexedAt = clock.now();
    let heldAt = clock.now();
    const hush = line.serve(() => {
      woken = true;
      wake();
    });

    /** Milliseconds to pause before the next step; 0: go on. */
    async function step(): Promise<number> {
      woken = false;
      const { indexed, pending } = await store.searchIndex.step();
      if (indexed > 0) {
        unheld = true;
        indexedAt = clock.now();
        meter.count("search_indexed_relays_total", {}, indexed);
      }
      if (pending === 0) {
        // Who came while the step ran may have written after it had looked.
        if (!woken) line.caughtUp();
        return woken ? 0 : atRest();
      }
      // A step that finished no relay is in the middle of a large one.
      return pending >= INDEX_BATCH || indexed === 0 || woken ? 0 : INDEX_GATHER_MS;
    }

    async function atRest(): Promise<number> {
      const now = clock.now();
      if (!unheld || now < Math.min(indexedAt + INDEX_QUIET_MS, heldAt + INDEX_HELD_MS))
        return INDEX_PAUSE_MS;
      unheld = false;
      heldAt = now;
      return (await store.searchIndex.renew()) ? 0 : INDEX_PAUSE_MS;
    }

    /** Until `ms` are over, somebody waits, or the worker is closed. */
    async function pause(ms: number): Promise<void> {
      const over = new AbortController();
      wake = () => over.abort();
      signal.addEventListener("abort", wake, { once: true });
      if (!woken) await slept(clock, ms, over.signal);
      signal.removeEventListener("abort", wake);
      wake = () => {};
    }

    try {
      while (!signal.aborted) {
        const ms = await step().catch((error: unknown) => {
          logger.error({ error: String(error) }, "a step of the search index failed; it is tried again");
          woken = false;
          return WORKER_RETRY_MS;
        });
        if (ms === 0) await breathe();
        else await pause(ms);
      }
    } finally {
      hush();
    }
  });
}
