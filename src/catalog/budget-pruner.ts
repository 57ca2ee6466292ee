/** Drops budgets that are full again, a bounded number at a time: of a client that went away nothing is kept. */
import type { CatalogContext } from "./context.ts";
import { BUDGETS_PRUNED, PRUNE_BUDGETS_EVERY_MS, WORKER_RETRY_MS } from "./limits.ts";
import { breathe, createWorker, slept, type Worker } from "./worker.ts";

/** Looks once at the start, then every `PRUNE_BUDGETS_EVERY_MS`. */
export function createBudgetPruner({ store, clock, logger }: CatalogContext): Worker {
  async function prune(signal: AbortSignal): Promise<number> {
    try {
      while (!signal.aborted) {
        const dropped = await store.budgets.prune(clock.now(), BUDGETS_PRUNED);
        if (dropped < BUDGETS_PRUNED) break;
        await breathe();
      }
      return PRUNE_BUDGETS_EVERY_MS;
    } catch (error) {
      logger.error({ error: String(error) }, "used budgets were not dropped; it is tried again");
      return WORKER_RETRY_MS;
    }
  }

  return createWorker(async (signal) => {
    while (!signal.aborted) {
      if (!(await slept(clock, await prune(signal), signal))) return;
    }
  });
}
