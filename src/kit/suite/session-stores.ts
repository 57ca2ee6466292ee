/** Sessions: found until they are over, changed by one at a time, ended once. */
import assert from "node:assert/strict";
import { MAX_REMEMBERED } from "../limits.ts";
import type { SessionRecord } from "../sessions/session-store.ts";
import type { SessionStoreCase } from "./kit-case.ts";

const NOW = Date.UTC(2026, 0, 1);

function record(id: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    user: null,
    initialize: {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { capabilities: { elicitation: {} } },
    },
    openedAt: NOW,
    expiresAt: NOW + 1_000,
    state: { count: 0, text: "ä\u{1F600}\u0000", nothing: null },
    version: 0,
    ...more,
  };
}

export const sessionStoreCases: readonly SessionStoreCase[] = [
  {
    name: "gives back what was opened, whole",
    async run(store) {
      const one = record("one", { user: "bo ä" });
      await store.open(one);
      assert.deepEqual(await store.read("one", NOW), one);
      assert.equal(await store.read("two", NOW), null);
      await assert.rejects(store.open(record("one")));
    },
  },
  {
    name: "keeps every form of state",
    async run(store) {
      const states = [null, true, 0, -1.5, "", [], {}, [{ a: [null] }]] as const;
      for (const [index, state] of states.entries()) await store.open(record(`s${index}`, { state }));
      for (const [index, state] of states.entries()) {
        assert.deepEqual((await store.read(`s${index}`, NOW))?.state, state);
      }
    },
  },
  {
    name: "gives copies: what is done to one is not done to another",
    async run(store) {
      await store.open(record("one"));
      const read = (await store.read("one", NOW)) as unknown as { state: { count: number } };
      read.state.count = 9;
      assert.deepEqual((await store.read("one", NOW))?.state, record("one").state);
    },
  },
  {
    name: "knows none that is over, at its very moment",
    async run(store) {
      await store.open(record("one"));
      assert.notEqual(await store.read("one", NOW + 999), null);
      assert.equal(await store.read("one", NOW + 1_000), null);
      assert.equal(await store.touch("one", { now: NOW + 1_000, expiresAt: NOW + 9_000 }), false);
      assert.equal(await store.touch("none", { now: NOW, expiresAt: NOW + 9_000 }), false);
    },
  },
  {
    name: "moves the end of one, and of no other",
    async run(store) {
      await store.open(record("one"));
      await store.open(record("two"));
      assert.equal(await store.touch("one", { now: NOW + 500, expiresAt: NOW + 5_000 }), true);
      assert.equal((await store.read("one", NOW + 4_999))?.expiresAt, NOW + 5_000);
      assert.equal(await store.read("two", NOW + 4_999), null);
      // Another instance's word may come late.
      assert.equal(await store.touch("one", { now: NOW + 600, expiresAt: NOW + 4_000 }), true);
      assert.equal((await store.read("one", NOW + 4_999))?.expiresAt, NOW + 5_000);
    },
  },
  {
    name: "remembers one thing under a key, until it is told to forget or the session ends",
    async run(store) {
      await store.open(record("one"));
      await store.open(record("two"));
      const uri = "note://\u0000 ä'\"\u{1F600}";
      assert.equal(await store.remember("one", { key: "level", value: { level: "debug" } }), true);
      assert.equal(await store.remember("one", { key: "level", value: { level: "error" } }), true);
      assert.equal(await store.remember("one", { key: uri, value: { uri } }), true);
      assert.equal(await store.remember("two", { key: uri, value: { uri: "two" } }), true);
      assert.equal(await store.remember("one", { key: "other", value: null }), true);
      assert.equal(await store.remember("none", { key: "level", value: {} }), false);
      assert.deepEqual(
        (await store.recall("one")).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        [{ level: "error" }, { uri }],
      );
      await store.remember("one", { key: uri, value: null });
      assert.deepEqual(await store.recall("one"), [{ level: "error" }]);
      await store.end("one");
      assert.deepEqual(await store.recall("one"), []);
      await store.open(record("one"));
      assert.deepEqual(await store.recall("one"), []);
      assert.deepEqual(await store.recall("two"), [{ uri: "two" }]);
    },
  },
  {
    name: "remembers no more than its limit of one session",
    async run(store) {
      await store.open(record("one"));
      const keys = Array.from({ length: MAX_REMEMBERED + 3 }, (_, index) => `k${index}`);
      const keep = (key: string) => store.remember("one", { key, value: { key } });
      await Promise.all(keys.slice(0, -6).map(keep));
      for (const key of keys.slice(-6)) await keep(key);
      assert.equal((await store.recall("one")).length, MAX_REMEMBERED);
      await store.remember("one", { key: "k0", value: { again: true } });
      assert.equal((await store.recall("one")).filter(({ again }) => again === true).length, 1);
    },
  },
  {
    name: "ends what is more than there may be, what would be over soonest first",
    async run(store) {
      for (const [index, user] of ["bo", "bo", "ann", "bo", null].entries()) {
        await store.open(record(`s${index}`, { user, expiresAt: NOW + 9_000 - index }));
      }
      assert.deepEqual(await store.trim({ max: 3, user: "bo" }), []);
      assert.deepEqual(await store.trim({ max: 1, user: "bo" }), ["s3", "s1"]);
      assert.deepEqual(await store.trim({ max: 3 }), []);
      assert.deepEqual(await store.trim({ max: 2 }), ["s4"]);
      assert.notEqual(await store.read("s0", NOW), null);
      assert.equal(await store.read("s4", NOW), null);
    },
  },
  {
    name: "lets one of those who change a state at the same time win",
    async run(store) {
      await store.open(record("one"));
      const writes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.write("one", { state: index, version: 0 })),
      );
      assert.equal(writes.filter(Boolean).length, 1);
      const read = await store.read("one", NOW);
      assert.deepEqual([read?.state, read?.version], [writes.indexOf(true), 1]);
      assert.equal(await store.write("one", { state: 9, version: 0 }), false);
      assert.equal(await store.write("one", { state: 9, version: 1 }), true);
      assert.equal(await store.write("none", { state: 9, version: 0 }), false);
    },
  },
  {
    name: "ends one once",
    async run(store) {
      await store.open(record("one"));
      assert.equal(await store.end("one"), true);
      assert.equal(await store.end("one"), false);
      assert.equal(await store.read("one", NOW), null);
    },
  },
  {
    name: "prunes what is over, and nothing else, a few at a time",
    async run(store) {
      for (const id of ["a", "b", "c"]) await store.open(record(id));
      await store.open(record("late", { expiresAt: NOW + 9_000 }));
      assert.equal(await store.prune(NOW + 999, 10), 0);
      assert.equal(await store.prune(NOW + 1_000, 2), 2);
      assert.equal(await store.prune(NOW + 1_000, 10), 1);
      assert.notEqual(await store.read("late", NOW + 1_000), null);
      await store.open(record("a"));
    },
  },
];
