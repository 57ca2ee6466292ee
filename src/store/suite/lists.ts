/** Lists: the order of first listing, pages that neither skip nor double, filters, totals, and words. */
import assert from "node:assert/strict";
import {
  type EraFilter,
  type EventName,
  eraOf,
  type FacetCount,
  isOpenMcpError,
  type RelayFilter,
  type RelayRecord,
  summarize,
} from "../../spec/index.ts";
import type { Store } from "../store.ts";
import {
  change,
  endpointOf,
  event,
  list,
  listedIds,
  NOW,
  sampleRecord,
  sampleTool,
  sampleWrite,
  wholePage,
  written,
} from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

/** Every pair of flags, several kinds of credential, two tags. */
function various(count: number): RelayRecord[] {
  const kinds = ["none", "bearer", "oauth", "api-key", undefined, "nonsense"];
  return Array.from({ length: count }, (_, index) => {
    const id = `relay-${String(index).padStart(3, "0")}.example`;
    const kind = kinds[index % kinds.length];
    return sampleRecord(id, {
      descriptor: {
        mcp: endpointOf(id),
        name: `Relay ${index}`,
        ...(kind === undefined ? {} : { auth: { kind } }),
        tags: [index % 3 === 0 ? " Third " : "rest", `only-${index}`],
      },
      online: index % 2 === 0,
      verified: index % 5 !== 0,
    });
  });
}

/** The filter as its words say it, on records. */
function matches(record: RelayRecord, filter: RelayFilter): boolean {
  const summary = summarize(record);
  return (
    (filter.online === undefined || record.online === filter.online) &&
    (filter.verified === undefined || record.verified === filter.verified) &&
    (filter.auth === undefined || summary.auth === filter.auth) &&
    (filter.tag === undefined || summary.tags.includes(filter.tag.trim().toLowerCase()))
  );
}

