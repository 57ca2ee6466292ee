/** The schedule: who is due, in which order, leased to one worker at a time, and never lost. */
import assert from "node:assert/strict";
import type { LeaseAsk } from "../schedule-store.ts";
import type { RelayWrite, Store } from "../store.ts";
import { NOW, sampleRecord, sampleTool, sampleWrite, written } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const LEASE_MS = 1_000;

const ask = (changes: Partial<LeaseAsk> = {}): LeaseAsk => ({
  owner: "one",
  now: NOW,
  leaseMs: LEASE_MS,
  limit: 100,
  perHost: 100,
  perDomain: 100,
  slowMs: LEASE_MS,
  mostPerHost: 100,
  mostPerDomain: 100,
  ...changes,
});

/** `dueAt` null: never planned. */
async function plan(
  store: Store,
  id: string,
  dueAt: number | null,
  changes: Partial<RelayWrite> = {},
): Promise<void> {
  const sample = sampleRecord(id);
  const nextAt = dueAt === null ? null : new Date(dueAt).toISOString();
  const record = { ...sample, ...changes.record, probe: { ...sample.probe, nextAt } };
  await written(store, sampleWrite(record, { ...changes, record }));
}

async function leased(store: Store, changes: Partial<LeaseAsk> = {}): Promise<string[]> {
  const { relays } = await store.schedule.lease(ask(changes));
  return relays.map(({ id }) => id);
}

