/** The workers of a running catalog by name: which there are, started and closed together, and how they are. */
import {
  type CatalogContext,
  createBulkRunner,
  createIndexer,
  createPeerWorker,
  createScheduler,
  createWebhookDispatcher,
  type Worker,
} from "../catalog/index.ts";
import type { ServeOptions } from "./serve-options.ts";

export interface Workers extends AsyncDisposable {
  /** Idempotent. */
  start(): void;
  /** Closes them, does `work`, and starts them afresh: while it lasts, nothing of them reads or writes. */
  paused<T>(work: () => Promise<T>): Promise<T>;
  /** Those that have failed, with why. */
  failed(): readonly { readonly name: string; readonly failure: unknown }[];
  /** Idempotent; resolves when nothing of any is under way. */
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
    await Promise.all(Object.values(workers).map((worker) => worker.close()));
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
    webhooks: createWebhookDispatcher(context),
    ...(refreshMs === null ? {} : { schedule: createScheduler(context, refreshMs) }),
    ...(peerSyncMs === null ? {} : { peers: createPeerWorker(context, { everyMs: peerSyncMs }) }),
  };
}
