import { describe, expect, it } from "vitest";
import { probeUrl } from "../../src/catalog/index.ts";
import {
  AI_CATALOG_PATH,
  DESCRIPTOR_PATH,
  legacyCardPaths,
  MCP_CATALOG_PATH,
  recordEndpoint,
} from "../../src/spec/index.ts";
import type { FakeRelay, FakeRelayOptions } from "../../src/testing/index.ts";
import { aiCatalog, card, cardEntry, startSite } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";
import { startTestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";
import { PERIOD, startWatched } from "./watched.ts";

const CARD_PATH = "/mcp/server-card";
const DAY = 24 * 60 * 60_000;

const relay = relaysOfTests();

/** Documents served beside a relay's endpoint; `etag` answers conditional requests. */
function serving(
  files: () => Readonly<Record<string, object | number>>,
  headers: Readonly<Record<string, string>> = {},
): Pick<FakeRelayOptions, "intercept"> {
  return {
    intercept(seen, response) {
      const file = seen.method === "GET" ? files()[seen.path] : undefined;
      if (file === undefined) return false;
      if (typeof file === "number") response.writeHead(file).end();
      else if (headers.etag !== undefined && seen.headers["if-none-match"] === headers.etag) {
        response.writeHead(304, headers).end();
      } else {
        response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(file));
      }
      return true;
    },
  };
}

const gets = ({ requests }: FakeRelay): readonly string[] =>
  requests.filter(({ method }) => method === "GET").map(({ path }) => path);

describe("a relay without a descriptor", () => {
  it(
    "is verified by its own card beside its endpoint, and the record says which",
    verifies("probe.card"),
    async () => {
      await using catalog = await startTestCatalog();
      const files: Record<string, object> = {};
      const one = await relay({ token: "t", ...serving(() => files) });
      files[CARD_PATH] = card("com.example/one", one.url, { title: "One" });
      const { relay: record, created } = await catalog.register(one.url);
      expect(created).toBe(true);
      expect(record).toMatchObject({
        verified: true,
        online: false,
        source: `${one.url}/server-card`,
        descriptor: { mcp: one.url, name: "One", description: "The server com.example/one." },
        probe: { state: "auth-required", verifiedBy: "server-card" },
      });
      expect(recordEndpoint(record)).toBe(one.url);
    },
  );

  it.each<[string, (endpoint: string) => object | number]>([
    ["a card that names another endpoint", () => card("com.example/one", "https://elsewhere.example/mcp")],
    ["a page", () => ({ not: "a card" })],
    ["no evidence", () => 503],
  ])("is not verified by %s", async (_name, file) => {
    await using catalog = await startTestCatalog();
    const one = await relay(serving(() => ({ "/mcp/server-card": file("") })));
    const { relay: record } = await catalog.register(one.url);
    expect(record).toMatchObject({
      verified: false,
      online: true,
      source: one.url,
      probe: { verifiedBy: null },
    });
  });

  it("keeps its card while that can't be read, and loses it when it names another", async () => {
    await using catalog = await startTestCatalog();
    const files: Record<string, object | number> = {};
    const one = await relay(serving(() => files));
    files[CARD_PATH] = card("com.example/one", one.url);
    const { relay: record } = await catalog.register(one.url);
    files[CARD_PATH] = 503;
    expect((await catalog.refresh(record.id)).relay).toMatchObject({
      verified: true,
      descriptor: record.descriptor,
    });
    files[CARD_PATH] = card("com.example/one", "https://elsewhere.example/mcp");
    expect((await catalog.refresh(record.id)).relay).toMatchObject({ verified: false, source: one.url });
    files[CARD_PATH] = card("com.example/one", one.url);
    expect((await catalog.refresh(record.id)).relay).toMatchObject({ verified: true });
  });

  it("speaks by its descriptor as soon as it has one, and by its card no more", async () => {
    await using catalog = await startTestCatalog();
    const files: Record<string, object | number> = {};
    const one = await relay(serving(() => files));
    files[CARD_PATH] = card("com.example/one", one.url);
    const { relay: record } = await catalog.register(one.url);
    one.update({ descriptor: { mcp: "/mcp", name: "Own" } });
    const own = (await catalog.refresh(record.id)).relay;
    expect(own).toMatchObject({ descriptor: { name: "Own" }, probe: { verifiedBy: "openmcp" } });
    // A descriptor that can't be read now is not spoken over.
    files[DESCRIPTOR_PATH] = 503;
    expect((await catalog.refresh(record.id)).relay.descriptor).toEqual(own.descriptor);
    expect((await catalog.register(one.url)).relay.descriptor).toEqual(own.descriptor);
  });

  it(
    "is not verified by a file that a visitor left on its host, whatever catalog lists it",
    verifies("probe.card-own"),
    async () => {
      await using catalog = await startTestCatalog();
      const files: Record<string, object> = {};
      const one = await relay({ token: "t", ...serving(() => files) });
      files["/uploads/card.json"] = card("com.evil/one", one.url);
      files["/uploads/catalog.json"] = aiCatalog([cardEntry("one", "/uploads/card.json")]);
      await using evil = await startSite();
      evil.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("one", `${one.origin}/uploads/card.json`)]));
      for (const url of [
        evil.origin,
        `${one.origin}/uploads/catalog.json`,
        `${one.origin}/uploads/card.json`,
      ]) {
        await expect(catalog.register(url)).rejects.toMatchObject({ code: "not-listed" });
      }
      expect(await catalog.ids()).toEqual([]);
    },
  );
});

