/** The workers of a running catalog by name: which there are, started and closed together, and how they are. */
import {
  type CatalogContext,
  createBudgetPruner,
  createBulkRunner,
  createChangePruner,
  createImportRunner,
  createIndexer,
  createPeerWorker,
  createScheduler,
  createWebhookDispatcher,
  type Worker,
} from "../catalog/index.ts";
import { WORKERS_CLOSE_MS } from "./limits.ts";
import type { ServeOptions } from "./serve-options.ts";

export interface Workers extends AsyncDisposable {
  /** Idempotent. */
  start(): void;
  /** Closes them, does `work`, and starts them afresh: while it lasts, nothing of them reads or writes. */
  paused<T>(work: () => Promise<T>): Promise<T>;
  /** Those that have failed, with why. */
  failed(): readonly { readonly name: string; readonly failure: unknown }[];
  /** Idempotent; resolves when nothing of any is under way, or when one that hangs was waited for long enough. */
  close(): Promise<void>;
}

type WorkerOptions = Pick<ServeOptions, "refreshMs" | "peerSyncMs">;

export function createWorkers(context: CatalogContext, options: WorkerOptions): Workers {
  let workers = makeWorkers(context, options);
  let closed = false;

  function start(): void {
    for (const worker of Object.values(workers)) worker.start();
  }

  async function closeAll(): Promise<void> {
    const open = new Set(Object.keys(workers));
    const ends = Object.entries(workers).map(([name, worker]) =>
      worker.close().then(() => open.delete(name)),
    );
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WORKERS_CLOSE_MS);
    await Promise.race([Promise.all(ends), late]);
    clearTimeout(timer);
    if (open.size > 0) context.logger.error({ workers: [...open] }, "workers did not end in time");
  }

  function close(): Promise<void> {
    closed = true;
    return closeAll();
  }

  return {
    start,
    async paused(work) {
      await closeAll();
      try {
        return await work();
      } finally {
        if (!closed) {
          workers = makeWorkers(context, options);
          start();
        }
      }
    },
    failed: () =>
      Object.entries(workers)
        .filter(([, worker]) => worker.state === "failed")
        .map(([name, worker]) => ({ name, failure: worker.failure })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function makeWorkers(
  context: CatalogContext,
  { refreshMs, peerSyncMs }: WorkerOptions,
): Readonly<Record<string, Worker>> {
  return {
    "search-index": createIndexer(context),
    bulk: createBulkRunner(context),
    imports: createImportRunner(context),
    changes: createChangePruner(context),
    webhooks: createWebhookDispatcher(context),
    ...(context.budgets === undefined ? {} : { budgets: createBudgetPruner(context) }),
    ...(refreshMs === null ? {} : { schedule: createScheduler(context, refreshMs) }),
    ...(peerSyncMs === null ? {} : { peers: createPeerWorker(context, { everyMs: peerSyncMs }) }),
  };
}
