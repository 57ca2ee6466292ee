/**
 * Between who writes a relay and the indexer: a writer that wants it found at once wakes the indexer and waits for it. Only
 * where few do so at a time: many registrations at once are indexed in batches, which is what makes them cheap, and whoever sends
 * them doesn't search in between.
 */
import type { Clock } from "../spec/index.ts";
import { INDEX_WAIT_MS, MAX_INDEX_WAITERS, MAX_MARKS_WAITED_FOR } from "./limits.ts";
import { slept } from "./worker.ts";

export interface IndexLine {
  /** The indexer's: `wake` is called when somebody waits. The answer ends it. */
  serve(wake: () => void): () => void;
  /** The indexer's: all that was written when its last step began is indexed. */
  caughtUp(): void;
  /**
   * Runs `work`, which writes, then waits until that can be found: `INDEX_WAIT_MS` at most, and not at all in a crowd, behind a long
   * queue or without an indexer. Rejects with what `work` does only.
   */
  after<T>(options: WaitOptions, work: () => Promise<T>): Promise<T>;
}

export interface WaitOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

/** `marked`: how many relays wait to be indexed. */
export function createIndexLine(marked: () => Promise<number>): IndexLine {
  const indexers = new Set<() => void>();
  const waiting = new Set<AbortController>();
  let underWay = 0;

  async function isWorthIt(): Promise<boolean> {
    if (indexers.size === 0 || underWay > MAX_INDEX_WAITERS) return false;
    const marks = await marked().catch(() => 0);
    return marks > 0 && marks <= MAX_MARKS_WAITED_FOR;
  }

  async function wait({ clock, signal }: WaitOptions): Promise<void> {
    const over = new AbortController();
    const end = (): void => over.abort();
    signal.addEventListener("abort", end, { once: true });
    waiting.add(over);
    for (const wake of indexers) wake();
    try {
      if (!signal.aborted) await slept(clock, INDEX_WAIT_MS, over.signal);
    } finally {
      waiting.delete(over);
      signal.removeEventListener("abort", end);
    }
  }

  return {
    serve(wake) {
      indexers.add(wake);
      return () => void indexers.delete(wake);
    },
    caughtUp() {
      for (const one of waiting) one.abort();
    },
    async after(options, work) {
      underWay += 1;
      try {
        const done = await work();
        if (await isWorthIt()) await wait(options);
        return done;
      } finally {
        underWay -= 1;
      }
    },
  };
}
