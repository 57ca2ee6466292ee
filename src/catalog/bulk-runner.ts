/**
 * Works off bulk registrations: all jobs at once, a bound in all and one a host. The jobs are the store's, so that a stop
 * at any moment loses nothing; a URL whose result was not written is registered again, which changes nothing.
 */
import type { CatalogContext } from "./context.ts";
import { createDoorbell } from "./doorbell.ts";
import { createHostPool, type HostPool } from "./host-pool.ts";
import {
  BULK_CONCURRENCY,
  BULK_PER_DOMAIN,
  JOB_KEPT_MS,
  MAX_BULK_URLS,
  MAX_JOBS_AT_ONCE,
  WORKER_RETRY_MS,
} from "./limits.ts";
import { registerOutcome } from "./register-outcome.ts";
import { shared } from "./shared.ts";
import { placeOf } from "./watch/place-of.ts";
import { createWorker, slept, type Worker } from "./worker.ts";

export function createBulkRunner(context: CatalogContext): Worker {
  const { store, clock, logger } = context;

  return createWorker(async (signal) => {
    await using pool = createHostPool({ total: BULK_CONCURRENCY, perHost: BULK_PER_DOMAIN });
    signal.addEventListener("abort", () => void pool.close(), { once: true });
    const jobs = new Map<string, Promise<void>>();
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const work = createDoorbell(signal);
    const hush = shared(store).jobs.listen(work.ring);
    try {
      while (!signal.aborted) {
        try {
          await takeUp(jobs, { pool, stopped, done: work.ring, signal });
          await work.rung();
        } catch (error) {
          logger.error({ error: String(error) }, "bulk jobs could not be read; they are tried again");
          if (!(await slept(clock, WORKER_RETRY_MS, signal))) break;
        }
      }
    } finally {
      hush();
      await pool.close();
      await Promise.all(jobs.values());
    }
  });

  /** Starts unfinished jobs as far as there is room. */
  async function takeUp(jobs: Map<string, Promise<void>>, run: Run): Promise<void> {
    await store.jobs.forget(clock.now() - JOB_KEPT_MS);
    for (const id of await store.jobs.unfinished()) {
      if (jobs.size >= MAX_JOBS_AT_ONCE || run.signal.aborted) return;
      if (jobs.has(id)) continue;
      const job = runJob(id, run).finally(() => {
        jobs.delete(id);
        run.done();
      });
      jobs.set(id, job);
    }
  }

  /** Resolves when every URL of the job that had no result was tried, or the pool closes. */
  async function runJob(id: string, { pool, stopped, signal }: Run): Promise<void> {
    try {
      const open = await store.jobs.open(id, MAX_BULK_URLS);
      const tried = open.map(async ({ position, url }) => {
        const owner = await ownerOf(url);
        await new Promise<void>((resolve) => {
          pool.add(owner, (stop) => registerOne(id, { position, url, stop }).finally(resolve));
        });
      });
      await Promise.race([Promise.all(tried), stopped]);
    } catch (error) {
      logger.error({ job: id, error: String(error) }, "a bulk job was broken off; it is tried again");
      await slept(clock, WORKER_RETRY_MS, signal);
    }
  }

  async function registerOne(
    job: string,
    { position, url, stop }: { readonly position: number; readonly url: string; readonly stop: AbortSignal },
  ): Promise<void> {
    const tried = await registerOutcome(context, url, { signal: stop });
    if (tried === null) return;
    try {
      await store.jobs.finish(job, position, tried.result, clock.now());
    } catch (error) {
      // Without a result the URL stays open and is tried again: not at once, when it is the store that fails.
      logger.error({ job, error: String(error) }, "the result of a bulk registration was not written");
      await slept(clock, WORKER_RETRY_MS, stop);
    }
  }
}

interface Run {
  readonly pool: HostPool;
  /** Resolves when the worker is closed. */
  readonly stopped: Promise<void>;
  /** Told when a job has ended. */
  readonly done: () => void;
  readonly signal: AbortSignal;
}

/** Politeness is owed to whoever has the machines, however many names they gave them. */
async function ownerOf(url: string): Promise<string> {
  return URL.canParse(url) ? (await placeOf(url)).domain : url;
}
