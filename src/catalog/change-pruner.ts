/** Drops changes that are older than they are kept, a bounded number at a time, so that nobody waits for it. */
import type { CatalogContext } from "./context.ts";
import { CHANGES_KEPT_MS, PRUNE_EVERY_MS, PRUNE_STEP, WORKER_RETRY_MS } from "./limits.ts";
import { breathe, createWorker, slept, type Worker } from "./worker.ts";

/** Looks once at the start, then every `PRUNE_EVERY_MS`. */
export function createChangePruner({ store, clock, logger }: CatalogContext): Worker {
  async function prune(signal: AbortSignal): Promise<number> {
    try {
      while (!signal.aborted) {
        const dropped = await store.changes.prune(clock.now() - CHANGES_KEPT_MS, PRUNE_STEP);
        if (dropped < PRUNE_STEP) break;
        await breathe();
      }
      return PRUNE_EVERY_MS;
    } catch (error) {
      logger.error({ error: String(error) }, "old changes were not dropped; it is tried again");
      return WORKER_RETRY_MS;
    }
  }

  return createWorker(async (signal) => {
    while (!signal.aborted) {
      if (!(await slept(clock, await prune(signal), signal))) return;
    }
  });
}
