/** The workers of a running catalog by name: which there are, started and closed together, and how they are. */
import {
  type CatalogContext,
  createBulkRunner,
  createChangePruner,
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
  /** Those that have failed, with why. */
  failed(): readonly { readonly name: string; readonly failure: unknown }[];
  /** Idempotent; resolves when nothing of any is under way. */
  close(): Promise<void>;
}

export function createWorkers(
  context: CatalogContext,
  options: Pick<ServeOptions, "refreshMs" | "peerSyncMs">,
): Workers {
  const { refreshMs, peerSyncMs } = options;
  const workers: Readonly<Record<string, Worker>> = {
    "search-index": createIndexer(context),
    bulk: createBulkRunner(context),
    "old-changes": createChangePruner(context),
    webhooks: createWebhookDispatcher(context),
    ...(refreshMs === null ? {} : { schedule: createScheduler(context, refreshMs) }),
    ...(peerSyncMs === null ? {} : { peers: createPeerWorker(context, { everyMs: peerSyncMs }) }),
  };
  async function close(): Promise<void> {
    await Promise.all(Object.values(workers).map((worker) => worker.close()));
  }
  return {
    start() {
      for (const worker of Object.values(workers)) worker.start();
    },
    failed: () =>
      Object.entries(workers)
        .filter(([, worker]) => worker.state === "failed")
        .map(([name, worker]) => ({ name, failure: worker.failure })),
    close,
    [Symbol.asyncDispose]: close,
  };
}
