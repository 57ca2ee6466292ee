/** Catalogs that peer with each other, as real processes: they settle, stay quiet, and are restarted in the middle. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogProcess, startCatalogProcess } from "../server/catalog-process.ts";
import { type FakePeer, startFakePeer } from "./fake-peer.ts";

const ADMIN = "sesame";

let folder: string;
let relays: FakeRelay[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-peers-"));
  relays = await Promise.all(
    ["one", "two", "three"].map((name, index) =>
      startFakeRelay({ host: `127.0.0.${index + 2}`, descriptor: { mcp: "/mcp", name } }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await rm(folder, { recursive: true });
});

interface Node extends AsyncDisposable {
  readonly process: CatalogProcess;
  readonly client: CatalogClient;
  readonly db: string;
}

let nodes = 0;
async function start(flags: readonly string[] = []): Promise<Node> {
  nodes += 1;
  const db = join(folder, `${nodes}.db`);
  const process = await startCatalogProcess([
    ...["--db", db, "--refresh", "off", "--log-level", "warn", "--admin-token", ADMIN],
    ...["--peer-sync", "1s"],
    ...flags,
  ]);
  const client = new CatalogClient(process.url, { token: ADMIN });
  return {
    process,
    client,
    db,
    async [Symbol.asyncDispose]() {
      await client.close();
      await process[Symbol.asyncDispose]();
    },
  };
}

/** Ids with where each was learned. */
async function listed({ client }: Node): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for await (const { id, via } of client.relays()) found[id] = via ?? null;
  return found;
}

/** Every event so far, read from the file beside the running process. */
async function eventsOf({ db }: Node): Promise<readonly string[]> {
  await using store = await openSqliteStore({ path: db });
  return (await store.changes.list(0, 1_000)).map(({ event }) => event);
}

/** Every node syncs with all its peers, all at once, so many times; their own workers go on meanwhile. */
async function synced(all: readonly Node[], times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await Promise.all(all.map(({ client }) => client.syncPeers()));
  }
  for (const { client } of all) {
    for (const peer of (await client.peers()).peers) {
      expect(peer).toMatchObject({ lastError: null, syncedAt: expect.any(String) });
    }
  }
}

/** Each registers its own relay and has these peers: positions in `all`. */
async function settle(all: readonly Node[], peersOf: readonly (readonly number[])[]): Promise<void> {
  for (const [index, node] of all.entries()) {
    await node.client.register(relays[index]?.url ?? "");
    for (const peer of peersOf[index] ?? []) {
      await node.client.addPeer(all[peer]?.process.url ?? "");
    }
  }
  await synced(all, 3);
}

const idOf = (index: number) => relayId(relays[index]?.url ?? "");
const urlOf = (all: readonly Node[], index: number) => all[index]?.process.url ?? "";

/** Nothing changes, and nobody is asked anything, over several more syncs. */
async function expectQuiet(all: readonly Node[]): Promise<void> {
  const [before, events] = [await Promise.all(all.map(listed)), await Promise.all(all.map(eventsOf))];
  const asked = relays.map(({ requests }) => requests.length);
  await synced(all, 3);
  expect(await Promise.all(all.map(listed))).toEqual(before);
  expect(await Promise.all(all.map(eventsOf))).toEqual(events);
  expect(relays.map(({ requests }) => requests.length)).toEqual(asked);
}

