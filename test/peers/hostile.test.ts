/** Peers that lie, loop, hang, flood or talk nonsense: each costs its own sync and nothing else. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CatalogContext, operations } from "../../src/catalog/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { admin, caller, startTestCatalog, type TestCatalog } from "../catalog/fixture.ts";
import { verifies } from "../requirements.ts";
import { entryOf, type FakePeer, type FakePeerOptions, send, startFakePeer } from "./fake-peer.ts";

const MIB = 1024 * 1024;

interface Hostile {
  readonly peer: FakePeerOptions;
  /** Words of `lastError`; null: there is nothing wrong with the list as such. */
  readonly error: RegExp | null;
  /** It lists a good relay before it goes wrong, and that one is learned. */
  readonly learns?: true;
}

let good: FakeRelay;
let beside: FakeRelay;
beforeAll(async () => {
  good = await startFakeRelay();
  beside = await startFakeRelay({ host: "127.0.0.2" });
});
afterAll(() => Promise.all([good.close(), beside.close()]));

const goodEntry = () => JSON.stringify(entryOf(good.url));
const answers = (answer: NonNullable<FakePeerOptions["answer"]>): FakePeerOptions => ({ answer });
const always = (status: number, body: unknown, headers = {}) =>
  answers((_url, response) => {
    send(response, status, body, headers);
    return true;
  });
const page = (relays: readonly unknown[], nextCursor: unknown) => ({ ok: true, relays, nextCursor });

/** Writes `chunk` over and over, as fast as it is read or every `ms` milliseconds, until the reader has gone. */
function endlessly(response: ServerResponse, chunk: string | Buffer, ms = 0): void {
  const write = (): void => {
    if (response.destroyed) return;
    const more = response.write(chunk);
    if (ms > 0) setTimeout(write, ms);
    else if (more) setImmediate(write);
    else response.once("drain", write);
  };
  write();
}

