/** Peers: what is kept of each, what they list that is not listed here, and what an admin removed. */
import assert from "node:assert/strict";
import type { Store, StoredRelay } from "../store.ts";
import { endpointOf, list, NOW, sampleRecord, sampleWrite, written } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const PEER = "https://peer.example";
const OTHER = "https://other.example";
const PAGE = "https://peer.example/v1/relays?limit=500";
const KEPT_OUT = 1_000;

const offer = (id: string) => ({ endpoint: endpointOf(id), url: `${endpointOf(id)}/` });
const options = { page: PAGE, now: NOW, keptOutMs: KEPT_OUT, most: 100 };

async function due(store: Store, now: number, peer = PEER): Promise<readonly string[]> {
  return (await store.peers.due(peer, now, 100)).map(({ endpoint }) => new URL(endpoint).hostname);
}

export const peerCases: readonly StoreCase[] = [
  {
    name: "lists endpoints in pages that a look changes nothing in, and a removal one of",
    async run(store) {
      const ids = Array.from({ length: 7 }, (_, index) => `r${index}.example`);
      for (const id of ids) await list(store, sampleRecord(id, id === "r1.example" ? { via: OTHER } : {}));
      const page = (cursor?: string, maxBytes = 1_000_000) =>
        store.relays.listEndpoints({}, { limit: 3, maxBytes, ...(cursor === undefined ? {} : { cursor }) });
      const pages = async () => {
        const texts: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null && texts.length < 9; ) {
          const next = await page(cursor);
          texts.push(`${next.relays.text} ${next.nextCursor}`);
          cursor = next.nextCursor;
        }
        return texts;
      };
      const before = await pages();
      assert.equal(before.length, 3);
      const first = JSON.parse((await page()).relays.text);
      assert.deepEqual(first[1], {
        id: "r1.example",
        source: sampleRecord("r1.example").source,
        descriptor: { mcp: sampleRecord("r1.example").descriptor.mcp },
        via: OTHER,
      });
      const { record, revision } = (await store.relays.get("r4.example")) as StoredRelay;
      const looked = { ...record, online: !record.online, probe: { ...record.probe, latencyMs: 999 } };
      await written(store, sampleWrite(looked, { revision }));
      assert.deepEqual(await pages(), before);
      await store.relays.remove("r0.example", { id: "gone" }, NOW);
      const after = await pages();
      assert.notEqual(after[0], before[0]);
      assert.deepEqual(after.slice(1), before.slice(1));
      // A page that would be too long to read ends early, and nothing is left out.
      const short = await page(undefined, 1);
      assert.equal(JSON.parse(short.relays.text).length, 1);
      assert.match((await page(short.nextCursor ?? "")).relays.text, /^\[\{"id":"r2/);
      for (const id of ["r1.example", "r2.example", "r3.example", "r4.example", "r5.example"]) {
        await store.relays.remove(id, { id: `gone ${id}` }, NOW);
      }
      assert.equal((await pages()).length, 1);
    },
  },
  {
    name: "keeps peers in the order of adding, once each, with what became of the last sync",
    async run(store) {
      const at = new Date(NOW).toISOString();
      assert.equal(await store.peers.add(PEER, NOW), true);
      assert.equal(await store.peers.add(OTHER, NOW + 1), true);
      assert.equal(await store.peers.add(PEER, NOW + 2), false);
      assert.deepEqual((await store.peers.list())[0], {
        url: PEER,
        addedAt: at,
        syncedAt: null,
        lastError: null,
      });
      await store.peers.synced(PEER, { error: null, now: NOW + 3 });
      await store.peers.synced(PEER, { error: "it hangs", now: NOW + 4 });
      await store.peers.synced("https://none.example", { error: null, now: NOW });
      assert.deepEqual(
        (await store.peers.list()).map(({ url, syncedAt, lastError }) => [url, syncedAt, lastError]),
        [
          [PEER, new Date(NOW + 3).toISOString(), "it hangs"],
          [OTHER, null, null],
        ],
      );
      await store.peers.synced(PEER, { error: null, now: NOW + 5 });
      assert.equal((await store.peers.list())[0]?.lastError, null);
      assert.equal(await store.peers.remove(PEER), true);
      assert.equal(await store.peers.remove(PEER), false);
      assert.deepEqual(
        (await store.peers.list()).map(({ url }) => url),
        [OTHER],
      );
    },
  },
  {
    name: "takes what a peer lists and this catalog doesn't, never-tried ones first",
    async run(store) {
      await list(store, sampleRecord("known.example", { aliases: [endpointOf("former.example")] }));
      await store.peers.add(PEER, NOW);
      await store.peers.add(OTHER, NOW);
      const offers = ["a.example", "known.example", "former.example", "b.example", "a.example"].map(offer);
      await store.peers.offer(PEER, offers, options);
      assert.deepEqual(await store.peers.due(PEER, NOW - 1, 10), []);
      assert.deepEqual((await store.peers.due(PEER, NOW, 10))[0], { ...offer("a.example"), tries: 0 });
      assert.deepEqual(await due(store, NOW), ["a.example", "b.example"]);
      assert.deepEqual(await due(store, NOW, OTHER), []);
      assert.equal((await store.peers.due(PEER, NOW, 1)).length, 1);
      await store.peers.postpone(PEER, { endpoint: endpointOf("a.example"), tries: 1 }, NOW + 10);
      assert.deepEqual(await due(store, NOW + 9), ["b.example"]);
      assert.deepEqual(await due(store, NOW + 10), ["b.example", "a.example"]);
      // Listed again: what is known of it stays.
      await store.peers.offer(PEER, [offer("a.example")], { ...options, now: NOW + 5 });
      assert.equal((await store.peers.due(PEER, NOW + 10, 10))[1]?.tries, 1);
      await store.peers.settle(PEER, endpointOf("b.example"));
      assert.deepEqual(await due(store, NOW + 10), ["a.example"]);
    },
  },
  {
    name: "takes no more candidates than it may, and none for a peer that is gone",
    async run(store) {
      await store.peers.add(PEER, NOW);
      const three = ["a.example", "b.example", "c.example"].map(offer);
      await store.peers.offer(PEER, three, { ...options, most: 2 });
      await store.peers.offer(PEER, three, { ...options, most: 2 });
      assert.deepEqual(await due(store, NOW), ["a.example", "b.example"]);
      await store.peers.remove(PEER);
      await store.peers.offer(PEER, three, options);
      await store.peers.keepPage(PEER, { url: PAGE, etag: '"1"', next: null }, NOW);
      await store.peers.add(PEER, NOW);
      assert.deepEqual(await due(store, NOW), []);
      assert.equal(await store.peers.page(PEER, PAGE), null);
    },
  },
  {
    name: "remembers pages, and forgets what a peer lists no longer",
    async run(store) {
      const gone = `${PAGE}&cursor=x`;
      await store.peers.add(PEER, NOW);
      await store.peers.offer(PEER, [offer("stays.example")], options);
      await store.peers.offer(PEER, [offer("goes.example")], { ...options, page: gone });
      await store.peers.keepPage(PEER, { url: PAGE, etag: '"1"', next: "x" }, NOW);
      await store.peers.keepPage(PEER, { url: gone, etag: '"2"', next: null }, NOW);
      assert.deepEqual(await store.peers.page(PEER, PAGE), { url: PAGE, etag: '"1"', next: "x" });
      assert.equal(await store.peers.page(OTHER, PAGE), null);
      await store.peers.seePage(PEER, PAGE, NOW + 10);
      await store.peers.forgetUnseen(OTHER, NOW + 10);
      assert.deepEqual(await due(store, NOW), ["goes.example", "stays.example"]);
      await store.peers.forgetUnseen(PEER, NOW + 10);
      assert.deepEqual(await due(store, NOW), ["stays.example"]);
      assert.equal(await store.peers.page(PEER, gone), null);
      await store.peers.keepPage(PEER, { url: PAGE, etag: '"3"', next: null }, NOW + 11);
      assert.deepEqual(await store.peers.page(PEER, PAGE), { url: PAGE, etag: '"3"', next: null });
    },
  },
  {
    name: "keeps out what an admin removed, until its time is over or somebody registers it here",
    async run(store) {
      const endpoint = endpointOf("a.example");
      const alias = endpointOf("former.example");
      await store.peers.add(PEER, NOW);
      await list(store, sampleRecord("a.example", { aliases: [alias] }));
      await store.peers.keepPage(PEER, { url: PAGE, etag: '"1"', next: null }, NOW);
      assert.equal(await store.peers.removedSince(endpoint, 0), false);
      await store.relays.remove("a.example", { id: "removal" }, NOW);
      for (const url of [endpoint, alias]) {
        assert.equal(await store.peers.removedSince(url, NOW - 1), true);
        assert.equal(await store.peers.removedSince(url, NOW), false);
      }
      // What is the same page as before holds it again.
      assert.equal(await store.peers.page(PEER, PAGE), null);
      await store.peers.offer(PEER, ["a.example", "former.example"].map(offer), { ...options, now: NOW + 5 });
      assert.deepEqual(await due(store, NOW + KEPT_OUT - 1), []);
      assert.deepEqual(await due(store, NOW + KEPT_OUT), ["a.example", "former.example"]);
      // Learned from a peer after all: that is no registration here.
      await written(store, sampleWrite(sampleRecord("a.example", { via: PEER })));
      assert.equal(await store.peers.removedSince(endpoint, 0), true);
      await store.relays.remove("a.example", { id: "again" }, NOW + 1);
      await list(store, sampleRecord("a.example"));
      assert.equal(await store.peers.removedSince(endpoint, 0), false);
      assert.equal(await store.peers.removedSince(alias, 0), true);
      await store.peers.forgetRemoved(NOW);
      assert.equal(await store.peers.removedSince(alias, 0), true);
      await store.peers.forgetRemoved(NOW + 1);
      assert.equal(await store.peers.removedSince(alias, 0), false);
    },
  },
];
