/** Who takes the write-ahead log over: the index's thread for a busy writer, and SQLite itself for one that writes now and then. */
import { expect, it } from "vitest";
import { createCheckpoints } from "../../src/store/sqlite/checkpoints.ts";
import { BUSY_CHECKPOINT_MS, CHECKPOINT_COMMITS } from "../../src/store/sqlite/limits.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("asks for it once in so many commits of a busy writer, one at a time, and again after one that failed", async () => {
  const asked: PromiseWithResolvers<void>[] = [];
  let now = 0;
  const committed = createCheckpoints(
    () => {
      const next = Promise.withResolvers<void>();
      asked.push(next);
      return next.promise;
    },
    () => now,
  );
  const commit = (times: number, takingMs: number) => {
    for (let at = 0; at < times; at += 1) {
      now += takingMs / times;
      committed();
    }
  };
  commit(CHECKPOINT_COMMITS - 1, 1_000);
  expect(asked).toHaveLength(0);
  commit(1, 1);
  expect(asked).toHaveLength(1);
  // It is under way.
  commit(3 * CHECKPOINT_COMMITS, 3_000);
  expect(asked).toHaveLength(1);
  asked[0]?.reject(new Error("the thread can't"));
  await turn();
  commit(CHECKPOINT_COMMITS, 1_000);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve();
  await turn();
  // One that writes now and then.
  commit(3 * CHECKPOINT_COMMITS, 3 * BUSY_CHECKPOINT_MS);
  expect(asked).toHaveLength(2);
});
