/** What a catalog learns from a peer and what it does not, with real relays, real lists and a clock moved by hand. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { canonicalEndpoint, isOpenMcpError, parseRaw, relayId } from "../../src/spec/index.ts";
import {
  createManualClock,
  type FakeRelay,
  type FakeRelayOptions,
  type ManualClock,
  startFakeRelay,
} from "../../src/testing/index.ts";
import { admin, caller, deadUrl, startTestCatalog, type TestCatalog } from "../catalog/fixture.ts";
import { relaysOfTests, serversOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { entryOf, type FakePeer, type FakePeerOptions, startFakePeer } from "./fake-peer.ts";

const DAY = 24 * 60 * 60_000;

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
const startPeer = serversOfTests(startFakePeer);

async function peer(options: FakePeerOptions): Promise<FakePeer> {
  const started = await startPeer(options);
  await operations.addPeer.run(catalog.context, { url: started.url }, admin);
  return started;
}

const sync = () => operations.syncPeers.run(catalog.context, {}, admin);
const peers = async () => (await operations.peers.run(catalog.context, {}, caller)).peers;
const looks = (of: FakeRelay) => of.requests.length;
const events = async () => (await catalog.changes()).map((change) => change.event);

describe("a relay that a peer lists", () => {
  it(
    "is looked at here, and listed as what it says itself",
    verifies("peers.probed-here", "peers.via"),
    async () => {
      const weather = await relay({ descriptor: { mcp: "/mcp", name: "Weather" } });
      const from = await peer({ relays: [weather.url] });
      expect(await sync()).toEqual({ peers: 1, learned: 1 });
      expect(await catalog.get(relayId(weather.url))).toMatchObject({
        descriptor: { name: "Weather" },
        verified: true,
        online: true,
        via: from.url,
      });
      expect(JSON.stringify(await catalog.get(relayId(weather.url)))).not.toMatch(/hearsay|peer's word/);
      expect(await events()).toEqual(["relay.registered"]);
      expect((await peers())[0]).toMatchObject({
        url: from.url,
        syncedAt: new Date(clock.now()).toISOString(),
        lastError: null,
      });
    },
  );

  it("is not listed when there is nothing of it, and is tried again later and later", async () => {
    const away = await relay({ token: "wanted" });
    const gone = await deadUrl();
    await peer({ relays: [away.url, gone], pageSize: 500, etags: true });
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    expect(await catalog.ids()).toEqual([]);
    const once = looks(away);
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    expect(looks(away)).toBe(once);
    await clock.advance(DAY / 24);
    await sync();
    expect(looks(away)).toBe(2 * once);
    await clock.advance(DAY / 24);
    await sync();
    expect(looks(away)).toBe(2 * once);
    // Its page is what it was, and still it gets its chance.
    away.update({ token: undefined });
    await clock.advance(DAY / 24);
    expect(await sync()).toEqual({ peers: 1, learned: 1 });
  });

  it("is none of an owner's who wants no listing", async () => {
    const shy = await relay({ descriptor: { mcp: "/mcp", catalog: "no-index" } });
    await peer({ relays: [shy.url] });
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    const once = looks(shy);
    await sync();
    expect(looks(shy)).toBe(once);
  });

  it("costs nothing when it is listed already", async () => {
    const known = await relay();
    await catalog.register(known.url);
    const former = await relay({ host: "127.0.0.2" });
    const before = [looks(known), looks(former)];
    await peer({ relays: [known.url, `${known.url}/`, known.url.toUpperCase().replace("MCP", "mcp")] });
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    expect([looks(known), looks(former)]).toEqual(before);
  });

  it("stays when the peer lists it no longer, and when the peer is removed", async () => {
    const one = await relay();
    const from = await peer({ relays: [one.url] });
    await sync();
    from.update({ relays: [] });
    await sync();
    expect(await catalog.ids()).toHaveLength(1);
    await operations.removePeer.run(catalog.context, { url: `${from.url}/v1/` }, admin);
    expect(await peers()).toEqual([]);
    expect(await sync()).toEqual({ peers: 0, learned: 0 });
    expect((await catalog.get(relayId(one.url))).via).toBe(from.url);
  });

  it("is not learned from two peers at once", verifies("peers.never-over-peer"), async () => {
    const one = await relay();
    const first = await peer({ relays: [one.url] });
    const second = await peer({ relays: [one.url], host: "127.0.0.2" });
    expect((await sync()).learned).toBe(1);
    const { via } = await catalog.get(relayId(one.url));
    expect([first.url, second.url]).toContain(via);
    await sync();
    await operations.removePeer.run(catalog.context, { url: String(via) }, admin);
    await sync();
    expect((await catalog.get(relayId(one.url))).via).toBe(via);
    expect(await events()).toEqual(["relay.registered"]);
  });
});

describe("one hop", () => {
  it("what a peer has learned itself is not learned from it", verifies("peers.one-hop"), async () => {
    const own = await relay();
    const learned = await relay({ host: "127.0.0.2" });
    const from = await peer({
      relays: [
        own.url,
        entryOf(learned.url, { via: "https://third.example" }),
        entryOf(learned.url, { via: "" }),
      ],
    });
    expect((await sync()).learned).toBe(1);
    expect(looks(learned)).toBe(0);
    from.update({ relays: [learned.url] });
    expect((await sync()).learned).toBe(1);
  });

  it("a catalog does not learn itself", verifies("peers.not-itself"), async () => {
    const own = `${catalog.context.identity.url}/mcp`;
    await peer({ relays: [own, `${own}/`, entryOf(own)] });
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    expect(await catalog.store.peers.due((await peers())[0]?.url ?? "", Number.MAX_SAFE_INTEGER, 9)).toEqual(
      [],
    );
  });
});

describe("a record that is here", () => {
  it("is never written by a sync", verifies("peers.never-over-direct"), async () => {
    const direct = await relay();
    const id = (await catalog.register(direct.url)).relay.id;
    const before = await catalog.get(id);
    await peer({ relays: [direct.url] });
    await clock.advance(1_000);
    await sync();
    expect(await catalog.get(id)).toEqual(before);
  });

  it(
    "is not written by a look that was under way when it was registered",
    verifies("peers.never-over-direct"),
    async () => {
      const arrived = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const direct = await relay({
        async intercept() {
          arrived.resolve();
          await held.promise;
          return false;
        },
      });
      await peer({ relays: [direct.url] });
      const syncing = sync();
      await arrived.promise;
      const registering = catalog.register(direct.url);
      held.resolve();
      const [{ learned }, { created }] = await Promise.all([syncing, registering]);
      expect(learned + Number(created)).toBe(1);
      expect((await catalog.get(relayId(direct.url))).via).toBeNull();
      expect((await events()).filter((event) => event === "relay.registered")).toHaveLength(1);
    },
  );

  it(
    "becomes direct when it is registered here, without an event",
    verifies("peers.made-direct"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp", name: "One" } });
      await peer({ relays: [one.url] });
      await sync();
      const answer = await catalog.register(one.url);
      expect(answer).toMatchObject({ created: false, events: [], relay: { via: null } });
      await sync();
      expect((await catalog.get(relayId(one.url))).via).toBeNull();
      const listed = parseRaw(await operations.summaries.run(catalog.context, {}, caller));
      expect(listed.relays).not.toContainEqual(expect.objectContaining({ via: expect.any(String) }));
      expect(await events()).toEqual(["relay.registered"]);
    },
  );

  it("becomes direct also when it is down", async () => {
    const one = await relay();
    await peer({ relays: [one.url] });
    await sync();
    await one.close();
    expect((await catalog.register(one.url)).relay).toMatchObject({ via: null, online: false });
  });
});

describe("what an admin removed", () => {
  it("is not learned back for 30 days", verifies("peers.tombstones"), async () => {
    const one = await relay();
    await peer({ relays: [one.url], pageSize: 10, etags: true });
    await sync();
    const id = relayId(one.url);
    await operations.remove.run(catalog.context, { id }, admin);
    const once = looks(one);
    for (const wait of [0, DAY, 29 * DAY - 1]) {
      await clock.advance(wait);
      expect(await sync()).toEqual({ peers: 1, learned: 0 });
    }
    expect(looks(one)).toBe(once);
    await clock.advance(1);
    expect((await sync()).learned).toBe(1);
  });

  it(
    "is learned again at once after it was registered here by hand",
    verifies("peers.tombstones"),
    async () => {
      const one = await relay();
      const id = (await catalog.register(one.url)).relay.id;
      await peer({ relays: [one.url] });
      await operations.remove.run(catalog.context, { id }, admin);
      expect((await sync()).learned).toBe(0);
      await catalog.register(one.url);
      expect((await catalog.get(id)).via).toBeNull();
      expect(await catalog.store.peers.removedSince(canonicalEndpoint(one.url), 0)).toBe(false);
    },
  );

  it("is not learned by a look that was under way", async () => {
    const arrived = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const one = await relay({
      async intercept() {
        arrived.resolve();
        await held.promise;
        return false;
      },
    });
    await peer({ relays: [one.url] });
    const syncing = sync();
    await arrived.promise;
    const endpoint = canonicalEndpoint(one.url);
    const id = relayId(one.url);
    // Registered and removed by others while the look waits: written as they would.
    await catalog.store.relays.save({ ...(await sampleWrite(one.url)), endpoint });
    await operations.remove.run(catalog.context, { id }, admin);
    held.resolve();
    expect((await syncing).learned).toBe(0);
    expect(await catalog.ids()).toEqual([]);
    expect((await sync()).learned).toBe(0);
  });

  async function sampleWrite(url: string) {
    await using other = await startTestCatalog({ clock });
    const twin = await relay({ host: "127.0.0.9" });
    const stored = await other.store.relays.get((await other.register(twin.url)).relay.id);
    if (stored === null) throw new Error("the twin is not listed");
    const record = { ...stored.record, id: relayId(url), source: url, descriptor: { mcp: url } };
    const { revision: _, ...rest } = stored;
    return { ...rest, record, revision: null, events: [], now: clock.now() };
  }
});

describe("the list of a peer", () => {
  it("is read to its end, page after page", verifies("peers.all-pages"), async () => {
    const origin = await relay({ path: "/none", intercept: manyRelays });
    const urls = Array.from({ length: 23 }, (_, index) => `${origin.origin}/r${index}/mcp`);
    const paged = await peer({ relays: urls, pageSize: 5 });
    expect((await sync()).learned).toBe(23);
    expect(paged.asked.map(({ path }) => new URL(path, "http://x").searchParams.get("cursor"))).toEqual([
      null,
      "5",
      "10",
      "15",
      "20",
    ]);
  });

  it("may be one of 500 without a cursor", verifies("peers.all-pages"), async () => {
    const known = await relay();
    await catalog.register(known.url);
    const last = await relay({ host: "127.0.0.2" });
    const urls = [...Array.from({ length: 499 }, () => known.url), last.url, "https://beyond.example/mcp"];
    const old = await peer({ relays: urls });
    expect((await sync()).learned).toBe(1);
    expect(old.asked).toHaveLength(1);
    expect((await peers())[0]?.lastError).toBeNull();
  });

  it("is asked for on condition that it changed", verifies("peers.conditional"), async () => {
    const [a, b] = [await relay(), await relay({ host: "127.0.0.2" })];
    const from = await peer({ relays: [a.url, b.url], pageSize: 1, etags: true });
    await sync();
    await sync();
    const [first, second, again, againSecond] = from.asked;
    expect([first?.etag, second?.etag]).toEqual([undefined, undefined]);
    expect(again?.etag).toMatch(/^"/);
    expect(againSecond?.etag).toMatch(/^"/);
    expect(from.asked).toHaveLength(4);
    expect((await peers())[0]?.lastError).toBeNull();
    const c = await relay({ host: "127.0.0.3" });
    from.update({ relays: [a.url, b.url, c.url] });
    expect((await sync()).learned).toBe(1);
  });

  it("hides nothing behind an entry that is wrong", verifies("peers.bad-entry"), async () => {
    const good = await relay();
    const entry = JSON.stringify(entryOf(good.url));
    const bad = [
      "null",
      "7",
      '"https://a.example/mcp"',
      "[[[]]]",
      "{}",
      '{"descriptor":null}',
      '{"descriptor":{"mcp":7}}',
      '{"descriptor":{"mcp":"http://"}}',
      "{broken:}",
      `{"descriptor":{"mcp":"https://${"x".repeat(70)}.example/mcp"}}`,
      `{"descriptor":{"mcp":"https://a.example/mcp"},"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    ];
    for (const one of bad) {
      const from = await peer({
        answer(_url, response) {
          response.writeHead(200).end(`{"ok":true,"relays":[${one},${entry}]}`);
          return true;
        },
      });
      await sync();
      expect(await catalog.ids(), one).toContain(relayId(good.url));
      expect((await peers())[0]?.lastError, one).toBeNull();
      await operations.removePeer.run(catalog.context, { url: from.url }, admin);
      await catalog.store.relays.remove(relayId(good.url), { id: crypto.randomUUID() }, 0);
    }
  });

  it("is found where the peer's descriptor says", async () => {
    const one = await relay();
    const from = await peer({ relays: [one.url] });
    from.update({ catalog: { api: `${from.url}/rest/v9/` } });
    expect((await sync()).learned).toBe(1);
    expect(from.asked[0]?.path).toMatch(/^\/rest\/v9\/relays\?/);
  });

  it("may come to many relays of one host: each has its turn", async () => {
    const crowd = await relay({ path: "/none", intercept: manyRelays });
    const alone = await relay({ host: "127.0.0.2" });
    const urls = Array.from({ length: 320 }, (_, index) => `${crowd.origin}/r${index}/mcp`);
    await peer({ relays: [...urls, alone.url] });
    expect((await sync()).learned).toBe(321);
  });

  it("may come to many relays of a host that is down: few of them are asked for", async () => {
    const down = new URL(await deadUrl()).origin;
    const urls = Array.from({ length: 40 }, (_, index) => `${down}/r${index}/mcp`);
    const up = await relay({ host: "127.0.0.2" });
    const from = await peer({ relays: [...urls, up.url] });
    expect((await sync()).learned).toBe(1);
    const waiting = await catalog.store.peers.due(from.url, clock.now() + DAY, 100);
    expect(waiting).toHaveLength(40);
    expect(waiting.filter(({ tries }) => tries > 0).length).toBeLessThan(10);
  });
});

describe("peers", () => {
  it("are the admin's to change, and anyone's to see", verifies("peers.admin"), async () => {
    const calls = [
      () => operations.addPeer.run(catalog.context, { url: "https://a.example" }, caller),
      () => operations.removePeer.run(catalog.context, { url: "https://a.example" }, caller),
      () => operations.syncPeers.run(catalog.context, {}, caller),
    ];
    for (const call of calls) {
      expect(await call().catch((error) => isOpenMcpError(error, "unauthorized"))).toBe(true);
    }
    expect(await peers()).toEqual([]);
  });

  it("are kept once, by whatever URL they are named", async () => {
    const from = await peer({});
    for (const url of [`${from.url}/`, `${from.url}/v1`, `${from.url}/.well-known/openmcp.json`]) {
      const { added, peers: all } = await operations.addPeer.run(catalog.context, { url }, admin);
      expect({ added, count: all.length }).toEqual({ added: from.url, count: 1 });
    }
  });

  it("may be down when they are added", async () => {
    const { added } = await operations.addPeer.run(catalog.context, { url: await deadUrl() }, admin);
    expect(await sync()).toEqual({ peers: 1, learned: 0 });
    expect((await peers())[0]).toMatchObject({
      url: added,
      syncedAt: null,
      lastError: expect.stringMatching(/./),
    });
  });

  it.each([
    ["this catalog", "http://127.0.0.1:1/v1", "invalid-input"],
    ["no URL", "not a url", "invalid-input"],
    ["a private address", "http://10.0.0.1", "blocked"],
  ])("are not %s", async (_name, url, code) => {
    const error = await operations.addPeer.run(catalog.context, { url }, admin).catch((thrown) => thrown);
    expect(error).toMatchObject({ code, data: { field: "url" } });
    expect(await peers()).toEqual([]);
  });

  it("are not this catalog under another name", verifies("peers.not-itself"), async () => {
    const alias = await relay({
      path: "/none",
      descriptor: { mcp: `${catalog.context.identity.url}/mcp`, catalog: { relays: 0 } },
    });
    const adding = operations.addPeer.run(catalog.context, { url: alias.origin }, admin);
    await expect(adding).rejects.toMatchObject({ code: "invalid-input" });
    await catalog.store.peers.add(alias.origin, clock.now());
    await sync();
    expect((await peers())[0]?.lastError).toContain("this catalog itself");
  });

  it("that are not there can't be removed", async () => {
    const removing = operations.removePeer.run(catalog.context, { url: "https://none.example" }, admin);
    await expect(removing).rejects.toMatchObject({ code: "not-found" });
  });
});

/** Every path `/rN/mcp` is a relay: forwarded to one real fake. */
async function manyRelays(
  seen: Parameters<NonNullable<FakeRelayOptions["intercept"]>>[0],
  response: Parameters<NonNullable<FakeRelayOptions["intercept"]>>[1],
): Promise<boolean> {
  if (!/^\/r\d+\/mcp$/.test(seen.path)) return false;
  inner ??= startFakeRelay();
  const answer = await fetch((await inner).url, {
    method: seen.method,
    headers: seen.headers as Record<string, string>,
    body: seen.method === "GET" ? undefined : seen.body,
  });
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  return true;
}
let inner: Promise<FakeRelay> | undefined;
afterAll(async () => (await inner)?.close());