export const scheduleCases: readonly StoreCase[] = [
  {
    name: "leases what is due: never planned first, then by time, and each once",
    async run(store) {
      await plan(store, "later.example", NOW + 1);
      await plan(store, "now.example", NOW);
      await plan(store, "early.example", NOW - 5_000);
      await plan(store, "never.example", null);
      assert.equal(await store.schedule.nextDue(), 0);
      assert.deepEqual(await leased(store, { limit: 2 }), ["never.example", "early.example"]);
      assert.equal(await store.schedule.nextDue(), NOW);
      assert.deepEqual(await leased(store, { owner: "two" }), ["now.example"]);
      assert.deepEqual(await leased(store, { owner: "three" }), []);
      assert.equal(await store.schedule.nextDue(), NOW + 1);
      assert.deepEqual(await store.schedule.counts(NOW), { due: 3, leased: 3 });
      assert.deepEqual(await leased(store, { owner: "three", now: NOW + 1 }), ["later.example"]);
      assert.equal(await store.schedule.nextDue(), null);
    },
  },
  {
    name: "says when more may be due than it leased",
    async run(store) {
      for (const name of ["a", "b", "c"]) await plan(store, `${name}.example`, NOW);
      assert.equal((await store.schedule.lease(ask({ limit: 2 }))).more, true);
      assert.equal((await store.schedule.lease(ask({ limit: 2 }))).more, false);
      assert.equal((await store.schedule.lease(ask({ limit: 0 }))).relays.length, 0);
    },
  },
  {
    name: "ends a lease with the write of its owner, and plans what the record says",
    async run(store) {
      await plan(store, "a.example", NOW);
      await leased(store);
      const stored = await store.relays.get("a.example");
      assert(stored);
      const nextAt = new Date(NOW + 60_000).toISOString();
      const record = { ...stored.record, probe: { ...stored.record.probe, nextAt } };
      const write = sampleWrite(record, { revision: stored.revision });
      const byAnother = await store.relays.save({ ...write, lease: "two" });
      assert.deepEqual(byAnother, { ok: false, conflict: "lease" });
      assert.equal((await store.relays.get("a.example"))?.record.probe.nextAt, stored.record.probe.nextAt);
      const outcome = await store.relays.save({ ...write, lease: "one" });
      assert(outcome.ok);
      assert.deepEqual(await store.schedule.counts(NOW), { due: 0, leased: 0 });
      assert.equal(await store.schedule.nextDue(), NOW + 60_000);
      const twice = await store.relays.save({ ...write, revision: outcome.revision, lease: "one" });
      assert.deepEqual(twice, { ok: false, conflict: "lease" });
    },
  },
  {
    name: "leaves a lease alone when someone else writes the relay",
    async run(store) {
      await plan(store, "a.example", NOW);
      await leased(store);
      const stored = await store.relays.get("a.example");
      assert(stored);
      await written(store, sampleWrite(stored.record, { revision: stored.revision }));
      assert.deepEqual(await leased(store, { owner: "two" }), []);
    },
  },
  {
    name: "gives what ran out to another, and never takes a lease from its owner while it lasts",
    async run(store) {
      await plan(store, "a.example", NOW);
      await plan(store, "b.example", NOW);
      assert.deepEqual(await leased(store, { limit: 1 }), ["a.example"]);
      const end = NOW + LEASE_MS;
      assert.deepEqual(await leased(store, { owner: "two", now: end - 1 }), ["b.example"]);
      await store.schedule.renew("two", end + LEASE_MS);
      // Its owner knows that it lives: it does not lease it anew.
      assert.deepEqual(await leased(store, { now: end + 1 }), []);
      assert.deepEqual(await leased(store, { owner: "two", now: end }), ["a.example"]);
      await store.schedule.renew("one", end + LEASE_MS);
      assert.deepEqual(await leased(store, { owner: "three", now: end + 1 }), []);
    },
  },
  {
    name: "waits for no lease of a time that is not yet: the clock was set back",
    async run(store) {
      await plan(store, "a.example", NOW);
      assert.deepEqual(await leased(store, { now: NOW + 86_400_000 }), ["a.example"]);
      assert.deepEqual(await leased(store, { owner: "two" }), ["a.example"]);
    },
  },
  {
    name: "takes no lease from who asked a moment later and wrote first: it waited to write, or its clock is behind",
    async run(store) {
      await plan(store, "a.example", NOW);
      assert.deepEqual(await leased(store, { now: NOW + LEASE_MS }), ["a.example"]);
      assert.deepEqual(await leased(store, { owner: "two" }), []);
      assert.deepEqual(await leased(store, { owner: "two", now: NOW + LEASE_MS - 1 }), []);
    },
  },
  {
    name: "hands back all leases of an owner as they were, or one with a time",
    async run(store) {
      for (const name of ["a", "b", "c"]) await plan(store, `${name}.example`, NOW);
      await leased(store, { limit: 2 });
      await leased(store, { owner: "two" });
      await store.schedule.handBack("one", { relay: "c.example", dueAt: NOW + 9 });
      await store.schedule.handBack("one", { relay: "b.example", dueAt: NOW + 5 });
      await store.schedule.handBack("one", { relay: "none.example", dueAt: NOW });
      await store.schedule.handBack("one");
      await store.schedule.handBack("one");
      assert.deepEqual(await leased(store), ["a.example"]);
      assert.deepEqual(await leased(store, { now: NOW + 5 }), ["b.example"]);
      assert.deepEqual(await store.schedule.counts(NOW), { due: 2, leased: 3 });
    },
  },
  {
    name: "keeps to the numbers a host and a domain, over all owners, and passes over who has no room",
    async run(store) {
      const at = (host: string, domain = host) => ({ place: { host, domain } });
      for (let index = 0; index < 200; index += 1) {
        await plan(store, `many-${index}.example`, NOW - 1_000, at("many.example"));
      }
      for (const name of ["a", "b", "c"]) {
        await plan(store, `${name}.site.example`, NOW - 500, at(`${name}.site.example`, "site.example"));
      }
      await plan(store, "last.example", NOW, at("last.example"));
      const limits = { perHost: 2, perDomain: 2 };
      const first = await store.schedule.lease(ask({ ...limits, limit: 3 }));
      assert.deepEqual(
        first.relays.map(({ host }) => host),
        ["many.example", "many.example", "a.site.example"],
      );
      const second = await store.schedule.lease(ask({ ...limits, owner: "two" }));
      assert.deepEqual(
        second.relays.map(({ host, domain }) => [host, domain]),
        [
          ["b.site.example", "site.example"],
          ["last.example", "last.example"],
        ],
      );
      assert.equal(second.more, true);
      await store.schedule.handBack("two");
      assert.equal((await leased(store, { ...limits, limit: 1, owner: "two" })).length, 1);
    },
  },
  {
    name: "lets slow ones count for less, and not for nothing",
    async run(store) {
      for (let index = 0; index < 9; index += 1) {
        await plan(store, `r${index}.example`, NOW, { place: { host: "one.example", domain: "example" } });
      }
      const limits = { perHost: 2, mostPerHost: 5, slowMs: 100, leaseMs: 60_000 };
      assert.equal((await leased(store, limits)).length, 2);
      assert.equal((await leased(store, { ...limits, now: NOW + 100 })).length, 0);
      assert.equal((await leased(store, { ...limits, now: NOW + 101 })).length, 2);
      assert.equal((await leased(store, { ...limits, now: NOW + 202 })).length, 1);
      assert.equal((await leased(store, { ...limits, now: NOW + 303 })).length, 0);
    },
  },
  {
    name: "recalls what is planned further ahead than anyone would",
    async run(store) {
      await plan(store, "soon.example", NOW + 10);
      await plan(store, "online.example", NOW + 100);
      await plan(store, "failing.example", NOW + 100, {
        record: { ...sampleRecord("failing.example"), online: false },
      });
      await plan(store, "failing-far.example", NOW + 1_001, {
        record: { ...sampleRecord("failing-far.example"), online: false },
      });
      assert.equal(await store.schedule.recall({ now: NOW, online: NOW + 50, any: NOW + 1_000 }), 2);
      assert.deepEqual((await leased(store)).toSorted(), ["failing-far.example", "online.example"]);
      assert.equal(await store.schedule.nextDue(), NOW + 10);
    },
  },
  {
    name: "writes what every look changes alone, and gives the record back whole",
    async run(store) {
      const tools = [sampleTool("one"), sampleTool("two")];
      await plan(store, "a.example", NOW, { record: { ...sampleRecord("a.example"), tools } });
      await leased(store);
      const stored = await store.relays.get("a.example");
      assert(stored);
      const nextAt = new Date(NOW + 60_000).toISOString();
      const record = { ...stored.record, probe: { ...stored.record.probe, nextAt, latencyMs: 7 } };
      const write = sampleWrite(record, { revision: stored.revision, unchanged: true });
      assert.deepEqual(await store.relays.save({ ...write, lease: "two" }), { ok: false, conflict: "lease" });
      const revision = await written(store, { ...write, lease: "one" });
      assert.deepEqual(await store.relays.get("a.example"), { ...stored, record, revision });
      assert.deepEqual(await store.relays.save(write), { ok: false, conflict: "revision" });
      assert.equal(await store.schedule.nextDue(), NOW + 60_000);
      assert.equal((await store.tools.ofRelay("a.example"))?.tools.text, JSON.stringify(tools));
    },
  },
  {
    name: "forgets a relay that is removed, and its lease",
    async run(store) {
      await plan(store, "a.example", NOW);
      await leased(store);
      await store.relays.remove("a.example", { id: "gone" }, NOW);
      assert.deepEqual(await store.schedule.counts(NOW), { due: 0, leased: 0 });
      assert.equal(await store.schedule.nextDue(), null);
    },
  },
  {
    name: "keeps beside a record what its descriptor was served with",
    async run(store) {
      const document = {
        url: "https://a.example/.well-known/openmcp.json",
        etag: '"one"',
        lastModified: null,
        readAt: new Date(NOW).toISOString(),
        freshSeconds: 60,
      };
      await plan(store, "a.example", NOW, { document });
      const stored = await store.relays.get("a.example");
      assert.deepEqual(stored?.document, document);
      await written(store, sampleWrite(stored.record, { revision: stored.revision }));
      assert.equal((await store.relays.get("a.example"))?.document, null);
    },
  },
];