describe("a domain with a catalog", () => {
  it(
    "of five cards registers five relays, each verified by its own card or online without one",
    verifies("probe.catalog-of-five"),
    async () => {
      await using catalog = await startTestCatalog();
      await using site = await startSite();
      const relays = await Promise.all(
        ["a", "b", "c", "d", "e"].map((name) => relay({ serverInfo: { name, version: "1" } })),
      );
      site.serve(
        AI_CATALOG_PATH,
        aiCatalog(relays.map((_one, at) => cardEntry(`s${at}`, `/cards/${at}.json`))),
      );
      for (const [at, one] of relays.entries())
        site.serve(`/cards/${at}.json`, card(`com.example/s${at}`, one.url));
      const answer = await catalog.register(site.origin);
      expect(answer.created).toBe(true);
      const all = [answer.relay, ...(answer.relays ?? [])];
      expect(all.map(recordEndpoint).sort()).toEqual(relays.map(({ url }) => url).sort());
      expect(all.every(({ online }) => online)).toBe(true);
      expect(await catalog.ids()).toHaveLength(5);
      // Nobody guessed where else something may be.
      expect(site.paths()).not.toContain("/mcp");
      expect(site.paths().filter((path) => path.includes("server-card"))).toEqual([]);
      // Again: nothing new, nothing changed.
      const again = await catalog.register(site.origin);
      expect(again).toMatchObject({ created: false, events: [] });
      expect(await catalog.changes()).toHaveLength(5);
    },
  );

  it("on the relays' own origin verifies them by the cards it names, and gated ones are listed", async () => {
    await using catalog = await startTestCatalog();
    const files: Record<string, object> = {};
    const one = await relay({ path: "/one/mcp", token: "t", ...serving(() => files) });
    files[MCP_CATALOG_PATH] = {
      specVersion: "draft",
      entries: [
        {
          identifier: "urn:mcp:server:com.example/one",
          displayName: "One",
          mediaType: "application/mcp-server-card+json",
          url: `${one.origin}/cards/one`,
        },
      ],
    };
    files["/cards/one"] = card("com.example/one", one.url);
    const expected = {
      verified: true,
      source: `${one.origin}/cards/one`,
      probe: { state: "auth-required", verifiedBy: "server-card" },
    };
    expect((await catalog.register(one.origin)).relay).toMatchObject(expected);
    // Its endpoint alone says the same.
    await using other = await startTestCatalog();
    expect((await other.register(one.url)).relay).toMatchObject(expected);
    expect((await other.refresh((await other.ids())[0] ?? "")).relay).toMatchObject(expected);
  });

  it("is believed again of a card that lies in a catalog within it", async () => {
    await using catalog = await startTestCatalog();
    const files: Record<string, object> = {};
    const one = await relay({ path: "/one/mcp", ...serving(() => files) });
    const inner = { identifier: "urn:x:inner", type: "application/ai-catalog+json" };
    const listed = { ...cardEntry("one", ""), url: undefined, data: card("com.example/one", one.url) };
    files[AI_CATALOG_PATH] = aiCatalog([{ ...inner, data: aiCatalog([listed]) }]);
    const { relay: record } = await catalog.register(one.origin);
    expect(record).toMatchObject({ verified: true, source: `${one.origin}${AI_CATALOG_PATH}` });
    expect((await catalog.refresh(record.id)).events).toEqual([]);
    // Of a catalog that has grown over 1 MiB, what it has before that.
    const more = {
      ...listed,
      identifier: "urn:x:more",
      data: { ...listed.data, about: "x".repeat(1024 * 1024) },
    };
    files[AI_CATALOG_PATH] = aiCatalog([{ ...inner, data: aiCatalog([listed]) }, more]);
    expect(await catalog.refresh(record.id)).toMatchObject({ events: [], relay: { verified: true } });
  });

  it("of too many is cut, and the answer and the steps say so", async () => {
    await using catalog = await startTestCatalog();
    const one = await relay();
    await using site = await startSite();
    const entries = Array.from({ length: 40 }, (_, at) => ({
      ...cardEntry(`s${at}`, ""),
      url: undefined,
      data: card(`com.example/s${at}`, at === 0 ? one.url : `${site.origin}/s/${at}`),
    }));
    site.serve(AI_CATALOG_PATH, aiCatalog(entries));
    expect(await catalog.register(site.origin)).toMatchObject({ created: true, more: 15 });
    const { exchange } = catalog.context;
    const { steps } = await probeUrl(site.origin, { exchange, now: Date.now });
    expect(steps.map(({ outcome }) => outcome)).toContain("lists 40 servers: the first 25 were looked at");
  });

  it("that leads inside is not followed there", verifies("discover.policy"), async () => {
    await using catalog = await startTestCatalog();
    const one = await relay();
    await using site = await startSite();
    const inside = [
      "http://169.254.169.254/mcp",
      "http://10.0.0.1/mcp",
      "http://2852039166/mcp",
      "http://[fd00::1]/mcp",
    ];
    const inline = (name: string, url: string) => ({
      ...cardEntry(name, ""),
      url: undefined,
      data: card(`com.example/${name}`, url),
    });
    site.serve(
      AI_CATALOG_PATH,
      aiCatalog([
        ...inside.map((url, at) => inline(`s${at}`, url)),
        cardEntry("redirected", "/redirected.json"),
        inline("one", one.url),
      ]),
    );
    site.serve("/redirected.json", {
      status: 302,
      headers: { location: "http://169.254.169.254/card.json" },
    });
    const { exchange } = catalog.context;
    const { steps } = await probeUrl(site.origin, { exchange, now: Date.now });
    for (const step of steps) {
      const { hostname } = new URL(step.url);
      if (hostname !== "127.0.0.1") expect(step).toMatchObject({ status: null, ok: false });
    }
    const { relay: record, relays } = await catalog.register(site.origin);
    expect([recordEndpoint(record), relays]).toEqual([one.url, undefined]);
    expect(await catalog.ids()).toHaveLength(1);
  });

  it("that has its cards in it vouches by itself, and is asked again for them", async () => {
    await using catalog = await startTestCatalog();
    const files: Record<string, object> = {};
    const one = await relay({ token: "t", ...serving(() => files, { etag: '"v1"' }) });
    files[AI_CATALOG_PATH] = aiCatalog([
      { ...cardEntry("one", ""), url: undefined, data: card("com.example/one", one.url) },
    ]);
    const { relay: record } = await catalog.register(one.origin);
    expect(record).toMatchObject({ verified: true, source: `${one.origin}${AI_CATALOG_PATH}` });
    const before = one.requests.length;
    expect((await catalog.refresh(record.id)).relay).toMatchObject({ verified: true, source: record.source });
    const again = one.requests.slice(before).find(({ path }) => path === AI_CATALOG_PATH);
    expect(again?.headers["if-none-match"]).toBe('"v1"');
  });

  it(
    "that lists nothing which answers leaves the site to be searched as before",
    verifies("probe.bare-as-before"),
    async () => {
      await using catalog = await startTestCatalog();
      const one = await relay(serving(() => ({ [AI_CATALOG_PATH]: aiCatalog([]) })));
      expect((await catalog.register(one.origin)).relay).toMatchObject({ online: true, verified: false });
    },
  );
});

