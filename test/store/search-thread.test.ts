/** The search index's thread: there while there is work, gone when there was none for a while, and back with the next. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import type { ToolDefinition } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { change, indexAll, list, NOW, sampleRecord } from "../../src/store/suite/samples.ts";

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

it("keeps no tool of a relay that came back before its going was seen, and then left for good", async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-thread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using store = await openSqliteStore({ path: join(folder, "catalog.db") });
  const ghosts = ["x.example", "y.example", "z.example"];
  const listAll = async (): Promise<void> => {
    for (const id of ghosts) {
      const tools = [{ name: "harbour_pilot", description: "harbour harbour" }];
      await list(store, sampleRecord(id, { tools }));
    }
  };
  const removeAll = async (): Promise<void> => {
    for (const id of ghosts) await store.relays.remove(id, { id: crypto.randomUUID() }, NOW);
  };
  await listAll();
  await indexAll(store);
  await removeAll();
  await listAll();
  await indexAll(store);
  await list(store, sampleRecord("a.example", { tools: [{ name: "harbour_tug", description: "Tows." }] }));
  await removeAll();
  await indexAll(store);
  const file = new DatabaseSync(join(folder, "catalog.db"), { readOnly: true });
  onTestFinished(() => file.close());
  const indexed = file.prepare("select id from search_tool").all();
  expect(indexed).toEqual(file.prepare("select id from tool").all());
  const found = await store.tools.find({ q: "harbour", limit: 1 });
  expect(found.map(({ relay }) => relay)).toEqual(["a.example"]);
});

/** A word that no other tool has, in a text long enough to be worth some analysis. */
const wordOf = (relay: number, round: number): string => `word${"abcdefghij"[relay % 10]}${relay}x${round}`;
const toolsOf = (relay: number, round: number): ToolDefinition[] =>
  Array.from({ length: 8 }, (_, index) => ({
    name: `tool_${index}`,
    description: `${index === 0 ? wordOf(relay, round) : "other"} and what is said of a tool. `.repeat(20),
  }));

it("misses and doubles nothing while relays are written and another process indexes the same file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-thread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "catalog.db");
  await using one = await openSqliteStore({ path });
  await using other = await openSqliteStore({ path });
  const RELAYS = 20;
  const ROUNDS = 6;
  // Both threads are there before the writing begins.
  for (const store of [one, other]) {
    await list(one, sampleRecord(`first-${store === one}.example`, { tools: [{ name: "first" }] }));
    await store.searchIndex.step();
  }
  let writing = true;
  async function index(store: Store): Promise<void> {
    while (writing) {
      await store.searchIndex.step();
      await turnOfTheLoop();
    }
  }
  async function write(relay: number): Promise<void> {
    const id = `r${relay}.example`;
    await list(one, sampleRecord(id, { tools: toolsOf(relay, 0) }));
    for (let round = 1; round < ROUNDS; round += 1) {
      await turnOfTheLoop();
      await change(one, sampleRecord(id, { tools: toolsOf(relay, round) }));
    }
  }
  const indexing = [index(one), index(other)];
  await Promise.all(Array.from({ length: RELAYS }, (_, relay) => write(relay)));
  writing = false;
  await Promise.all(indexing);
  await indexAll(one);

  for (let relay = 0; relay < RELAYS; relay += 1) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = await one.tools.find({ q: wordOf(relay, round), limit: 5 });
      const exact = found.filter((hit) => hit.description?.includes(wordOf(relay, round)));
      expect(exact.map((hit) => hit.relay)).toEqual(round === ROUNDS - 1 ? [`r${relay}.example`] : []);
    }
  }
  using database = new DatabaseSync(path);
  const { json } = database.prepare("select json from search_state").get() as { json: string };
  expect(JSON.parse(json).tools).toBe(RELAYS * 8 + 2);
  expect(database.prepare("select count(*) as n from search_tool").get()).toEqual({ n: RELAYS * 8 + 2 });
});

it("keeps the write-ahead log short while somebody writes without a pause", async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-thread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "catalog.db");
  const threads = watchThreads();
  await using store = await openSqliteStore({ path });
  await list(store, sampleRecord("a.example", { tools: toolsOf(0, 0) }));
  const COMMITS = 2_000;
  for (let round = 0; round < COMMITS; round += 1) {
    await change(store, sampleRecord("a.example", { tools: toolsOf(0, round % 2) }));
    if (round % 20 === 0) await turnOfTheLoop();
  }
  // Without anybody to take it over it would be some 60 MB; nothing was indexed, so that the thread was there for the log alone.
  expect((await stat(`${path}-wal`)).size).toBeLessThan(32 * 1024 * 1024);
  expect(threads).toHaveLength(1);
});
