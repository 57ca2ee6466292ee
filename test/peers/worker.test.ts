/** The worker: when it syncs, that lanes do not wait for each other, and that a stop in the middle loses nothing. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPeerWorker, operations } from "../../src/catalog/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { createManualClock, type FakeRelay, type ManualClock } from "../../src/testing/index.ts";
import { admin, startTestCatalog, type TestCatalog } from "../catalog/fixture.ts";
import { relaysOfTests, serversOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { startFakePeer } from "./fake-peer.ts";

const EVERY = 60_000;

let clock: ManualClock;
let catalog: TestCatalog;
beforeEach(async () => {
  clock = createManualClock();
  catalog = await startTestCatalog({ clock });
});
afterEach(async () => {
  await catalog.close();
});

const relay = relaysOfTests();
const peer = serversOfTests(startFakePeer);

const add = (url: string) => operations.addPeer.run(catalog.context, { url }, admin);
const worker = (random = 0.5) => createPeerWorker(catalog.context, { everyMs: EVERY, random: () => random });

describe("the peer worker", () => {
  it("syncs at its start, when a peer is added, and then by its period", async () => {
    const first = await peer({ relays: [(await relay()).url] });
    const second = await peer({ host: "127.0.0.2" });
    await add(first.url);
    await using syncs = worker();
    syncs.start();
    await clock.sleeping(1);
    expect(await catalog.ids()).toHaveLength(1);
    await add(second.url);
    await clock.sleeping(2);
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    await clock.advance(EVERY - 1);
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    await clock.advance(1);
    await clock.sleeping(2);
    expect([first.asked.length, second.asked.length]).toEqual([2, 2]);
  });

  it("comes a little earlier or later, so that peers don't march in step", async () => {
    const from = await peer({});
    await add(from.url);
    await using syncs = worker(1);
    syncs.start();
    await clock.sleeping();
    await clock.advance(1.1 * EVERY - 1);
    expect(from.asked).toHaveLength(1);
    await clock.advance(1);
    await clock.sleeping();
    expect(from.asked).toHaveLength(2);
  });

  it("leaves a peer alone for as long as it asks", async () => {
    const from = await peer({
      answer(_url, response) {
        response.writeHead(503, { "retry-after": "300" }).end();
        return true;
      },
    });
    await add(from.url);
    await using syncs = worker();
    syncs.start();
    await clock.sleeping();
    await clock.advance(299_999);
    expect(from.asked).toHaveLength(1);
    await clock.advance(1);
    await clock.sleeping();
    expect(from.asked).toHaveLength(2);
  });

  it("syncs at once when it is asked to, together with who asks", async () => {
    const from = await peer({});
    await add(from.url);
    await using syncs = worker();
    syncs.start();
    await clock.sleeping();
    await operations.syncPeers.run(catalog.context, {}, admin);
    await clock.sleeping();
    expect(from.asked).toHaveLength(2);
    // Its period starts anew.
    await clock.advance(EVERY - 1);
    expect(from.asked).toHaveLength(2);
  });

  it("lets no peer wait for another that hangs", verifies("peers.own-lane"), async () => {
    const asked = Promise.withResolvers<void>();
    const hanging = await peer({
      answer() {
        asked.resolve();
        return true;
      },
    });
    const quick = await peer({ host: "127.0.0.2", relays: [(await relay()).url] });
    await add(hanging.url);
    await add(quick.url);
    await using syncs = worker();
    syncs.start();
    await asked.promise;
    await clock.sleeping(1);
    expect(await catalog.ids()).toHaveLength(1);
    for (let round = 2; round < 5; round += 1) {
      await clock.advance(EVERY);
      await clock.sleeping(1);
      expect([hanging.asked.length, quick.asked.length]).toEqual([1, round]);
    }
  });

  it("gives up a sync with a peer that is removed", async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const hanging = await peer({
      answer(_url, response) {
        response.once("close", () => gone.resolve());
        asked.resolve();
        return true;
      },
    });
    await add(hanging.url);
    await using syncs = worker();
    syncs.start();
    await asked.promise;
    await operations.removePeer.run(catalog.context, { url: hanging.url }, admin);
    await gone.promise;
    expect(clock.sleepers).toBe(0);
  });

  it("goes on after a stop where it was, without reading again what is the same", async () => {
    const crowd = await Promise.all(
      Array.from({ length: 6 }, (_, index) => relay({ host: `127.0.0.${index + 10}` })),
    );
    const held = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    const last = crowd[5] as FakeRelay;
    last.update({
      async intercept() {
        hung.resolve();
        await held.promise;
        return false;
      },
    });
    const from = await peer({ relays: crowd.map(({ url }) => url), pageSize: 2, etags: true });
    await add(from.url);
    const first = worker();
    first.start();
    await hung.promise;
    await expect.poll(() => catalog.ids()).toHaveLength(5);
    await Promise.all([first.close(), first.close()]);
    expect(clock.sleepers).toBe(0);
    expect((await catalog.store.peers.list())[0]).toMatchObject({ syncedAt: null, lastError: null });

    held.resolve();
    last.update({ intercept: undefined });
    const before = crowd.map(({ requests }) => requests.length);
    const read = from.asked.length;
    await using second = worker();
    second.start();
    await clock.sleeping();
    expect(await catalog.ids()).toHaveLength(6);
    expect((await catalog.get(relayId(last.url))).via).toBe(from.url);
    expect(crowd.slice(0, 5).map(({ requests }) => requests.length)).toEqual(before.slice(0, 5));
    expect(from.asked.slice(read).map(({ etag }) => etag)).toEqual(
      Array.from({ length: 3 }, () => expect.any(String)),
    );
    expect((await catalog.changes()).map(({ event }) => event)).toEqual(Array(6).fill("relay.registered"));
  });

  it("is not stopped by a store that fails", async () => {
    const from = await peer({ relays: [(await relay()).url] });
    await add(from.url);
    let failing = true;
    const { store } = catalog;
    const flaky = {
      ...store,
      peers: {
        ...store.peers,
        list: () => (failing ? Promise.reject(new Error("the disk is full")) : store.peers.list()),
      },
    };
    await using syncs = createPeerWorker({ ...catalog.context, store: flaky }, { everyMs: EVERY });
    syncs.start();
    await clock.sleeping();
    failing = false;
    await clock.advance(1_000);
    await clock.sleeping();
    expect(await catalog.ids()).toHaveLength(1);
  });
});
