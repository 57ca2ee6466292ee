/** Two threads that write to one file take turns: none is held up inside SQLite, and one that dies leaves its turn. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { createWriteTurns } from "../../src/store/sqlite/write-turns.ts";

const MODULE = new URL("../../src/store/sqlite/write-turns.ts", import.meta.url).href;

/** A thread that takes `rounds` turns, in each of which it adds to a counter as nobody may who is not alone. */
function rival(shared: SharedArrayBuffer, counter: SharedArrayBuffer, rounds: number): Worker {
  return new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
    import(${JSON.stringify(MODULE)}).then(({ createWriteTurns }) => {
      const turns = createWriteTurns(workerData.shared);
      const counter = new Int32Array(workerData.counter);
      for (let round = 0; round < workerData.rounds; round++) {
        turns.takeBlocking(() => {
          const before = counter[0];
          for (let spin = 0; spin < 1000; spin++) Math.sqrt(spin);
          counter[0] = before + 1;
          if (workerData.rounds === 1) process.exit(1);
        });
      }
      parentPort.postMessage("done");
    });`,
    { eval: true, workerData: { shared, counter, rounds } },
  );
}

test("turns of two threads never overlap, and the main thread serves others while it waits", async () => {
  const rounds = 2_000;
  const turns = createWriteTurns();
  const counter = new SharedArrayBuffer(4);
  const count = new Int32Array(counter);
  const worker = rival(turns.shared, counter, rounds);
  const done = once(worker, "message");
  await Promise.all(
    Array.from({ length: rounds }, async () => {
      await new Promise(setImmediate);
      await turns.take(() => {
        const before = count[0] ?? 0;
        for (let spin = 0; spin < 1_000; spin++) Math.sqrt(spin);
        count[0] = before + 1;
      });
    }),
  );
  await done;
  await worker.terminate();
  expect(count[0]).toBe(2 * rounds);
});

test("work that throws ends its turn, and a thread that died in its turn is released", async () => {
  const turns = createWriteTurns();
  await expect(
    turns.take(() => {
      throw new Error("no room");
    }),
  ).rejects.toThrow("no room");
  const worker = rival(turns.shared, new SharedArrayBuffer(4), 1);
  await once(worker, "exit");
  let ours = false;
  const waiting = turns.take(() => {
    ours = true;
  });
  expect(ours).toBe(false);
  turns.release();
  await waiting;
  expect(ours).toBe(true);
});

test("a write by itself, which would wait inside SQLite and hold up all that is served, is refused", () => {
  const database = openDatabase(":memory:");
  try {
    database.exec("create table note (text text)");
    const write = () => database.run("insert into note values ('a')");
    expect(write).toThrow("out of its turn");
    expect(database.transaction(write)).toBe(1);
  } finally {
    database.close();
  }
});