describe("catalogs that peer with each other", { timeout: 120_000 }, () => {
  it(
    "settle and stay quiet, two of them",
    verifies("peers.settle", "peers.via", "peers.never-over-direct"),
    async () => {
      await using a = await start();
      await using b = await start();
      const all = [a, b];
      await settle(all, [[1], [0]]);
      expect(await listed(a)).toEqual({ [idOf(0)]: null, [idOf(1)]: urlOf(all, 1) });
      expect(await listed(b)).toEqual({ [idOf(1)]: null, [idOf(0)]: urlOf(all, 0) });
      expect(await eventsOf(a)).toEqual(["relay.registered", "relay.registered"]);
      await expectQuiet(all);
    },
  );

  it(
    "settle and stay quiet, three in a ring, and each is one hop away",
    verifies("peers.settle", "peers.one-hop"),
    async () => {
      await using a = await start();
      await using b = await start();
      await using c = await start();
      const all = [a, b, c];
      await settle(all, [[1], [2], [0]]);
      expect(await listed(a)).toEqual({ [idOf(0)]: null, [idOf(1)]: urlOf(all, 1) });
      expect(await listed(b)).toEqual({ [idOf(1)]: null, [idOf(2)]: urlOf(all, 2) });
      expect(await listed(c)).toEqual({ [idOf(2)]: null, [idOf(0)]: urlOf(all, 0) });
      await expectQuiet(all);

      // What is removed at one end stays removed there, and stays listed where it was registered.
      await a.client.remove(idOf(1));
      await synced(all, 2);
      expect(await listed(a)).toEqual({ [idOf(0)]: null });
      expect(Object.keys(await listed(b))).toHaveLength(2);
    },
  );

  it("settle also when each is listed as a relay in the other", verifies("peers.not-itself"), async () => {
    await using a = await start();
    await using b = await start();
    const all = [a, b];
    await a.client.register(`${b.process.url}/mcp`);
    await b.client.register(`${a.process.url}/mcp`);
    await settle(all, [[1], [0]]);
    expect(Object.keys(await listed(a)).sort()).toEqual(
      [idOf(0), idOf(1), relayId(`${b.process.url}/mcp`)].sort(),
    );
    await expectQuiet(all);
  });
});

describe("a catalog that is killed in the middle of a sync", { timeout: 120_000 }, () => {
  it(
    "goes on after the restart: nothing is lost, nothing is doubled",
    verifies("peers.all-pages"),
    async () => {
      const crowd = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          startFakeRelay({ host: `127.0.1.${index + 1}`, delayMs: 60, descriptor: { mcp: "/mcp" } }),
        ),
      );
      const port = await freePort();
      await using peer: FakePeer = await startFakePeer({
        relays: crowd.map(({ url }) => url),
        pageSize: 7,
        etags: true,
      });
      const flags = ["--port", String(port), "--db", join(folder, "killed.db"), "--peer", peer.url];
      {
        await using first = await start(flags);
        await expect
          .poll(async () => (await first.client.list()).total, { timeout: 20_000, interval: 20 })
          .toBeGreaterThan(5);
        first.process.kill("SIGKILL");
        await first.process.ended;
      }
      await using second = await start(flags);
      const { total } = await second.client.list();
      expect(total).toBeLessThan(60);
      await expect.poll(async () => (await second.client.list()).total, { timeout: 20_000 }).toBe(60);
      await synced([second], 1);
      expect(new Set(Object.values(await listed(second)))).toEqual(new Set([peer.url]));
      const events = await eventsOf({ ...second, db: join(folder, "killed.db") });
      expect(events).toEqual(Array(60).fill("relay.registered"));
      await Promise.all(crowd.map((relay) => relay.close()));
    },
  );
});

describe("serve", { timeout: 60_000 }, () => {
  it(
    "takes peers by flag, and is none of its own",
    verifies("peers.in-descriptor", "mcp.list-peers"),
    async () => {
      const port = await freePort();
      await using peer = await startFakePeer({ relays: [relays[0]?.url] });
      const own = `http://127.0.0.1:${port}`;
      await using node = await start(["--port", String(port), "--peer", `${peer.url}/v1`, "--peer", own]);
      await expect.poll(() => listed(node), { timeout: 10_000 }).toEqual({ [idOf(0)]: peer.url });
      const descriptor = await (await fetch(`${own}/.well-known/openmcp.json`)).json();
      expect(descriptor).toMatchObject({ catalog: { peers: [peer.url], relays: 1 } });
      await using mcp = new CatalogClient(own, { transport: "mcp" });
      expect((await mcp.peers()).peers.map(({ url }) => url)).toEqual([peer.url]);
      expect((await mcp.list()).relays[0]).toMatchObject({ id: idOf(0), via: peer.url });
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
