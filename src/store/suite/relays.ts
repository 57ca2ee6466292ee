/** Single relays: kept whole, found by id and by endpoint, never overwritten by another's or by a stale write. */
import assert from "node:assert/strict";
import { isOpenMcpError } from "../../spec/index.ts";
import {
  change,
  endpointOf,
  event,
  list,
  NOW,
  sampleRecord,
  sampleTool,
  sampleWrite,
  wholePage,
  written,
} from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const odd = sampleRecord("odd.example", {
  descriptor: {
    mcp: endpointOf("odd.example"),
    name: "Ωdd “relay” \u0000 \uD800 🛰",
    unknown: { kept: [1, 2.5, null, true, { deep: "yes" }], 7: "integer key" },
    tags: 3,
  },
  tools: [
    { name: "tool \u0000 \uDC00", zeta: 1, alpha: { b: 1, a: 2 }, inputSchema: "not a schema" },
    { name: "second", description: null, _meta: { "x/y": [] } },
  ],
  aliases: ["https://odd.example/old"],
});

export const relayCases: readonly StoreCase[] = [
  {
    name: "gives a record back as it was written, whatever is in it",
    async run(store) {
      const hints = {
        era: "legacy",
        protocolVersion: "2025-11-25",
        session: true,
        judgedAt: new Date(NOW).toISOString(),
      } as const;
      const revision = await written(store, sampleWrite(odd, { hints }));
      const stored = { record: odd, endpoint: endpointOf("odd.example"), hints, document: null, revision };
      assert.deepEqual(await store.relays.get("odd.example"), stored);
      assert.deepEqual(await store.relays.findByEndpoint(endpointOf("odd.example")), stored);
      const json = (await store.relays.getJson("odd.example"))?.text ?? "";
      assert.deepEqual(JSON.parse(json), odd);
      assert.equal(json, JSON.stringify(odd), "the order of keys is kept");
    },
  },
  {
    name: "tells where a call goes, as it was written last",
    async run(store) {
      const relay = sampleRecord("called.example", { tools: [sampleTool("add"), sampleTool("sub")] });
      const routed = async (tool: string) => store.relays.route("called.example", tool);
      assert.equal(await routed("add"), null);
      await list(store, relay);
      const url = endpointOf("called.example");
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await routed("add"), { url, hints: null, definition: sampleTool("add") });
        assert.deepEqual(await routed("mul"), { url, hints: null, definition: null });
      }
      await change(store, { ...relay, tools: [sampleTool("add", "Adds two numbers.")] });
      assert.deepEqual((await routed("add"))?.definition, sampleTool("add", "Adds two numbers."));
      assert.equal((await routed("sub"))?.definition, null);
      const hints = {
        era: "modern",
        protocolVersion: "2026-07-28",
        session: false,
        judgedAt: new Date(NOW).toISOString(),
      } as const;
      const stored = await store.relays.get("called.example");
      assert(stored !== null);
      await written(store, { ...stored, hints, events: [], unchanged: true, now: NOW });
      assert.deepEqual((await routed("add"))?.hints, hints);
      await store.relays.remove("called.example", { id: "gone" }, NOW);
      assert.equal(await routed("add"), null);
      await list(store, { ...relay, tools: [sampleTool("add", "Another relay of that name.")] });
      assert.deepEqual((await routed("add"))?.definition, sampleTool("add", "Another relay of that name."));
    },
  },
  {
    name: "gives null for what is not listed",
    async run(store) {
      assert.equal(await store.relays.get("none"), null);
      assert.equal(await store.relays.getJson("none"), null);
      assert.equal(await store.relays.findByEndpoint("https://none.example/mcp"), null);
      assert.equal(await store.tools.ofRelay("none"), null);
      assert.equal(await store.tools.get("none", "tool"), null);
      assert.equal(await store.relays.remove("none", { id: "event" }, NOW), false);
      assert.deepEqual(await store.changes.list(0, 10), []);
    },
  },
  {
    name: "takes a change only from the revision that is stored",
    async run(store) {
      const first = await list(store, sampleRecord("a.example"));
      const second = await written(
        store,
        sampleWrite(sampleRecord("a.example", { failures: 1 }), { revision: first }),
      );
      assert(second > first);
      const late = sampleWrite(sampleRecord("a.example", { failures: 9 }), {
        revision: first,
        events: [event("relay.updated")],
      });
      assert.deepEqual(await store.relays.save(late), { ok: false, conflict: "revision" });
      const stored = await store.relays.get("a.example");
      assert.equal(stored?.record.failures, 1);
      assert.equal(stored?.revision, second);
      assert.equal((await store.changes.list(0, 10)).length, 1, "a refused write leaves no event");
    },
  },
  {
    name: "of writes from one revision takes exactly one",
    async run(store) {
      const revision = await list(store, sampleRecord("a.example"));
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, failures) =>
          store.relays.save(sampleWrite(sampleRecord("a.example", { failures }), { revision })),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome.ok).length, 1);
    },
  },
  {
    name: "of eight registrations of one endpoint takes exactly one",
    async run(store) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => store.relays.save(sampleWrite(sampleRecord("a.example")))),
      );
      assert.deepEqual(outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.conflict)).sort(), [
        "endpoint",
        "endpoint",
        "endpoint",
        "endpoint",
        "endpoint",
        "endpoint",
        "endpoint",
        "ok",
      ]);
    },
  },
  {
    name: "tells an id that another endpoint has from an endpoint that is listed",
    async run(store) {
      await list(store, sampleRecord("a.example"));
      const sameId = sampleWrite(sampleRecord("a.example"), { endpoint: "https://a.example/other/mcp" });
      assert.deepEqual(await store.relays.save(sameId), { ok: false, conflict: "id" });
      const sameEndpoint = sampleWrite(sampleRecord("b.example"), { endpoint: endpointOf("a.example") });
      assert.deepEqual(await store.relays.save(sameEndpoint), { ok: false, conflict: "endpoint" });
      assert.deepEqual(await store.relays.counts(), { relays: 1, online: 1 });
    },
  },
  {
    name: "finds a relay by its aliases, and lets no other have them",
    async run(store) {
      const record = sampleRecord("a.example", { aliases: ["https://A.example:443/old/"] });
      await list(store, record);
      await list(store, sampleRecord("b.example"));
      assert.equal((await store.relays.findByEndpoint("https://a.example/old"))?.record.id, "a.example");
      const stolen = sampleWrite(sampleRecord("c.example"), { endpoint: "https://a.example/old" });
      assert.deepEqual(await store.relays.save(stolen), { ok: false, conflict: "endpoint" });
      const claimed = sampleWrite(sampleRecord("b.example", { aliases: ["https://a.example/old"] }), {
        revision: (await store.relays.get("b.example"))?.revision ?? null,
      });
      assert.deepEqual(await store.relays.save(claimed), { ok: false, conflict: "endpoint" });
      await change(store, sampleRecord("a.example"));
      assert.equal(await store.relays.findByEndpoint("https://a.example/old"), null);
      await written(store, stolen);
      assert.equal((await store.relays.findByEndpoint("https://a.example/old"))?.record.id, "c.example");
    },
  },
  {
    name: "moves a relay to another endpoint of its own",
    async run(store) {
      const revision = await list(store, sampleRecord("a.example"));
      const moved = sampleRecord("a.example", { aliases: [endpointOf("a.example")] });
      await written(store, sampleWrite(moved, { revision, endpoint: "https://a.example/api/mcp" }));
      const stored = await store.relays.findByEndpoint("https://a.example/api/mcp");
      assert.deepEqual(stored?.record, moved);
      assert.equal(stored?.endpoint, "https://a.example/api/mcp");
      assert.deepEqual(await store.relays.findByEndpoint(endpointOf("a.example")), stored);
    },
  },
  {
    name: "removes all of a relay, and an old write does not bring it back",
    async run(store) {
      const record = sampleRecord("a.example", {
        descriptor: { mcp: endpointOf("a.example"), tags: ["x"] },
        tools: [sampleTool("one")],
        aliases: ["https://a.example/old"],
      });
      const revision = await list(store, record);
      assert.equal(await store.relays.remove("a.example", { id: "gone" }, NOW), true);
      assert.equal(await store.relays.remove("a.example", { id: "gone-again" }, NOW), false);
      assert.equal(await store.relays.get("a.example"), null);
      assert.equal(await store.relays.findByEndpoint("https://a.example/old"), null);
      assert.equal(await store.tools.ofRelay("a.example"), null);
      assert.equal(await store.tools.get("a.example", "one"), null);
      assert.equal((await store.relays.list({ tag: "x" }, wholePage)).total, 0);
      assert.deepEqual(await store.relays.counts(), { relays: 0, online: 0 });
      const late = await store.relays.save(sampleWrite(record, { revision }));
      assert.deepEqual(late, { ok: false, conflict: "revision" });
      const anew = await list(store, record);
      assert(anew > revision);
      const older = await store.relays.save(sampleWrite(record, { revision }));
      assert.deepEqual(older, { ok: false, conflict: "revision" });
    },
  },
  {
    name: "walks all ids in a stable order",
    async run(store) {
      const ids = ["c.example", "a.example", "b.example", "B.example", "é.example"];
      for (const id of ids) await list(store, sampleRecord(id, { source: "https://x.example/" }));
      const walked: string[] = [];
      for (let after = ""; ; ) {
        const some = await store.relays.ids(after, 2);
        if (some.length === 0) break;
        walked.push(...some);
        after = some.at(-1) ?? "";
      }
      assert.deepEqual([...walked].sort(), [...ids].sort());
      assert.equal(new Set(walked).size, ids.length);
    },
  },
  {
    name: "answers a check, and refuses everything once closed",
    async run(store) {
      await store.check();
      await store.close();
      await store.close();
      const unavailable = (error: unknown) => isOpenMcpError(error, "unavailable");
      await assert.rejects(store.check(), unavailable);
      await assert.rejects(store.relays.get("a.example"), unavailable);
      await assert.rejects(store.relays.save(sampleWrite(sampleRecord("a.example"))), unavailable);
      await assert.rejects(store.searchIndex.step(), unavailable);
      await assert.rejects(store.tools.find({ q: "word", limit: 1 }), unavailable);
    },
  },
];
