/** The search index's thread: there while there is work, gone when there was none for a while, and back with the next. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { list, sampleRecord } from "../../src/store/suite/samples.ts";

/** The threads that this process starts from now on. */
function watchThreads(): Worker[] {
  const started: Worker[] = [];
  const note = (message: unknown): void => void started.push((message as { worker: Worker }).worker);
  subscribe("worker_threads", note);
  onTestFinished(() => void unsubscribe("worker_threads", note));
  return started;
}

it("ends when it has no work, and what comes later is indexed by a new one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-thread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const threads = watchThreads();
  await using store = await openSqliteStore({ path: join(folder, "catalog.db"), indexIdleMs: 20 });
  expect(threads).toHaveLength(0);

  await list(store, sampleRecord("a.example", { tools: [{ name: "harbour_pilot" }] }));
  expect(await store.searchIndex.step()).toEqual({ indexed: 1, pending: 0 });
  await once(threads[0] as Worker, "exit");

  await list(store, sampleRecord("b.example", { tools: [{ name: "harbour_tug" }] }));
  expect(await store.searchIndex.step()).toEqual({ indexed: 1, pending: 0 });
  expect(threads).toHaveLength(2);
  const found = await store.tools.find({ q: "harbour", limit: 5 });
  expect(found.map(({ relay }) => relay).sort()).toEqual(["a.example", "b.example"]);
});
