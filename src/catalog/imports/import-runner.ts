/**
 * Works off imports, a few at a time: each is read and looked at side by side. The jobs are the store's, so that a stop at any moment
 * neither loses nor doubles; a job that is cancelled is let go at once.
 */
import type { CatalogContext } from "../context.ts";
import { createDoorbell } from "../doorbell.ts";
import { createHostPool, type HostPool } from "../host-pool.ts";
import {
  IMPORT_CONCURRENCY,
  IMPORT_PER_DOMAIN,
  JOB_KEPT_MS,
  MAX_IMPORTS_AT_ONCE,
  WORKER_RETRY_MS,
} from "../limits.ts";
import { shared } from "../shared.ts";
import { createWorker, slept, type Worker } from "../worker.ts";
import { probeAll } from "./probe-lane.ts";
import { readAll } from "./read-lane.ts";

interface Lane {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export function createImportRunner(context: CatalogContext): Worker {
  const { store, clock, logger } = context;

  return createWorker(async (signal) => {
    const pool = createHostPool({ total: IMPORT_CONCURRENCY, perHost: IMPORT_PER_DOMAIN });
    const lanes = new Map<string, Lane>();
    const work = createDoorbell(signal);
    const hush = shared(store).imports.listen(work.ring);
    try {
      while (!signal.aborted) {
        try {
          await follow(lanes, { pool, ring: work.ring });
          await work.rung();
        } catch (error) {
          logger.error({ error: String(error) }, "imports could not be read; they are tried again");
          if (!(await slept(clock, WORKER_RETRY_MS, signal))) break;
        }
      }
    } finally {
      hush();
      for (const lane of lanes.values()) lane.abort.abort();
      await pool.close();
      await Promise.all([...lanes.values()].map((lane) => lane.ended));
    }
  });

  /** Lanes for the jobs there are, none for those that were cancelled. */
  async function follow(
    lanes: Map<string, Lane>,
    { pool, ring }: { readonly pool: HostPool; readonly ring: () => void },
  ): Promise<void> {
    await store.imports.forget(clock.now() - JOB_KEPT_MS);
    const unfinished = await store.imports.unfinished();
    for (const [id, lane] of lanes) if (!unfinished.includes(id)) lane.abort.abort();
    for (const id of unfinished) {
      if (lanes.size >= MAX_IMPORTS_AT_ONCE) return;
      if (lanes.has(id)) continue;
      const abort = new AbortController();
      const ended = runJob(id, { pool, signal: abort.signal }).finally(() => {
        lanes.delete(id);
        ring();
      });
      lanes.set(id, { abort, ended });
    }
  }

  /** Resolves when the job is done or the signal fires; when the store fails, it waits a little and ends, to be taken up again. */
  async function runJob(
    id: string,
    { pool, signal }: { readonly pool: HostPool; readonly signal: AbortSignal },
  ): Promise<void> {
    const halt = new AbortController();
    const either = AbortSignal.any([signal, halt.signal]);
    try {
      const hearsay = (await store.imports.get(id))?.from !== "urls";
      const probing = probeAll(context, { job: id, hearsay, pool, signal: either });
      const reading = readAll(context, { job: id, signal: either, onRead: probing.more }).then(probing.last);
      const ends = [reading, probing.ended].map((end) =>
        end.catch((error) => {
          // Where one can't go on, the other shall not.
          halt.abort();
          throw error;
        }),
      );
      const broken = (await Promise.allSettled(ends)).find((end) => end.status === "rejected");
      if (broken !== undefined) throw broken.reason;
      const job = await store.imports.get(id);
      if (job !== null && job.finishedAt !== null) {
        logger.info({ job: id, state: job.state, ...job.report }, "an import has ended");
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ job: id, error: String(error) }, "an import was broken off; it is taken up again");
      await slept(clock, WORKER_RETRY_MS, signal);
    }
  }
}