const hostile: Readonly<Record<string, Hostile>> = {
  "is no catalog": { peer: always(200, "<html><body>Welcome</body></html>"), error: /no list of relays/ },
  "answers JSON of another kind": { peer: always(200, [1, 2, 3]), error: /no list of relays/ },
  "has an object for a list": { peer: always(200, { relays: { a: 1 } }), error: /no list of relays/ },
  "answers nothing": { peer: always(200, ""), error: /no list of relays/ },
  fails: { peer: always(500, { ok: false }), error: /answered 500/ },
  "has no such route": { peer: always(404, "not found"), error: /answered 404/ },
  "is busy": { peer: always(429, "", { "retry-after": "120" }), error: /answered 429/ },
  "says unchanged to a first question": { peer: always(304, ""), error: /answered 304/ },
  "redirects in a circle": {
    peer: answers((url, response) => {
      response.writeHead(302, { location: url.pathname }).end();
      return true;
    }),
    error: /redirect/,
  },
  "redirects into a private network": {
    peer: always(302, "", { location: "http://10.0.0.1/v1/relays" }),
    error: /10\.0\.0\.1|private/,
  },
  "names an API in a private network": {
    peer: { catalog: { api: "http://192.168.1.1/v1" } },
    error: /192\.168\.1\.1|private/,
  },
  "gives one cursor for ever": {
    peer: answers((_url, response) => {
      send(response, 200, page([JSON.parse(goodEntry())], "again"));
      return true;
    }),
    error: /circle/,
    learns: true,
  },
  "sends its pages round in a circle": {
    peer: answers((url, response) => {
      const at = Number(url.searchParams.get("cursor") ?? 0);
      send(response, 200, page([JSON.parse(goodEntry())], String((at + 1) % 3)));
      return true;
    }),
    error: /circle/,
    learns: true,
  },
  "has pages without end": {
    peer: answers((url, response) => {
      send(response, 200, page([], String(Number(url.searchParams.get("cursor") ?? 0) + 1)));
      return true;
    }),
    error: /pages/,
  },
  "has relays without end": {
    peer: answers((url, response) => {
      const at = Number(url.searchParams.get("cursor") ?? 0);
      const some = Array.from({ length: 5_000 }, () => ({ via: "x" }));
      send(response, 200, page(some, String(at + 1)));
      return true;
    }),
    error: /more than 100000 relays/,
  },
  "has a cursor that is no text": { peer: always(200, page([], { a: [1] })), error: null },
  "has a cursor without end": { peer: always(200, page([], "x".repeat(100_000))), error: null },
  "has a tag that no header carries": {
    peer: always(200, page([], null), { etag: `"${"x".repeat(5_000)}"` }),
    error: null,
  },
  "has a body without end": {
    peer: answers((_url, response) => {
      response.writeHead(200).write(`{"relays":[${goodEntry()},"`);
      endlessly(response, "x".repeat(MIB));
      return true;
    }),
    error: /could not be read/,
    learns: true,
  },
  "sends a bomb": {
    peer: always(200, ""),
    error: /could not be read/,
  },
  drips: {
    peer: answers((_url, response) => {
      response.writeHead(200).write(`{"relays":[${goodEntry()},`);
      endlessly(response, " ", 20);
      return true;
    }),
    error: /could not be read/,
    learns: true,
  },
  "never answers": { peer: answers(() => true), error: /could not be read/ },
  "hangs up": {
    peer: answers((_url, response) => {
      response.socket?.destroy();
      return true;
    }),
    error: /could not be read/,
  },
  "breaks off in the middle": {
    peer: answers((_url, response) => {
      response.writeHead(200).write(`{"relays":[${goodEntry()},{"descri`);
      setTimeout(() => response.socket?.destroy(), 50);
      return true;
    }),
    error: /could not be read/,
    learns: true,
  },
  "ends its JSON in the middle": {
    peer: answers((_url, response) => {
      response.writeHead(200).end(`{"relays":[${goodEntry()},{"descri`);
      return true;
    }),
    error: /broke off/,
    learns: true,
  },
  "nests without end": {
    peer: answers((_url, response) => {
      response.writeHead(200).end(`{"relays":[${goodEntry()},${"[".repeat(MIB)}`);
      return true;
    }),
    error: /broke off/,
    learns: true,
  },
  "lists what nobody may be sent to": {
    peer: {
      relays: [
        "http://10.0.0.1/mcp",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:10.0.0.1]/mcp",
        "http://127.0.0.1:22/mcp",
        "gopher://a.example/mcp",
      ],
    },
    error: null,
  },
};

/** The real network in a hurry: nobody here waits a minute for a peer that hangs. */
function impatient(context: CatalogContext): CatalogContext {
  return {
    ...context,
    exchange: (request, limits) =>
      context.exchange(request, { ...limits, timeoutMs: Math.min(limits.timeoutMs, 1_500) }),
  };
}

describe("a peer that", () => {
  it.each(Object.entries(hostile))(
    "%s",
    { ...verifies("peers.own-lane"), timeout: 30_000 },
    async (name, kind) => {
      await using catalog: TestCatalog = await startTestCatalog();
      const context = impatient(catalog.context);
      await using bad = await startFakePeer(kind.peer);
      if (name === "sends a bomb") {
        const bomb = gzipSync(Buffer.alloc(80 * MIB, 0x20));
        bad.update({
          answer(_url, response) {
            response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
            return true;
          },
        });
      }
      await using honest: FakePeer = await startFakePeer({ relays: [beside.url], host: "127.0.0.2" });
      for (const { url } of [bad, honest]) await operations.addPeer.run(context, { url }, admin);
      const { learned } = await operations.syncPeers.run(context, {}, admin);

      const ids = [relayId(beside.url), ...(kind.learns ? [relayId(good.url)] : [])];
      expect([...(await catalog.ids())].sort()).toEqual(ids.sort());
      expect(learned).toBe(ids.length);
      const [ofBad, ofHonest] = (await operations.peers.run(context, {}, caller)).peers;
      expect(ofHonest).toMatchObject({ lastError: null, syncedAt: expect.any(String) });
      if (kind.error === null) expect(ofBad?.lastError).toBeNull();
      else expect(ofBad).toMatchObject({ lastError: expect.stringMatching(kind.error), syncedAt: null });
    },
  );
});
