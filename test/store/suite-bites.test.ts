/** The suite fails a store that is wrong: each sabotage must be caught, or the suite proves nothing. */
import { describe, expect, it } from "vitest";
import { RawJson } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { storeSuite } from "../../src/store/suite.ts";

type Part = { readonly [K in keyof Store]?: Store[K] extends object ? Partial<Store[K]> : never };

let asks = 0;

const sabotages: Readonly<Record<string, (store: Store) => Part>> = {
  "takes any revision": ({ relays }) => ({
    relays: {
      async save(write) {
        const stored = await relays.get(write.record.id);
        return relays.save({ ...write, revision: stored?.revision ?? write.revision });
      },
    },
  }),
  "loses events": ({ relays }) => ({ relays: { save: (write) => relays.save({ ...write, events: [] }) } }),
  "ignores the online filter of a list": ({ relays }) => ({
    relays: { list: ({ online: _, ...filter }, page) => relays.list(filter, page) },
  }),
  "ignores where a page ends": ({ relays }) => ({
    relays: { list: (filter, page) => relays.list(filter, { ...page, maxBytes: Number.MAX_SAFE_INTEGER }) },
  }),
  "takes any cursor for the start": ({ relays }) => ({
    relays: {
      list: (filter, page) =>
        relays
          .list(filter, page)
          .catch(() => relays.list(filter, { limit: page.limit, maxBytes: page.maxBytes })),
    },
  }),
  "filters what was found after the limit": ({ tools }) => ({
    tools: {
      find: async ({ online, ...query }) =>
        (await tools.find(query)).filter((hit) => online === undefined || hit.online === online),
    },
  }),
  "sorts tools by name": ({ tools }) => ({
    tools: {
      async ofRelay(id) {
        const answer = await tools.ofRelay(id);
        if (answer === null) return null;
        const sorted = (JSON.parse(answer.tools.text) as { name: string }[]).sort((a, b) =>
          a.name < b.name ? -1 : 1,
        );
        return { ...answer, tools: new RawJson(JSON.stringify(sorted)) };
      },
    },
  }),
  "gives changes from the one named": ({ changes }) => ({
    changes: { list: (since, limit) => changes.list(since - 1, limit) },
  }),
  "takes any number for a place in the log": () => ({ changes: { goesOnFrom: async () => true } }),
  "never gets its index done": () => ({ searchIndex: { step: async () => ({ indexed: 0, pending: 1 }) } }),
  "tells of every marked relay that it can't be found": ({ searchIndex }) => ({
    searchIndex: { unseen: () => searchIndex.pending() },
  }),
  "leases what others have": ({ schedule }) => ({
    schedule: {
      async lease(ask) {
        await schedule.handBack("one");
        return schedule.lease(ask);
      },
    },
  }),
  "counts a slow relay like any other": ({ schedule }) => ({
    schedule: { lease: (ask) => schedule.lease({ ...ask, slowMs: Number.MAX_SAFE_INTEGER }) },
  }),
  "forgets a lease's owner": ({ relays }) => ({
    relays: { save: ({ lease: _, ...write }) => relays.save(write) },
  }),
  "reads a document of an import again and again": ({ imports }) => ({
    imports: {
      async finishDocument(id, position, reading, now) {
        await imports.finishDocument(id, position, { ...reading, documents: [], entries: [] }, now);
        return true;
      },
    },
  }),
  "goes on with an import that was cancelled": ({ imports }) => ({
    imports: { cancel: async (id) => (await imports.get(id)) !== null },
  }),
  "looks at an import's URLs as they came": ({ imports }) => ({
    imports: {
      open: async (id, limit) =>
        [...(await imports.open(id, 1_000))].sort((a, b) => a.position - b.position).slice(0, limit),
    },
  }),
  "forgets who claims a relay with the import": ({ imports }) => ({
    imports: { claims: async (relay, limit) => ((await imports.claims(relay, limit)) === null ? null : []) },
  }),
  "gives back what was taken": ({ budgets }) => ({
    budgets: {
      take(ask) {
        asks += 1;
        return budgets.take({ ...ask, now: ask.now + 1_000 * asks });
      },
    },
  }),
  "counts all clients as one": ({ budgets }) => ({
    budgets: { take: (ask) => budgets.take({ ...ask, client: "all" }) },
  }),
  "drops budgets that are in use": ({ budgets }) => ({
    budgets: { prune: (now, limit) => budgets.prune(now + 60_000, limit) },
  }),
  "leaves deliveries to a time that a wrong clock told": () => ({ webhooks: { recall: async () => {} } }),
  "hands a subscription to two dispatchers": ({ webhooks }) => ({
    webhooks: { beat: async () => {}, claim: (options) => webhooks.claim({ ...options, aliveUntil: 0 }) },
  }),
  "looks at changes only once, however many subscriptions there are": ({ webhooks }) => ({
    webhooks: {
      async expand(now, limit) {
        await webhooks.expand(now, limit);
        return false;
      },
    },
  }),
  "forgets that an attempt waits": ({ webhooks }) => ({
    webhooks: {
      report: (reports, options) =>
        webhooks.report(
          reports.map((report) => ({
            ...report,
            attempts: report.attempts.map((attempt) => ({ ...attempt, dueAt: 0 })),
          })),
          options,
        ),
    },
  }),
  "lets peers bring back what was removed": () => ({ peers: { removedSince: async () => false } }),
  "takes all that a peer offers": ({ peers }) => ({
    peers: { offer: (peer, offers, options) => peers.offer(peer, offers, { ...options, most: 1_000_000 }) },
  }),
  "keeps what a peer lists no longer": () => ({ peers: { forgetUnseen: async () => {} } }),
  "finishes a job at its first result": ({ jobs }) => ({
    jobs: { unfinished: async () => (await jobs.unfinished()).slice(1) },
  }),
};

function sabotaged(store: Store, part: Part): Store {
  const merged = { ...store };
  for (const [name, broken] of Object.entries(part)) {
    Object.assign(merged, { [name]: { ...(store[name as keyof Store] as object), ...broken } });
  }
  return merged;
}

describe("the suite", () => {
  for (const [name, part] of Object.entries(sabotages)) {
    it(`catches a store that ${name}`, async () => {
      let caught = false;
      for (const { run } of storeSuite) {
        await using store = await openSqliteStore({ path: ":memory:" });
        await run(sabotaged(store, part(store))).catch(() => {
          caught = true;
        });
        if (caught) break;
      }
      expect(caught).toBe(true);
    });
  }
});