describe("what a look costs", () => {
  it(
    "with a descriptor is what it was: no card is asked for, and a catalog of a site or by hand, for what it calls its relay",
    verifies("probe.card-cost"),
    async () => {
      await using catalog = await startTestCatalog();
      const one = await relay({ descriptor: { mcp: "/mcp" } });
      const { relay: record } = await catalog.register(one.url);
      await catalog.register(one.origin);
      await catalog.refresh(record.id);
      const asked = [DESCRIPTOR_PATH, DESCRIPTOR_PATH, AI_CATALOG_PATH, DESCRIPTOR_PATH, AI_CATALOG_PATH];
      expect(gets(one)).toEqual(asked);
    },
  );

  it(
    "of a bare site is every place once, before its paths are tried",
    verifies("probe.bare-as-before"),
    async () => {
      await using catalog = await startTestCatalog();
      const one = await relay({ era: "modern" });
      expect((await catalog.register(one.origin)).relay).toMatchObject({ online: true, verified: false });
      const places = [DESCRIPTOR_PATH, CARD_PATH, AI_CATALOG_PATH, MCP_CATALOG_PATH, "/", ...legacyCardPaths];
      expect([...gets(one)].sort()).toEqual(places.sort());
      // docs/register.md "What a registration asks of a server".
      expect(one.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
    },
  );

  it("of an endpoint that nothing vouches for is one request more when somebody asks, and as planned once a day", async () => {
    await using watched = await startWatched();
    const { relay: one, id } = await watched.listed();
    expect(gets(one)).toEqual([DESCRIPTOR_PATH, CARD_PATH]);
    const since = (): readonly string[] => gets(one).slice(seen);
    let seen = gets(one).length;
    watched.watch();
    await watched.pass(PERIOD);
    await watched.pass(PERIOD);
    expect(since()).toEqual([DESCRIPTOR_PATH, DESCRIPTOR_PATH]);
    seen = gets(one).length;
    await watched.pass(DAY);
    expect(since()).toEqual([DESCRIPTOR_PATH, CARD_PATH]);
    seen = gets(one).length;
    await watched.pass(PERIOD);
    await watched.catalog.refresh(id);
    expect(since()).toEqual([DESCRIPTOR_PATH, DESCRIPTOR_PATH, CARD_PATH]);
  });

  it(
    "of a card is none while it is fresh, then a conditional one, and it stays verified",
    verifies("probe.card-cost"),
    async () => {
      await using watched = await startWatched();
      const files: Record<string, object> = {};
      const one = await relay(serving(() => files, { etag: '"v1"', "cache-control": "max-age=9" }));
      files[CARD_PATH] = card("com.example/one", one.url);
      const { relay: record } = await watched.catalog.register(one.url);
      watched.watch();
      const conditions: (string | undefined)[][] = [];
      for (let look = 0; look < 3; look += 1) {
        const before = one.requests.length;
        await watched.pass(PERIOD);
        const asked = one.requests.slice(before).filter(({ path }) => path === CARD_PATH);
        conditions.push(asked.map(({ headers }) => headers["if-none-match"]));
      }
      expect(conditions).toEqual([[], ['"v1"'], []]);
      const { descriptor, source, probe } = await watched.catalog.get(record.id);
      expect({ descriptor, source }).toEqual({ descriptor: record.descriptor, source: record.source });
      expect(probe.verifiedBy).toBe("server-card");
      expect(await watched.events()).toEqual(["relay.registered"]);
    },
  );
});
