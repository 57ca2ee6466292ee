/** A store's file is copied while it is written to, and replaced while it is read: nothing in between is ever seen. */
import { mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BackupReport } from "../../src/spec/index.ts";
import {
  copyDatabase,
  openSqliteStore,
  prepareDatabase,
  type SqliteStore,
} from "../../src/store/sqlite/index.ts";
import {
  change,
  indexAll,
  list,
  listedIds,
  sampleRecord,
  sampleTool,
  wholePage,
} from "../../src/store/suite/samples.ts";
import { verifies } from "../requirements.ts";

let folder = "";
let path = "";
let copy = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-backup-"));
  path = join(folder, "catalog.db");
  copy = join(folder, "copy.db");
});
afterEach(() => rm(folder, { recursive: true }));

const withTool = (id: string, tool: string) => sampleRecord(id, { tools: [sampleTool(tool)] });

describe("a backup", () => {
  it("is one whole file, of one moment, while others write", verifies("operate.backup"), async () => {
    await using store = await openSqliteStore({ path });
    for (let index = 0; index < 50; index += 1)
      await list(store, withTool(`before-${index}.example`, "sing"));
    const copying = store.backup(copy);
    let written = 0;
    let done = false;
    void copying.finally(() => {
      done = true;
    });
    while (!done && written < 300) {
      await list(store, withTool(`during-${written}.example`, "sing"));
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const report = await copying;
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining(["copy.db-wal", "copy.db-journal"]));
    await using copied = await openSqliteStore({ path: copy });
    const ids = await listedIds(copied, {}, wholePage);
    expect(ids.length).toBe(report.relays);
    expect(ids.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, index) => `before-${index}.example`));
    expect(written).toBeGreaterThan(0);
    // Of one moment: what came during it is there in order, without a hole.
    expect(ids.slice(50)).toEqual(ids.slice(50).map((_, index) => `during-${index}.example`));
    expect(await copied.changes.latest()).toBe(report.relays);
  });

  it("of a store in memory works too", async () => {
    await using store = await openSqliteStore({ path: ":memory:" });
    await list(store, withTool("a.example", "sing"));
    expect(await store.backup(copy)).toMatchObject({ relays: 1, tools: 1 });
  });

  it("that can't be written leaves nothing behind, and says why", async () => {
    await using store = await openSqliteStore({ path });
    await expect(store.backup(join(folder, "nowhere", "copy.db"))).rejects.toMatchObject({
      code: "unavailable",
    });
    await writeFile(copy, "precious");
    await expect(copyDatabase(join(folder, "none.db"), join(folder, "other.db"))).rejects.toMatchObject({
      code: "unavailable",
    });
    expect((await readdir(folder)).filter((name) => name.startsWith("other"))).toEqual([]);
  });
});

