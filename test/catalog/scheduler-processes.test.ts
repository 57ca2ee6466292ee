/** Several processes over one store file, and the end of one at any moment: each look is made, and counted once. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { type FakeFarm, startFakeFarm } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startTestCatalog } from "./fixture.ts";

const RELAYS = 300;
const LEASE_MS = 15_000;

let folder: string;
let db: string;
let farm: FakeFarm;
let children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-watch-"));
  db = join(folder, "catalog.db");
  // Fresh descriptors: a look is one request.
  farm = await startFakeFarm(RELAYS, {
    descriptorHeaders: { etag: '"1"', "cache-control": "max-age=86400" },
  });
  await using store = await openSqliteStore({ path: db });
  await using catalog = await startTestCatalog({ store, clock: { now: Date.now, sleep: async () => {} } });
  await Promise.all(farm.urls.map((url) => catalog.register(url)));
  farm.update({ delayMs: 20 });
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(
    children.map((child) =>
      child.exitCode === null && child.signalCode === null ? once(child, "exit") : null,
    ),
  );
  children = [];
  await farm.close();
  await rm(folder, { recursive: true, force: true });
});

async function watcher(skewMs = 0): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "scheduler-process.ts"), [db, String(skewMs)]);
  children.push(child);
  await once(child, "message");
  return child;
}

interface Left {
  readonly due: number;
  readonly leased: number;
}

function left(): Left {
  const database = new DatabaseSync(db, { readOnly: true, timeout: 5_000 });
  try {
    const sql = `select (select count(*) from schedule where due = 0) as due,
      (select count(*) from schedule_lease) as leased`;
    return { ...(database.prepare(sql).get() as unknown as Left) };
  } finally {
    database.close();
  }
}

const done = (what: () => unknown) => expect.poll(what, { interval: 20, timeout: 25_000 });

describe("two processes over one store", () => {
  it("look at each relay once between them", verifies("watch.once"), async () => {
    const before = farm.answered;
    await Promise.all([watcher(), watcher()]);
    await done(left).toEqual({ due: 0, leased: 0 });
    expect(farm.answered - before).toBe(RELAYS);
  });
});

describe("a process that is killed while it looks", () => {
  it(
    "loses no look: another makes those it had, and none twice besides",
    verifies("watch.once", "watch.restarts"),
    async () => {
      const before = farm.answered;
      const first = await watcher();
      await done(() => farm.answered - before >= 40).toBe(true);
      first.kill("SIGKILL");
      await once(first, "exit");
      const { due, leased } = left();
      const seen = farm.answered - before;
      expect(due).toBeGreaterThan(0);
      expect(leased).toBeGreaterThan(0);
      await watcher(LEASE_MS + 1);
      await done(left).toEqual({ due: 0, leased: 0 });
      // What was written is not asked again, what was under way is, once.
      const again = farm.answered - before - seen;
      expect(again).toBeGreaterThanOrEqual(due);
      expect(again).toBeLessThanOrEqual(due + leased);
      await using store = await openSqliteStore({ path: db });
      expect((await store.changes.list(0, 1_000)).map((change) => change.event)).toEqual(
        Array.from({ length: RELAYS }, () => "relay.registered"),
      );
    },
  );
});

describe("a process that is stopped", () => {
  it("hands back what it had, and the next one has it at once", verifies("watch.restarts"), async () => {
    const before = farm.answered;
    const first = await watcher();
    await done(() => farm.answered - before >= 40).toBe(true);
    first.send("close");
    await once(first, "exit");
    const { due, leased } = left();
    expect(due).toBeGreaterThan(0);
    expect(leased).toBe(0);
    await watcher();
    await done(left).toEqual({ due: 0, leased: 0 });
  });
});
