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
    name: "tells the newest first, of all relays and of one, without their records",
    async run(store) {
      await list(store, sampleRecord("a.example"));
      await list(store, sampleRecord("b.example"));
      const detail = { verified: false };
      const changed = { ...sampleRecord("a.example"), verified: false };
      await written(
        store,
        sampleWrite(changed, {
          revision: (await store.relays.get("a.example"))?.revision ?? null,
          events: [{ ...event("relay.updated"), detail }, event("relay.offline")],
        }),
      );
      await store.relays.remove("b.example", { id: "the-last" }, NOW + 1);
      const told = await store.changes.recent(10);
      assert.deepEqual(
        told.map((one) => [one.seq, one.event, one.relay, one.detail]),
        [
          [5, "relay.removed", "b.example", null],
          [4, "relay.offline", "a.example", null],
          [3, "relay.updated", "a.example", detail],
          [2, "relay.registered", "b.example", null],
          [1, "relay.registered", "a.example", null],
        ],
      );
      assert.deepEqual([told[0]?.id, told[0]?.at], ["the-last", new Date(NOW + 1).toISOString()]);
      assert.deepEqual(
        (await store.changes.recent(1, { relay: "b.example" })).map(({ seq }) => seq),
        [5],
      );
      assert.deepEqual(await store.changes.recent(9, { relay: "nobody.example" }), []);
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
    name: "narrows by relay and event, and ends early for its size",
    async run(store) {
      for (const name of ["a", "b", "c"]) {
        const record = sampleRecord(`${name}.example`);
        await list(store, record);
        await change(store, { ...record, online: false }, ["relay.offline"]);
      }
      const read = async (...asked: Parameters<typeof store.changes.list>) =>
        (await store.changes.list(...asked)).map(({ seq }) => seq);
      assert.deepEqual(await read(0, 10, { relays: ["a.example", "c.example"] }), [1, 2, 5, 6]);
      assert.deepEqual(await read(2, 10, { relays: ["a.example", "c.example"] }), [5, 6]);
      assert.deepEqual(await read(0, 2, { events: ["relay.offline"] }), [2, 4]);
      assert.deepEqual(await read(0, 9, { relays: ["b.example"], events: ["relay.offline"] }), [4]);
      assert.deepEqual(await read(0, 9, { relays: [] }), []);
      assert.deepEqual(await read(0, 9, { maxChars: 1 }), [1]);
      const [first, second] = await store.changes.list(0, 2);
      assert.deepEqual(
        await read(0, 9, { maxChars: (first?.relay.text.length ?? 0) + (second?.relay.text.length ?? 0) }),
        [1, 2],
      );
    },
  },
  {
    name: "keeps the detail of an update as it came",
    async run(store) {
      const record = sampleRecord("a.example");
      await list(store, record);
      const stored = await store.relays.get(record.id);
      const detail = {
        tools: { added: ["x"], removed: [], changed: [], renamed: [] },
        descriptor: ["/name"],
      };
      await written(
        store,
        sampleWrite(record, {
          revision: stored?.revision ?? 0,
          events: [
            { id: "1", event: "relay.updated", detail },
            { id: "2", event: "relay.online" },
          ],
        }),
      );
      const details = (await store.changes.list(0, 9)).map(
        (one) => one.detail && JSON.parse(one.detail.text),
      );
      assert.deepEqual(details, [null, detail, null]);
    },
  },
  {
    name: "drops the oldest, a few at a time and without a hole, and still knows where it was",
    async run(store) {
      const days = 24 * 60 * 60 * 1_000;
      const times = [NOW, NOW + 9 * days, NOW + days, NOW + 2 * days, NOW + 3 * days];
      for (const [at, now] of times.entries()) {
        const record = sampleRecord(`${at}.example`);
        await written(store, sampleWrite(record, { events: [event("relay.registered")], now }));
      }
      assert.equal(await store.changes.prune(NOW, 100), 0);
      // The second was written by a clock that ran ahead: what comes after it is older than the limit, so it is too.
      assert.equal(await store.changes.prune(NOW + 2 * days, 2), 2);
      assert.equal(await store.changes.prune(NOW + 2 * days, 2), 1);
      assert.equal(await store.changes.prune(NOW + 2 * days, 2), 0);
      assert.deepEqual([await store.changes.oldest(), await store.changes.latest()], [4, 5]);
      const places = await Promise.all([2, 3, 4, 5, 6].map((since) => store.changes.goesOnFrom(since)));
      assert.deepEqual(places, [false, true, true, true, false]);
      assert.deepEqual(
        (await store.changes.list(0, 9)).map(({ seq, relay }) => [seq, JSON.parse(relay.text).id]),
        [
          [4, "3.example"],
          [5, "4.example"],
        ],
      );
      assert.equal(await store.changes.prune(NOW + 10 * days, 100), 2);
      assert.deepEqual([await store.changes.oldest(), await store.changes.latest()], [6, 5]);
      assert.deepEqual([await store.changes.goesOnFrom(4), await store.changes.goesOnFrom(5)], [false, true]);
      await list(store, sampleRecord("new.example"));
      assert.deepEqual(
        (await store.changes.list(0, 9)).map(({ seq }) => seq),
        [6],
      );
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
