/** Who waits for the search index after a registration, for how long, and who does not. */
import { describe, expect, it } from "vitest";
import { createIndexer, operations } from "../../src/catalog/index.ts";
import { createIndexLine } from "../../src/catalog/index-line.ts";
import { createManualClock, startFakeFarm, startFakeRelay } from "../../src/testing/index.ts";
import { tool } from "./findings.ts";
import { caller, startTestCatalog } from "./fixture.ts";

describe("a registration by hand", () => {
  it("is answered when its tools can be found, though the indexer was asleep", async () => {
    const clock = createManualClock();
    await using catalog = await startTestCatalog({ clock });
    await using indexer = createIndexer(catalog.context);
    indexer.start();
    await clock.sleeping();
    await using relay = await startFakeRelay({ tools: [tool("convert_pdf")] });
    // The clock stands still from here on.
    await catalog.register(relay.url);
    const found = await operations.find.run(catalog.context, { q: "convert pdf" }, caller);
    expect(found).toMatchObject({ tools: [{ name: "convert_pdf" }] });
    expect(found).not.toHaveProperty("indexing");
  });

  it("does not wait where nobody indexes, and the search says what is still to come", async () => {
    await using catalog = await startTestCatalog();
    await using relay = await startFakeRelay({ tools: [tool("convert_pdf")] });
    await catalog.register(relay.url);
    const find = () => operations.find.run(catalog.context, { q: "convert pdf" }, caller);
    expect(await find()).toEqual({ tools: [], indexing: 1 });
    await catalog.store.searchIndex.step();
    expect(await find()).toMatchObject({ tools: [{ name: "convert_pdf" }] });
  });

  it("does not wait among many: a list of them is indexed in batches", async () => {
    const clock = createManualClock();
    await using catalog = await startTestCatalog({ clock });
    await using farm = await startFakeFarm(12);
    let woken = 0;
    const { store } = catalog;
    const hush = (await import("../../src/catalog/shared.ts")).shared(store).index.serve(() => {
      woken += 1;
    });
    const registered = Promise.all(farm.urls.map((url) => catalog.register(url)));
    await clock.sleeping();
    // The last few of them wait, and give up in the end: this indexer never comes.
    while (await Promise.race([registered.then(() => false), clock.advance(3_000).then(() => true)]));
    expect(await registered).toHaveLength(12);
    expect(woken).toBeLessThanOrEqual(4);
    hush();
  });
});

describe("the line", () => {
  const signal = new AbortController().signal;

  it("waits for three seconds at most", async () => {
    const clock = createManualClock();
    const line = createIndexLine(async () => 1);
    line.serve(() => {});
    const answered = line.after({ clock, signal }, async () => "written");
    await clock.sleeping();
    await clock.advance(3_000);
    expect(await answered).toBe("written");
  });

  it("is left by who goes away, and let through when the index has caught up", async () => {
    const clock = createManualClock();
    const line = createIndexLine(async () => 1);
    line.serve(() => {});
    const gone = new AbortController();
    const left = line.after({ clock, signal: gone.signal }, async () => "left");
    const through = line.after({ clock, signal }, async () => "through");
    await clock.sleeping();
    gone.abort();
    expect(await left).toBe("left");
    line.caughtUp();
    expect(await through).toBe("through");
  });

  it.each([
    ["nothing is marked", async () => 0],
    ["a step would not reach it", async () => 1_000],
    ["the marks can't be counted", () => Promise.reject(new Error("the disk failed"))],
  ])("lets through at once where %s", async (_, marked) => {
    const line = createIndexLine(marked);
    line.serve(() => {});
    expect(await line.after({ clock: createManualClock(), signal }, async () => 1)).toBe(1);
  });

  it("rejects with what the work does, and waits for nothing then", async () => {
    const line = createIndexLine(async () => 1);
    line.serve(() => {});
    const broken = async () => Promise.reject(new Error("not listed"));
    await expect(line.after({ clock: createManualClock(), signal }, broken)).rejects.toThrow("not listed");
  });
});
