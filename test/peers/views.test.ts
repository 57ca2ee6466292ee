/** How a peer is read that is busy itself: its list without what each look changes, and one that knows no such view as before. */
import { afterAll, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { type Exchange, relayId } from "../../src/spec/index.ts";
import { admin, startTestCatalog } from "../catalog/fixture.ts";
import { relaysOfTests, serversOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { type CatalogProcess, startCatalogProcess } from "../server/catalog-process.ts";
import { send, startFakePeer } from "./fake-peer.ts";

const relay = relaysOfTests();
const startPeer = serversOfTests(startFakePeer);

const processes: CatalogProcess[] = [];
afterAll(async () => {
  for (const one of processes) await one[Symbol.asyncDispose]();
});

/** A catalog that learns, and what it asked of its peer's list. */
async function learner(peer: string) {
  const catalog = await startTestCatalog();
  const asked: { readonly url: URL; readonly status: number }[] = [];
  const exchange: Exchange = async (request, limits) => {
    const response = await catalog.context.exchange(request, limits);
    const url = new URL(request.url);
    if (url.origin === peer && url.pathname === "/v1/relays") asked.push({ url, status: response.status });
    return response;
  };
  const context = { ...catalog.context, exchange };
  await operations.addPeer.run(context, { url: peer }, admin);
  return {
    ids: () => catalog.ids(),
    /** Statuses of what was asked of the peer's list. */
    async sync() {
      asked.length = 0;
      const { learned } = await operations.syncPeers.run(context, {}, admin);
      const [{ lastError = null } = {}] = await catalog.store.peers.list();
      return { learned, lastError, statuses: asked.map(({ status }) => status), asked: [...asked] };
    },
    [Symbol.asyncDispose]: () => catalog.close(),
  };
}

describe("a peer that looks at its relays all the time", () => {
  it(
    "is read by a 304 as long as it lists the same, and anew when it does not",
    verifies("peers.conditional", "peers.busy"),
    async () => {
      const process = await startCatalogProcess([
        ...["--db", ":memory:", "--refresh", "off", "--log-level", "warn", "--admin-token", "sesame"],
      ]);
      processes.push(process);
      await using client = new CatalogClient(process.url, { token: "sesame" });
      const [one, two] = [await relay(), await relay({ host: "127.0.0.2" })];
      await client.register(one.url);
      await using here = await learner(process.url);
      expect(await here.sync()).toMatchObject({ learned: 1, lastError: null, statuses: [200] });
      // Known relays of the peer are looked at, change what they say, and go.
      await client.refresh(relayId(one.url));
      one.update({ tools: [{ name: "other" }] });
      await client.refresh(relayId(one.url));
      expect(await here.sync()).toMatchObject({ learned: 0, statuses: [304] });
      await client.register(two.url);
      expect(await here.sync()).toMatchObject({ learned: 1, statuses: [200] });
      await client.remove(relayId(two.url));
      expect(await here.sync()).toMatchObject({ learned: 0, statuses: [200] });
      expect(await here.sync()).toMatchObject({ learned: 0, statuses: [304] });
      expect(await here.ids()).toHaveLength(2);
    },
  );

  it("gives of each record what a reader needs, one by one and page by page", async () => {
    const process = await startCatalogProcess([
      ...["--db", ":memory:", "--refresh", "off", "--log-level", "warn"],
    ]);
    processes.push(process);
    await using client = new CatalogClient(process.url);
    const relays = await Promise.all(["127.0.0.2", "127.0.0.3", "127.0.0.4"].map((host) => relay({ host })));
    for (const { url } of relays) await client.register(url);
    const read = async (query: string) =>
      (await fetch(`${process.url}/v1/relays?view=endpoints${query}`)).json() as Promise<{
        readonly relays: readonly object[];
        readonly nextCursor: string | null;
      }>;
    const all = await read("");
    expect(all).toEqual({
      ok: true,
      relays: relays.map(({ url }) => ({
        id: relayId(url),
        source: url,
        descriptor: { mcp: url },
        via: null,
      })),
      nextCursor: null,
    });
    const paged: object[] = [];
    for (let cursor: string | null = ""; cursor !== null && paged.length < 9; ) {
      const page = await read(`&limit=1${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);
      paged.push(...page.relays);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.relays);
    expect((await read(`&q=${relayId(relays[1]?.url ?? "")}`)).relays).toEqual([all.relays[1]]);
    expect((await fetch(`${process.url}/v1/relays?view=everything`)).status).toBe(400);
  });
});

describe("a peer that knows no views", () => {
  it("and passes the question over is read as it answers", async () => {
    const one = await relay();
    const peer = await startPeer({ relays: [one.url] });
    await using here = await learner(peer.url);
    expect(await here.sync()).toMatchObject({ learned: 1, lastError: null, statuses: [200] });
  });

  it("and refuses the question is asked without", async () => {
    const one = await relay();
    const peer = await startPeer({
      relays: [one.url],
      answer(url, response) {
        if (!url.searchParams.has("view")) return false;
        send(response, 400, { ok: false });
        return true;
      },
    });
    await using here = await learner(peer.url);
    expect(await here.sync()).toMatchObject({ learned: 1, lastError: null, statuses: [400, 200] });
  });

  it("and refuses everything is not asked for ever", async () => {
    const peer = await startPeer({
      answer(_url, response) {
        send(response, 400, { ok: false });
        return true;
      },
    });
    await using here = await learner(peer.url);
    expect(await here.sync()).toMatchObject({
      lastError: expect.stringContaining("400"),
      statuses: [400, 400],
    });
  });
});
