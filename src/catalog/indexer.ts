/**
 * Keeps the search index level with the records: the store marks what a write left behind, this works the marks off.
 * Batches are what make it cheap, so a few marks wait a moment for company, and many are worked off without a pause.
 */
import type { CatalogContext } from "./context.ts";
import { INDEX_BATCH, INDEX_GATHER_MS, INDEX_PAUSE_MS, WORKER_RETRY_MS } from "./limits.ts";
import { breathe, createWorker, slept, type Worker } from "./worker.ts";

/** Within `INDEX_PAUSE_MS` of a write when idle; after a crash it finds the marks and catches up. */
export function createIndexer(context: CatalogContext): Worker {
  const { store, clock, logger, meter } = context;

  /** Milliseconds to pause before the next step; 0: go on. */
  async function step(): Promise<number> {
    try {
      const { indexed, pending } = await store.searchIndex.step();
      if (indexed > 0) meter.count("search_indexed_relays_total", {}, indexed);
      if (pending === 0) return INDEX_PAUSE_MS;
      // A step that finished no relay is in the middle of a large one.
      return pending >= INDEX_BATCH || indexed === 0 ? 0 : INDEX_GATHER_MS;
    } catch (error) {
      logger.error({ error: String(error) }, "a step of the search index failed; it is tried again");
      return WORKER_RETRY_MS;
    }
  }

  return createWorker(async (signal) => {
    while (!signal.aborted) {
      const pause = await step();
      if (pause === 0) await breathe();
      else if (!(await slept(clock, pause, signal))) return;
    }
  });
}
