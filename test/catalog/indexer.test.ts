import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIndexer, operations } from "../../src/catalog/index.ts";
import type { SearchIndex, Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { createManualClock, type ManualClock, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./findings.ts";
import { admin, caller, startTestCatalog } from "./fixture.ts";

let clock: ManualClock;
let folder: string;
beforeEach(async () => {
  clock = createManualClock();
  folder = await mkdtemp(join(tmpdir(), "openmcp-indexer-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the indexer", () => {
  it(
    "makes what was written findable within two seconds, and what was removed not",
    verifies("rest.find"),
    async () => {
      await using catalog = await startTestCatalog({ clock });
      await using indexer = createIndexer(catalog.context);
      const find = async (q: string) => (await operations.find.run(catalog.context, { q }, caller)).tools;
      indexer.start();
      indexer.start();
      await clock.sleeping();
      await using relay = await startFakeRelay({
        tools: [tool("convert_pdf", { description: "Turns a PDF into text." })],
      });
      const { relay: record } = await catalog.register(relay.url);
      await clock.advance(2_000);
      await clock.sleeping();
      expect(await find("pdf to text")).toMatchObject([{ relay: record.id, name: "convert_pdf" }]);
      await operations.remove.run(catalog.context, { id: record.id }, admin);
      await clock.advance(2_000);
      await clock.sleeping();
      expect(await find("pdf to text")).toEqual([]);
      expect(await catalog.store.searchIndex.pending()).toBe(0);
    },
  );

  it("catches up with what a stop left behind", async () => {
    const path = join(folder, "catalog.db");
    await using relay = await startFakeRelay({ tools: [tool("book_hotel")] });
    {
      await using store = await openSqliteStore({ path });
      await using catalog = await startTestCatalog({ store });
      await catalog.register(relay.url);
      expect(await store.searchIndex.pending()).toBe(1);
    }
    await using store = await openSqliteStore({ path });
    await using catalog = await startTestCatalog({ clock, store });
    await using indexer = createIndexer(catalog.context);
    indexer.start();
    await clock.sleeping();
    expect(await store.searchIndex.pending()).toBe(0);
  });

  it("goes on without a pause while many wait, lets requests through, and outlives a failing step", async () => {
    await using catalog = await startTestCatalog({ clock });
    let pending = 200;
    let turns = 0;
    let failures = 1;
    const searchIndex: SearchIndex = {
      async step() {
        if (pending === 100 && failures > 0) {
          failures -= 1;
          throw new Error("the disk is full");
        }
        pending = Math.max(0, pending - 20);
        setImmediate(() => {
          turns += 1;
        });
        return { indexed: 20, pending };
      },
      renew: async () => false,
      pending: async () => pending,
      unseen: async () => 0,
    };
    const store: Store = { ...catalog.store, searchIndex };
    await using indexer = createIndexer({ ...catalog.context, store });
    indexer.start();
    await clock.sleeping();
    expect(pending).toBe(100);
    await clock.advance(1_000);
    await clock.sleeping();
    expect(pending).toBe(20);
    // A request that came at any step had its turn before the next.
    expect(turns).toBeGreaterThanOrEqual(8);
    await clock.advance(1_000);
    expect(pending).toBe(0);
  });

  it("goes on without a pause through a relay that takes several steps", async () => {
    await using catalog = await startTestCatalog({ clock });
    let left = 5;
    const step = async () => {
      left = Math.max(0, left - 1);
      return left > 0 ? { indexed: 0, pending: 1 } : { indexed: 1, pending: 0 };
    };
    const searchIndex = { ...catalog.store.searchIndex, step, pending: async () => left };
    const store: Store = { ...catalog.store, searchIndex };
    await using indexer = createIndexer({ ...catalog.context, store });
    indexer.start();
    await clock.sleeping();
    expect(left).toBe(0);
  });
});
