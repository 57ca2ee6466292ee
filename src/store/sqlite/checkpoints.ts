/**
 * Who takes the write-ahead log over into the file (a checkpoint). SQLite does so in the commit that finds the log long, and waits for
 * the disk there: 10 to 30 ms in which nobody is served, thirteen times a second while a sweep writes. A busy writer has the index's
 * thread do it, before the log is that long; for one that writes now and then SQLite's own way is good enough, and needs no thread.
 */
import { BUSY_CHECKPOINT_MS, CHECKPOINT_COMMITS } from "./limits.ts";

/** `takeOver` is called when it is time; the answer is told of each commit. `now`: milliseconds that only go forward. */
export function createCheckpoints(
  takeOver: () => Promise<unknown>,
  now: () => number = () => performance.now(),
): () => void {
  let commits = 0;
  let since = now();
  let underWay = false;
  return () => {
    commits += 1;
    if (commits < CHECKPOINT_COMMITS) return;
    const at = now();
    const busy = at - since < BUSY_CHECKPOINT_MS;
    commits = 0;
    since = at;
    if (!busy || underWay) return;
    underWay = true;
    void takeOver()
      // A thread that can't leaves it to SQLite.
      .catch(() => {})
      .finally(() => {
        underWay = false;
      });
  };
}
