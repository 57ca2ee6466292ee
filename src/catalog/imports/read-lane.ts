/**
 * Reads what an import is to read, until there is nothing more: several hosts at a time, one document of each, so that a registry is
 * never asked for two pages at once. Each document goes into the store with all that it gave before the next is asked for.
 */
import type { WaitingDocument } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { createDoorbell } from "../doorbell.ts";
import { createHostPool } from "../host-pool.ts";
import { IMPORT_READS } from "../limits.ts";
import { slept } from "../worker.ts";
import { readDocument } from "./read-document.ts";

export interface ReadLane {
  readonly job: string;
  readonly signal: AbortSignal;
  /** Told when something was read: there may be more to look at. */
  readonly onRead: () => void;
}

/** Resolves when nothing is left to read, or the signal fires. Rejects when the store does. */
export async function readAll(context: CatalogContext, { job, signal, onRead }: ReadLane): Promise<void> {
  const { store, clock, logger } = context;
  const inHand = new Set<number>();
  await using pool = createHostPool({ total: IMPORT_READS, perHost: 1 });
  const bell = createDoorbell(signal);
  let failed: unknown = null;
  const stop = (): void => void pool.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted && failed === null) {
      const waiting = await store.imports.documents(job, IMPORT_READS * 4);
      if (waiting.length === 0 && inHand.size === 0) return;
      const now = clock.now();
      for (const document of waiting) {
        if (inHand.has(document.position) || document.dueAt > now) continue;
        inHand.add(document.position);
        pool.add(new URL(document.url).host, (halt) =>
          one(document, halt)
            .catch((error) => {
              if (!halt.aborted) failed = error;
            })
            .finally(() => {
              inHand.delete(document.position);
              bell.ring();
            }),
        );
      }
      const later = waiting.filter((document) => document.dueAt > now).map((document) => document.dueAt);
      await rungOrDue(later.length === 0 ? null : Math.min(...later) - now);
    }
    if (failed !== null && !signal.aborted) throw failed;
  } finally {
    signal.removeEventListener("abort", stop);
  }

  async function one(document: WaitingDocument, halt: AbortSignal): Promise<void> {
    const { documents } = (await store.imports.get(job))?.report ?? { documents: 0 };
    const outcome = await readDocument(context, document, { documents, signal: halt });
    if (outcome.kind === "again") {
      logger.warn({ job, url: document.url, tries: document.tries + 1 }, `an import waits: ${outcome.error}`);
      await store.imports.postpone(job, document.position, clock.now() + outcome.afterMs);
      return;
    }
    for (const problem of outcome.reading.problems) logger.warn({ job }, problem);
    await store.imports.finishDocument(job, document.position, outcome.reading, clock.now());
    onRead();
  }

  async function rungOrDue(ms: number | null): Promise<void> {
    if (ms === null) return bell.rung();
    const woken = new AbortController();
    const either = AbortSignal.any([signal, woken.signal]);
    await Promise.race([bell.rung(), slept(clock, ms, either)]);
    woken.abort();
  }
}
