/** The outbox: every event of a write, with the record as it was after it, in commit order. */
import assert from "node:assert/strict";
import { change, event, list, NOW, sampleRecord, sampleTool, sampleWrite, written } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

export const changeCases: readonly StoreCase[] = [
  {
    name: "appends the events of a write with the record after it",
    async run(store) {
      const first = sampleRecord("a.example", { tools: [sampleTool("one")] });
      await list(store, first);
      const second = { ...first, online: false, tools: [sampleTool("two")] };
      await change(store, second, ["relay.updated", "relay.offline"]);
      await change(store, { ...second, failures: 2 }, []);
      await store.relays.remove("a.example", { id: "the-last" }, NOW + 1);
      const changes = await store.changes.list(0, 100);
      assert.deepEqual(
        changes.map(({ event, at, relay }) => [event, at, JSON.parse(relay.text)]),
        [
          ["relay.registered", new Date(NOW).toISOString(), first],
          ["relay.updated", new Date(NOW).toISOString(), second],
          ["relay.offline", new Date(NOW).toISOString(), second],
          ["relay.removed", new Date(NOW + 1).toISOString(), { id: "a.example" }],
        ],
      );
      assert.equal(changes.at(-1)?.id, "the-last");
      assert.equal(new Set(changes.map(({ id }) => id)).size, 4);
    },
  },
  {
    name: "is read on from any place",
    async run(store) {
      for (const name of ["a", "b", "c", "d", "e"]) await list(store, sampleRecord(`${name}.example`));
      const all = await store.changes.list(0, 100);
      assert.deepEqual(
        all.map(({ seq }) => seq),
        all.map(({ seq }) => seq).toSorted((a, b) => a - b),
      );
      for (const [index, { seq }] of all.entries()) {
        assert.deepEqual(await store.changes.list(seq, 2), all.slice(index + 1, index + 3));
      }
      assert.deepEqual(await store.changes.list(Number.MAX_SAFE_INTEGER, 10), []);
    },
  },
  {
    name: "knows its first and last place",
    async run(store) {
      assert.deepEqual([await store.changes.oldest(), await store.changes.latest()], [1, 0]);
      await list(store, sampleRecord("a.example"));
      await list(store, sampleRecord("b.example"));
      const seqs = (await store.changes.list(0, 10)).map(({ seq }) => seq);
      assert.deepEqual([await store.changes.oldest(), await store.changes.latest()], seqs);
    },
  },
  {
    name: "tells who listens after the commit of what was appended, and of nothing else",
    async run(store) {
      const heard: Promise<number>[] = [];
      const stop = store.changes.onAppend(() => heard.push(store.changes.latest()));
      const record = sampleRecord("a.example");
      await list(store, record);
      assert.deepEqual(await Promise.all(heard), [1]);
      await change(store, { ...record, failures: 2 }, []);
      assert.deepEqual(
        await store.relays.save(sampleWrite(record, { revision: 9_999, events: [event("relay.updated")] })),
        {
          ok: false,
          conflict: "revision",
        },
      );
      assert.equal(heard.length, 1);
      await change(store, { ...record, online: false }, ["relay.updated", "relay.offline"]);
      await store.relays.remove("a.example", { id: "gone" }, NOW);
      assert.deepEqual(await Promise.all(heard), [1, 3, 4]);
      stop();
      stop();
      await list(store, record);
      assert.equal(heard.length, 3);
    },
  },
  {
    name: "takes the events' own ids and time",
    async run(store) {
      const write = sampleWrite(sampleRecord("a.example"), {
        events: [
          { id: "first", event: "relay.registered" },
          { id: "second", event: "relay.online" },
        ],
        now: 0,
      });
      await written(store, write);
      const changes = await store.changes.list(0, 10);
      assert.deepEqual(
        changes.map(({ id, event, at }) => [id, event, at]),
        [
          ["first", "relay.registered", "1970-01-01T00:00:00.000Z"],
          ["second", "relay.online", "1970-01-01T00:00:00.000Z"],
        ],
      );
    },
  },
];