describe("a restore", () => {
  it(
    "brings back what was, while the store stays open, and keeps the file that was there",
    verifies("operate.numbers"),
    async () => {
      await using store = await openSqliteStore({ path });
      await list(store, withTool("kept.example", "whistle"));
      await indexAll(store);
      await store.backup(copy);
      await change(store, withTool("kept.example", "shout"));
      await list(store, withTool("later.example", "yodel"));
      await indexAll(store);
      const seen = await store.changes.latest();
      let told = 0;
      store.changes.onAppend(() => {
        told += 1;
      });

      expect(await restore(store)).toMatchObject({ relays: 1 });
      expect(await listedIds(store, {}, wholePage)).toEqual(["kept.example"]);
      expect((await store.tools.find({ q: "whistle", limit: 5 })).map((tool) => tool.name)).toEqual([
        "whistle",
      ]);
      expect(await store.tools.find({ q: "yodel", limit: 5 })).toEqual([]);
      await list(store, withTool("anew.example", "yodel"));
      await indexAll(store);
      expect((await store.tools.find({ q: "yodel", limit: 5 })).map((tool) => tool.relay)).toEqual([
        "anew.example",
      ]);
      // Who follows the changes misses none and sees no number twice.
      expect((await store.changes.list(seen, 10)).map((one) => one.event)).toEqual(["relay.registered"]);
      expect(await store.changes.latest()).toBeGreaterThan(seen);
      expect(told).toBe(1);
      await store.check();

      await using old = await openSqliteStore({ path: `${path}.bak` });
      expect(await listedIds(old, {}, wholePage)).toEqual(["kept.example", "later.example"]);
      expect(await readdir(folder)).not.toContain("copy.db");
    },
  );

  it("a write that was computed before it does not pass for one of after it", async () => {
    await using store = await openSqliteStore({ path });
    await list(store, withTool("a.example", "sing"));
    await store.backup(copy);
    await change(store, withTool("a.example", "shout"));
    const stale = await store.relays.get("a.example");
    await restore(store);
    await change(store, withTool("a.example", "hum"));
    const outcome = await store.relays.save({
      record: withTool("a.example", "sing"),
      endpoint: stale?.endpoint ?? "",
      hints: null,
      revision: stale?.revision ?? null,
      events: [],
      now: 0,
    });
    expect(outcome).toEqual({ ok: false, conflict: "revision" });
  });

  it.each([
    ["text", (file: string) => writeFile(file, "no database at all ".repeat(500)), /no SQLite database/],
    ["an empty file", (file: string) => writeFile(file, ""), /no catalog's database|unfinished|no SQLite/],
    ["another program's", other, /no catalog's database/],
    ["a newer version's", newer, /schema version 999/],
    ["one that was cut", cut, /damaged/],
    ["one with a broken page", broken, /damaged/],
    [
      "one whose latest changes lie beside it",
      async (file: string) => {
        await whole(file);
        await writeFile(`${file}-wal`, "x");
      },
      /in use/,
    ],
  ])("refuses %s, and the store goes on as it was", async (_, make, why) => {
    await using store = await openSqliteStore({ path });
    await list(store, withTool("mine.example", "sing"));
    await make(copy);
    await expect(restore(store)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(why),
    });
    expect(await listedIds(store, {}, wholePage)).toEqual(["mine.example"]);
    expect(await readdir(folder)).not.toContain("catalog.db.bak");
  });

  it("refuses to take the file away from another process that has it open", async () => {
    await using store = await openSqliteStore({ path });
    await list(store, withTool("mine.example", "sing"));
    await store.backup(copy);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.prepare("select count(*) from relay").get();
    await expect(restore(store)).rejects.toMatchObject({ code: "unavailable" });
    reader.close();
    expect(await listedIds(store, {}, wholePage)).toEqual(["mine.example"]);
    await list(store, withTool("more.example", "sing"));
  });
});

/** As a catalog does it. */
async function restore(store: SqliteStore): Promise<BackupReport> {
  const report = await prepareDatabase(copy);
  await store.replace(copy, `${path}.bak`);
  return report;
}

async function whole(file: string): Promise<void> {
  await using store = await openSqliteStore({ path: file });
  for (let index = 0; index < 60; index += 1) await list(store, withTool(`a-${index}.example`, "sing"));
  await indexAll(store);
}

async function other(file: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec("create table notes (text)");
  database.close();
}

async function newer(file: string): Promise<void> {
  await whole(file);
  const database = new DatabaseSync(file);
  database.exec("pragma user_version = 999");
  database.close();
}

async function cut(file: string): Promise<void> {
  await whole(file);
  const handle = await open(file, "r+");
  const { size } = await handle.stat();
  await handle.truncate(Math.floor(size / 2));
  await handle.close();
}

async function broken(file: string): Promise<void> {
  await whole(file);
  const handle = await open(file, "r+");
  const { size } = await handle.stat();
  for (let page = 1; page < size / 4096; page += 2)
    await handle.write(Buffer.alloc(512, 0xee), 0, 512, page * 4096);
  await handle.close();
}
