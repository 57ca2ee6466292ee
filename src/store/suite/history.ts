/** History: the running part with the record, ended spans and totals beside it, bounded by what each write says. */
import assert from "node:assert/strict";
import type { HistoryStep, LookTotal, Pulse } from "../history-store.ts";
import { change, list, NOW, sampleRecord, sampleWrite, written } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const HOUR = 60 * 60 * 1_000;
const START = Math.floor(NOW / HOUR) * HOUR;

function total(start: number, more: Partial<LookTotal> = {}): LookTotal {
  return { start, looks: 0, answered: 0, latencyMs: 0, slowestMs: 0, upMs: 0, knownMs: 0, ...more };
}

function pulse(more: Partial<Pulse> = {}): Pulse {
  return { state: "online", since: NOW, at: NOW, until: NOW + HOUR, hour: total(START), ...more };
}

function step(more: Partial<HistoryStep> = {}): HistoryStep {
  const keep = { spans: 100, spansFrom: 0, hoursFrom: 0, daysFrom: 0 };
  return { pulse: pulse(), spans: [], hours: [], days: [], keep, ...more };
}

export const historyCases: readonly StoreCase[] = [
  {
    name: "keeps the running part with the relay until a look writes another",
    async run(store) {
      const record = sampleRecord("a.example");
      const revision = await written(store, sampleWrite(record, { history: step() }));
      assert.deepEqual((await store.relays.get("a.example"))?.pulse, pulse());
      await written(store, sampleWrite({ ...record, failures: 1 }, { revision }));
      assert.deepEqual((await store.relays.findByEndpoint("https://a.example/mcp"))?.pulse, pulse());
      assert.deepEqual(await store.history.of("a.example", { toolChanges: 9 }), {
        pulse: pulse(),
        spans: [],
        hours: [],
        days: [],
        toolChanges: [],
      });
      assert.equal(await store.history.of("b.example", { toolChanges: 9 }), null);
    },
  },
  {
    name: "adds spans and totals, and drops what is too old of this relay only",
    async run(store) {
      const record = sampleRecord("a.example");
      let revision: number | null = null;
      const look = async (more: Partial<HistoryStep>): Promise<void> => {
        revision = await written(store, sampleWrite(record, { revision, history: step(more) }));
      };
      const other = step({
        spans: [{ state: "timeout", from: 1, to: 2 }],
        hours: [total(0, { looks: 9 })],
        days: [total(0, { looks: 9 })],
      });
      await written(store, sampleWrite(sampleRecord("b.example"), { history: other }));
      const hour = { looks: 2, answered: 1, latencyMs: 40, slowestMs: 40, upMs: 5, knownMs: 9 };
      for (const at of [0, 1, 2]) {
        await look({
          spans: [{ state: at === 1 ? "online" : "unreachable", from: START + at, to: START + at + 1 }],
          hours: [total(START + at * HOUR, hour)],
          days: [total(START, { ...hour, slowestMs: 40 + at })],
        });
      }
      const kept = await store.history.of("a.example", { toolChanges: 9 });
      assert.deepEqual(
        kept?.spans.map(({ state, from }) => [state, from - START]),
        [
          ["unreachable", 0],
          ["online", 1],
          ["unreachable", 2],
        ],
      );
      assert.deepEqual(
        kept?.hours,
        [0, 1, 2].map((at) => total(START + at * HOUR, hour)),
      );
      assert.deepEqual(kept?.days, [
        total(START, { looks: 6, answered: 3, latencyMs: 120, slowestMs: 42, upMs: 15, knownMs: 27 }),
      ]);
      await look({
        spans: [{ state: "online", from: START + 3, to: START + 4 }],
        hours: [total(START + 3 * HOUR)],
        keep: { spans: 2, spansFrom: 0, hoursFrom: START + 2 * HOUR, daysFrom: 0 },
      });
      const after = await store.history.of("a.example", { toolChanges: 9 });
      assert.deepEqual([after?.spans.length, after?.hours.length, after?.days.length], [2, 2, 1]);
      assert.deepEqual((await store.history.of("b.example", { toolChanges: 9 }))?.hours, other.hours);
      await store.relays.remove("a.example", { id: "x" }, NOW);
      await list(store, record);
      assert.equal((await store.history.of("a.example", { toolChanges: 9 }))?.spans.length, 0);
    },
  },
  {
    name: "tells the newest changes of a relay's tools, not those of an earlier relay of this id",
    async run(store) {
      const record = sampleRecord("a.example");
      const tell = async () =>
        (await store.history.of("a.example", { toolChanges: 2 }))?.toolChanges.map(({ at, tools }) => [
          at,
          JSON.parse(tools.text).added,
        ]);
      const update = async (name: string, now: number): Promise<void> => {
        const stored = await store.relays.get("a.example");
        const tools = { added: [name], removed: [], changed: [], renamed: [] };
        await written(
          store,
          sampleWrite(record, {
            revision: stored?.revision ?? 0,
            events: [{ id: crypto.randomUUID(), event: "relay.updated", detail: { tools } }],
            now,
          }),
        );
      };
      await list(store, record);
      await change(store, record);
      for (const [at, name] of ["x", "y", "z"].entries()) await update(name, at);
      assert.deepEqual(await tell(), [
        [new Date(1).toISOString(), ["y"]],
        [new Date(2).toISOString(), ["z"]],
      ]);
      await store.relays.remove("a.example", { id: "gone" }, NOW);
      await list(store, record);
      assert.deepEqual(await tell(), []);
    },
  },
  {
    name: "says where a relay stands",
    async run(store) {
      const record = sampleRecord("a.example", { verified: true });
      await list(store, record);
      assert.deepEqual(await store.history.standing("a.example"), {
        online: true,
        verified: true,
        state: "online",
      });
      const probe = { ...record.probe, state: "timeout" as const };
      await change(store, { ...record, online: false, probe });
      assert.equal((await store.history.standing("a.example"))?.state, "timeout");
      assert.equal(await store.history.standing("b.example"), null);
    },
  },
];
