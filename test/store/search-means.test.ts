/** The index's means: when texts turn out longer or shorter than thought, entries are made anew, once, and come to rest. */
import { expect, it } from "vitest";
import type { ToolDefinition } from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { list, sampleRecord } from "../../src/store/suite/samples.ts";

const wordy = (name: string): ToolDefinition => ({ name, title: `Harbour ${"and more of it ".repeat(10)}` });

it("makes all entries anew at rest when a mean has moved by a tenth, and then has nothing to do", async () => {
  await using store = await openSqliteStore({ path: ":memory:" });
  await list(
    store,
    sampleRecord("a.example", { tools: Array.from({ length: 60 }, (_, index) => wordy(`t${index}`)) }),
  );
  expect(await store.searchIndex.step()).toEqual({ indexed: 1, pending: 0 });
  const before = await store.tools.find({ q: "harbour", limit: 1 });
  expect(await store.searchIndex.renew()).toBe(true);
  expect(await store.searchIndex.unseen()).toBe(0);
  expect(await store.searchIndex.step()).toEqual({ indexed: 1, pending: 0 });
  expect(await store.searchIndex.renew()).toBe(false);
  expect(await store.searchIndex.step()).toEqual({ indexed: 0, pending: 0 });
  const after = await store.tools.find({ q: "harbour", limit: 1 });
  // A title of the usual length counts for more than one that is ten times too long.
  expect(after[0]?.score).toBeGreaterThan(before[0]?.score ?? 1);
});

it("leaves the entries alone while texts are as long as ever", async () => {
  await using store = await openSqliteStore({ path: ":memory:" });
  const tools = Array.from({ length: 20 }, (_, index) => wordy(`t${index}`)).map(({ name }) => ({ name }));
  await list(store, sampleRecord("a.example", { tools }));
  expect(await store.searchIndex.step()).toEqual({ indexed: 1, pending: 0 });
  expect(await store.searchIndex.renew()).toBe(false);
});

it("holds its means while it grows too, when it has doubled: not all entries are made anew at the end of a long list", async () => {
  await using store = await openSqliteStore({ path: ":memory:" });
  let anew = false;
  // Titles are longer than usual, and there are half as many tools again as at the first look.
  for (let relay = 0; relay < 20 && !anew; relay += 1) {
    const tools = Array.from({ length: 750 }, (_, index) => wordy(`t${index}`));
    await list(store, sampleRecord(`r${relay}.example`, { tools }));
    for (let steps = 0; steps < 30; steps += 1) {
      const { pending } = await store.searchIndex.step();
      anew ||= pending > 1;
      if (pending === 0) break;
    }
  }
  expect(anew).toBe(true);
});