async function pageThrough(store: Store, filter: RelayFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.relays.list(filter, {
      ...wholePage,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const records = JSON.parse(page.relays.text) as RelayRecord[];
    assert(records.length <= limit);
    ids.push(...records.map((record) => record.id));
    assert(ids.length <= 10_000, "the pages never end");
    cursor = page.nextCursor;
  }
  return ids;
}

export const listCases: readonly StoreCase[] = [
  {
    name: "lists in the order of first listing, whole pages and small ones alike",
    async run(store) {
      const records = various(23).reverse();
      for (const record of records) await list(store, record);
      for (const record of records.slice(5, 9)) await change(store, { ...record, failures: 1 });
      const ids = records.map((record) => record.id);
      for (const limit of [1, 2, 7, 23, 24, 500]) {
        assert.deepEqual(await pageThrough(store, {}, limit), ids, `limit ${limit}`);
      }
      const page = await store.relays.list({}, { ...wholePage, limit: 23 });
      assert.equal(page.nextCursor, null, "a page that ends with the list says so");
      assert.equal((await store.relays.list({}, { ...wholePage, limit: 5 })).total, 23);
    },
  },
  {
    name: "lists an empty catalog",
    async run(store) {
      for (const filter of [{}, { online: true }, { tag: "x" }, { q: "word" }]) {
        const { relays, total, nextCursor } = await store.relays.list(filter, wholePage);
        assert.deepEqual([relays.text, total, nextCursor], ["[]", 0, null]);
      }
    },
  },
  {
    name: "neither skips nor doubles a relay that stays, while others come and go",
    async run(store) {
      const records = various(12);
      for (const record of records) await list(store, record);
      const first = await store.relays.list({}, { ...wholePage, limit: 5 });
      assert(first.nextCursor);
      // The cursor's own relay, one before and one after it go; one comes back, at the end.
      for (const index of [4, 1, 7]) {
        await store.relays.remove(records[index]?.id ?? "", { id: crypto.randomUUID() }, NOW);
      }
      await list(store, records[1] as RelayRecord);
      const rest = await listedIds(store, {}, { ...wholePage, cursor: first.nextCursor });
      assert.deepEqual(
        rest,
        [5, 6, 8, 9, 10, 11, 1].map((index) => records[index]?.id),
      );
    },
  },
  {
    name: "ends a page at its size, with at least one entry",
    async run(store) {
      const records = various(6);
      for (const record of records) await list(store, record);
      const size = JSON.stringify(records[0]).length;
      const page = await store.relays.list({}, { limit: 100, maxBytes: Math.floor(size * 3.5) });
      assert.equal((JSON.parse(page.relays.text) as unknown[]).length, 3);
      assert(page.nextCursor);
      assert(page.relays.text.length <= size * 3.5);
      const least = await store.relays.list({}, { limit: 100, maxBytes: 1 });
      assert.equal((JSON.parse(least.relays.text) as unknown[]).length, 1);
      assert.equal(least.total, 6);
    },
  },
  {
    name: "lists records without their tools",
    async run(store) {
      const records = various(3).map((record) => ({ ...record, tools: [sampleTool("one")] }));
      for (const record of records) await list(store, record);
      const page = await store.relays.list({}, { ...wholePage, withoutTools: true });
      assert.deepEqual(
        JSON.parse(page.relays.text),
        records.map((record) => ({ ...record, tools: [] })),
      );
    },
  },
  {
    name: "keeps each relay in its block, whatever goes around it",
    async run(store) {
      const records = various(11);
      for (const record of records) await list(store, record);
      assert.deepEqual(await store.relays.blocks(4), [0, 1, 2]);
      const ids = (from: number, to: number) => records.slice(from, to).map((record) => record.id);
      const block = (number: number) => ({ ...wholePage, block: { size: 4, number } });
      assert.deepEqual(await listedIds(store, {}, block(0)), ids(0, 4));
      for (const index of [0, 4, 5, 6, 7])
        await store.relays.remove(records[index]?.id ?? "", { id: crypto.randomUUID() }, NOW);
      assert.deepEqual(await store.relays.blocks(4), [0, 2]);
      assert.deepEqual(await listedIds(store, {}, block(0)), ids(1, 4));
      assert.deepEqual(await listedIds(store, {}, block(1)), []);
      const first = await store.relays.list({}, { ...block(2), limit: 2 });
      assert(first.nextCursor);
      assert.deepEqual(await listedIds(store, {}, { ...block(2), cursor: first.nextCursor }), ids(10, 11));
      const whole = await store.relays.list({}, { ...block(0), limit: 3 });
      assert.equal(whole.nextCursor, null, "a page that ends with its block says so");
      assert.deepEqual(await listedIds(store, { online: true }, block(0)), [records[2]?.id]);
    },
  },
  {
    name: "tells what was listed or changed since a time, and when",
    async run(store) {
      const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
      const records = various(4);
      for (const [hours, record] of records.entries()) {
        const events = [event("relay.registered")];
        await written(store, sampleWrite(record, { events, now: NOW + hours * 3_600_000 }));
      }
      const [a, b, c, d] = records.map((record) => record.id) as [string, string, string, string];
      const later = async (record: RelayRecord, name: EventName, hours: number) => {
        const revision = (await store.relays.get(record.id))?.revision ?? null;
        const write = { revision, events: [event(name)], now: NOW + hours * 3_600_000 };
        await written(store, sampleWrite(record, write));
      };
      await later(records[0] as RelayRecord, "relay.updated", 5);
      await later(records[1] as RelayRecord, "relay.offline", 6);
      const since = (hours: number) => listedIds(store, { changedSince: at(hours) }, wholePage);
      assert.deepEqual(await since(0), [a, b, c, d]);
      assert.deepEqual(await since(2), [a, c, d]);
      assert.deepEqual(await since(5), [a]);
      assert.deepEqual(await since(5.5), []);
      assert.deepEqual(await since(-1), [a, b, c, d], "nothing is known of that time");
      const narrowed = { changedSince: at(2), verified: true, q: "relay" };
      assert.deepEqual(await listedIds(store, narrowed, wholePage), [c, d]);
      assert.deepEqual(await listedIds(store, { changedSince: at(2), tag: "rest" }, wholePage), [c]);
      assert.equal((await store.relays.list({ changedSince: at(2) }, wholePage)).total, 3);
      assert.deepEqual(
        await store.changes.lastChanged([a, b, "nobody.example"]),
        new Map([
          [a, at(5)],
          [b, at(1)],
        ]),
      );
      await store.changes.prune(NOW + 3_600_000 * 2.5, 100);
      assert.deepEqual(await since(5.5), []);
      assert.deepEqual(await since(2.5), [a, b, c, d]);
      assert.equal((await store.changes.lastChanged([b])).size, 0);
    },
  },
  {
    name: "narrows by every mixture of flags, credential and tag, with the right total",
    async run(store) {
      const records = various(60);
      for (const record of records) await list(store, record);
      for (const online of [undefined, true, false]) {
        for (const verified of [undefined, true, false]) {
          for (const auth of [undefined, "none", "bearer", "unknown"] as const) {
            for (const tag of [undefined, "third", " THIRD", "only-7", "nowhere"]) {
              const filter: RelayFilter = {
                ...(online === undefined ? {} : { online }),
                ...(verified === undefined ? {} : { verified }),
                ...(auth === undefined ? {} : { auth }),
                ...(tag === undefined ? {} : { tag }),
              };
              const wanted = records.filter((record) => matches(record, filter)).map((record) => record.id);
              const said = JSON.stringify(filter);
              assert.deepEqual(await pageThrough(store, filter, 7), wanted, said);
              assert.equal(
                (await store.relays.list(filter, { ...wholePage, limit: 1 })).total,
                wanted.length,
                said,
              );
            }
          }
        }
      }
    },
  },
  {
    name: "narrows by the era that answered, and knows how many have which flags and tags",
    async run(store) {
      const eras = ["2026-07-28", "2025-11-25", null, "2027-01-01"];
      const records = various(24).map((record, index) => ({
        ...record,
        probe: { ...record.probe, era: eras[index % eras.length] ?? null },
      }));
      for (const record of records) await list(store, record);
      const idsOf = (era: EraFilter) =>
        records.filter(({ probe }) => eraOf(probe.era) === era).map(({ id }) => id);
      for (const era of ["modern", "legacy", "unknown"] as const) {
        assert.deepEqual(await listedIds(store, { era }, wholePage), idsOf(era));
        assert.equal((await store.relays.list({ era }, { ...wholePage, limit: 1 })).total, idsOf(era).length);
      }
      const last = records[23] as RelayRecord;
      await change(store, { ...last, probe: { ...last.probe, era: null } }, []);
      await store.relays.remove(records[0]?.id ?? "", { id: "gone" }, NOW);
      const counts = await store.relays.facets();
      const sum = (is: (count: FacetCount) => boolean) =>
        counts.filter(is).reduce((total, { relays }) => total + relays, 0);
      assert.equal(
        sum(() => true),
        23,
      );
      assert.deepEqual(
        ["modern", "legacy", "unknown"].map((era) => sum((count) => count.era === era)),
        [10, 6, 7],
      );
      for (const count of counts) {
        assert(count.relays > 0);
        const { online, verified, auth, era } = count;
        const { total } = await store.relays.list({ online, verified, auth, era }, wholePage);
        assert.equal(total, count.relays);
      }
      assert.deepEqual(await store.relays.tags(3), [
        { tag: "rest", relays: 16 },
        { tag: "third", relays: 7 },
        { tag: "only-1", relays: 1 },
      ]);
    },
  },
  {
    name: "keeps counts, totals and filters true while relays change and go",
    async run(store) {
      const records = various(10);
      for (const record of records) await list(store, record);
      const first = records[0] as RelayRecord;
      await change(store, { ...first, online: false, descriptor: { ...first.descriptor, tags: ["New"] } });
      await store.relays.remove(records[2]?.id ?? "", { id: "gone" }, NOW);
      assert.deepEqual(await store.relays.counts(), { relays: 9, online: 3 });
      assert.equal((await store.relays.list({ online: true }, wholePage)).total, 3);
      assert.equal((await store.relays.list({ online: false }, wholePage)).total, 6);
      assert.deepEqual(await listedIds(store, { tag: "new" }, wholePage), [first.id]);
      assert.equal((await listedIds(store, { tag: "third" }, wholePage)).includes(first.id), false);
      // Two are kept, one comes back, one is no text that can be kept as it is: each is counted once.
      const retagged = ["Third", "New", "third", "x\u0000y", "\ud800", "\ud801"];
      for (let round = 0; round < 2; round += 1) {
        await change(store, { ...first, descriptor: { ...first.descriptor, tags: retagged } });
      }
      const counted = await store.relays.tags(100);
      assert.deepEqual(counted.slice(0, 3), [
        { tag: "rest", relays: 5 },
        { tag: "third", relays: 4 },
        { tag: "new", relays: 1 },
      ]);
      for (const { tag, relays } of counted.filter(({ tag }) => /^[a-z0-9-]+$/.test(tag))) {
        assert.equal((await store.relays.list({ tag }, wholePage)).total, relays, tag);
      }
      assert.equal(
        counted.some(({ tag }) => tag === "only-2"),
        false,
      );
    },
  },
  {
    name: "finds relays in which every word occurs somewhere, whatever its case",
    async run(store) {
      await list(
        store,
        sampleRecord("agenticjobs.work", {
          descriptor: {
            mcp: endpointOf("agenticjobs.work"),
            name: "Agentic JOBS",
            description: "Wo Stellen zu finden sind: Straße, ÉCOLE, 求人.",
            tags: ["hiring"],
          },
          tools: [sampleTool("search_jobs")],
        }),
      );
      await list(store, sampleRecord("other.example", { tools: [sampleTool("search_files")] }));
      const both = ["agenticjobs.work", "other.example"];
      const jobs = ["agenticjobs.work"];
      const asked: [string, readonly string[]][] = [
        ["", both],
        ["  \t\n ", both],
        ["search", both],
        ["SEARCH", both],
        ["jobs", jobs],
        ["hir agentic_jobs", []],
        ["hir agentic jobs  stellen", jobs],
        ["école", jobs],
        ["STRASSE", jobs],
        ["求人", jobs],
        ["search_files", ["other.example"]],
        ["arch_f", ["other.example"]],
        ["jobs files", []],
        ["agenticjobs.work other.example", []],
        ["stellen finden sind agentic jobs hiring search_jobs work", jobs],
        ["stellen finden sind agentic jobs hiring search_jobs nowhere", []],
        ["%", []],
        ["_", both],
        ["*", []],
        ['"search"', []],
        ["' or 1=1 --", []],
        ["\u0000", both],
        ["search \u0000files", ["other.example"]],
        ["\uD800", []],
        [`${"search ".repeat(1_000)}files`, ["other.example"]],
        ["x".repeat(10_000), []],
      ];
      for (const [q, ids] of asked) {
        const page = await store.relays.list({ q }, wholePage);
        const said = JSON.stringify(q.slice(0, 60));
        assert.deepEqual(await listedIds(store, { q }, wholePage), ids, said);
        assert.equal(page.total, ids.length, said);
      }
      assert.deepEqual(await listedIds(store, { q: "search", online: false }, wholePage), []);
      assert.deepEqual(await listedIds(store, { q: "search", tag: "Hiring" }, wholePage), jobs);
    },
  },
  {
    name: "pages through what words find",
    async run(store) {
      const records = various(20);
      for (const record of records) await list(store, record);
      const wanted = records.filter((record) => record.id.includes("1")).map((record) => record.id);
      for (const limit of [1, 3, 100])
        assert.deepEqual(
          await pageThrough(store, { q: "1." }, limit),
          wanted.filter((id) => id.includes("1.")),
        );
    },
  },
  {
    name: "gives the same relays as summaries",
    async run(store) {
      const records = various(9).map((record) => ({
        ...record,
        tools: [sampleTool("one"), sampleTool("two")],
      }));
      for (const record of records) await list(store, record);
      await change(store, { ...(records[3] as RelayRecord), online: true, tools: [sampleTool("other")] });
      const page = await store.relays.listSummaries({ verified: true }, wholePage);
      const stored = await store.relays.list({ verified: true }, wholePage);
      const summaries = (JSON.parse(stored.relays.text) as RelayRecord[]).map(summarize);
      assert.deepEqual(JSON.parse(page.relays.text), summaries);
      assert.equal(page.total, stored.total);
    },
  },
  {
    name: "refuses a cursor that no list gave, naming the field",
    async run(store) {
      for (const record of various(4)) await list(store, record);
      const { nextCursor } = await store.relays.list({}, { ...wholePage, limit: 2 });
      assert(nextCursor);
      const forged = [
        "",
        "0",
        "-1",
        "x",
        "NaN",
        "1e3",
        `${nextCursor}=`,
        ` ${nextCursor}`,
        nextCursor.slice(1),
        nextCursor.toUpperCase(),
        "cmVsYXlzOi0x",
        "cmVsYXlzOjA",
        "cmVsYXlzOjk5OTk5OTk5OTk5OTk5OTk5OTk5",
        "\u0000",
      ];
      for (const cursor of forged) {
        for (const method of ["list", "listSummaries"] as const) {
          await assert.rejects(
            store.relays[method]({}, { ...wholePage, cursor }),
            (error) => isOpenMcpError(error, "invalid-input") && error.data.field === "cursor",
            JSON.stringify(cursor),
          );
        }
      }
    },
  },
];
