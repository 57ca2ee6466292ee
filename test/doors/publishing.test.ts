import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LISTING_META_KEY, type RelayRecord } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, type ServedCatalog, serveDoors } from "./catalog-fixture.ts";
import { allEntries, counted, PUBLIC_URL, reader, repeatRelay } from "./published-catalog.ts";

const AI = "/.well-known/ai-catalog.json";
const MCP = "/.well-known/mcp/catalog.json";
const OWN_CARDS = ["/mcp/server-card", "/.well-known/mcp-server-card"];

/** A relay that its own card vouches for. */
const vouched = (host: string, name: string): Partial<RelayRecord> => ({
  descriptor: {
    mcp: `https://${host}/mcp`,
    name: "Weather",
    description: "What the weather will be.",
    serverCard: { name, version: "2.1.0" },
  },
  probe: { ...PROBE, verifiedBy: "server-card" },
});
const PROBE: RelayRecord["probe"] = {
  state: "online",
  era: "2026-07-28",
  transport: "streamable-http",
  httpStatus: 200,
  latencyMs: 1,
  at: "2026-11-30T00:00:00.000Z",
  nextAt: null,
  attempts: 1,
  verifiedBy: "openmcp",
  toolsHash: null,
  toolsTruncated: false,
};

/** As a relay is kept that a catalog lists under `identifier`; a card's own word for it is none. */
const called = (host: string, identifier: string) => ({
  descriptor: {
    mcp: `https://${host}/mcp`,
    serverCard: { name: "x/y", version: "1.0.0", identifier: `urn:air:${host}:mcp:said` },
  },
  probe: { ...PROBE, verifiedBy: "server-card" as const },
  identifier,
});

describe("a catalog of a few relays", () => {
  let catalog: CatalogFixture;
  let served: ServedCatalog;
  let read: ReturnType<typeof reader>;

  beforeAll(async () => {
    catalog = await openCatalog({ url: PUBLIC_URL });
    await catalog.list("https://board.example/api/mcp", {
      descriptor: {
        mcp: "https://board.example/api/mcp",
        name: "Board 😀".repeat(40),
        description: "😀".repeat(150),
        url: "https://board.example",
        tags: Array.from({ length: 200 }, (_, index) => `tag-${index}-${"x".repeat(index)}`),
        unknown: { kept: "private note" },
      },
    });
    await catalog.list(
      "https://mcp.weather.example/mcp",
      vouched("mcp.weather.example", "example.weather/forecast"),
    );
    await catalog.list("https://air.example/mcp", called("air.example", "urn:air:air.example:mcp:own"));
    await catalog.list("https://forger.example/mcp", called("forger.example", "urn:air:google.com:mcp:maps"));
    await catalog.list("https://evil.example/mcp", vouched("evil.example", "com.google/maps"));
    await catalog.list("https://down.example/mcp", { online: false, verified: false });
    await catalog.list("https://learned.example/mcp", { via: "https://other.example" });
    // What an admin of an internal network has listed, and what somebody registered with a key in it.
    await catalog.list("http://10.1.2.3/mcp");
    await catalog.list("https://keyed.example/mcp?api_key=sk-live-0123456789abcdefghijk");
    served = await serveDoors(catalog.context);
    read = reader(served.url);
  });

  afterAll(async () => {
    await served[Symbol.asyncDispose]();
    await catalog[Symbol.asyncDispose]();
  });

  test("its AI Catalog has its own card first, then its relays", verifies("publish.ai-catalog"), async () => {
    const response = await read.get(AI, { headers: { accept: "text/html" } });
    expect(response.headers.get("content-type")).toBe("application/ai-catalog+json");
    const { entries, specVersion, host } = await read.catalog(AI);
    expect(specVersion).toBe("1.0");
    expect(host).toMatchObject({ displayName: "Test catalog" });
    expect(entries.map(({ url }) => url)).toEqual([
      `${PUBLIC_URL}/mcp/server-card`,
      `${PUBLIC_URL}/v1/relays/board.example/server-card`,
      `${PUBLIC_URL}/v1/relays/mcp.weather.example/server-card`,
      `${PUBLIC_URL}/v1/relays/air.example/server-card`,
      `${PUBLIC_URL}/v1/relays/forger.example/server-card`,
      `${PUBLIC_URL}/v1/relays/evil.example/server-card`,
      `${PUBLIC_URL}/v1/relays/down.example/server-card`,
    ]);
    expect(entries.every(({ kind }) => kind === "server-card")).toBe(true);
  });

  test(
    "identifiers are the catalog's own, or the publisher's own",
    verifies("publish.identifiers"),
    async () => {
      const { entries } = await read.catalog(AI);
      const published = "urn:air:air.example:mcp:own";
      for (const { identifier, url } of entries.slice(1)) {
        expect(identifier).toBe(url?.includes("/air.example/") === true ? published : url);
      }
      expect(entries.map(({ identifier }) => identifier)).toContain(published);
      expect(entries[0]?.identifier).toContain("catalog.example");
    },
  );

  test("its MCP Catalog lists the same cards", verifies("publish.mcp-catalog"), async () => {
    const response = await read.get(MCP);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("link")).toBeNull();
    const { entries, specVersion } = await read.catalog(MCP);
    expect(specVersion).toBe("draft");
    expect(entries.map(({ url }) => url)).toEqual((await read.catalog(AI)).entries.map(({ url }) => url));
    for (const { identifier, url } of entries) {
      expect(identifier).toBe(`urn:mcp:server:${(await read.card(url ?? "")).name}`);
    }
  });

  test("its own card lies at both places and tells the truth", verifies("publish.own-card"), async () => {
    const [first, second] = await Promise.all(OWN_CARDS.map((path) => read.card(path)));
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      name: "example.catalog/openmcp",
      title: "Test catalog",
      version: "0.1.0",
      remotes: [{ type: "streamable-http", url: `${PUBLIC_URL}/mcp` }],
    });
    const [remote] = first?.remotes ?? [];
    const versions = [...(remote?.supportedProtocolVersions ?? [])];
    const modern = versions.shift();
    for (const version of versions) {
      const answer = await read.get("/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } },
        }),
      });
      expect(await answer.text(), version).toContain(`"protocolVersion":"${version}"`);
    }
    expect(modern).toBe("2026-07-28");
  });

  test("a relay's card is the catalog's word, and says so", verifies("publish.derived-card"), async () => {
    const card = await read.card("/v1/relays/board.example/server-card");
    expect(card).toMatchObject({
      name: "example.catalog/board.example",
      version: "1.0.0",
      remotes: [{ type: "streamable-http", url: "https://board.example/api/mcp" }],
    });
    expect(Array.from(card.description).length).toBeLessThanOrEqual(100);
    expect(card._meta).toEqual({
      [LISTING_META_KEY]: {
        derived: true,
        catalog: PUBLIC_URL,
        relay: "board.example",
        record: `${PUBLIC_URL}/v1/relays/board.example`,
        online: true,
        verified: true,
        state: "online",
        listedAt: "2026-11-30T00:00:00.000Z",
        changedAt: "2026-11-30T00:00:00.000Z",
      },
    });
    expect(JSON.stringify(card)).not.toContain("private note");
    const learned = await read.card("/v1/relays/learned.example/server-card");
    expect(learned._meta?.[LISTING_META_KEY]).toMatchObject({ via: "https://other.example" });
  });

  test("a relay keeps its own name where its own domain is in it, and no other's", async () => {
    const own = await read.card("/v1/relays/mcp.weather.example/server-card");
    expect(own.name).toBe("example.weather/forecast");
    const taken = await read.card("/v1/relays/evil.example/server-card");
    expect(taken.name).toBe("example.catalog/evil.example");
  });

  test("nothing internal and no credential is published", verifies("publish.nothing-internal"), async () => {
    const texts = await Promise.all(
      [AI, MCP, ...OWN_CARDS, "/v0.1/servers?limit=100"].map(async (path) => (await read.get(path)).text()),
    );
    for (const text of texts) expect(text).not.toMatch(/10\.1\.2\.3|127\.0\.0\.1|sk-live|keyed\.example/);
    const keyed = (await catalog.context.store.relays.ids("keyed", 1))[0] ?? "";
    for (const id of ["10.1.2.3", keyed]) {
      const response = await read.get(`/v1/relays/${id}/server-card`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("sk-live");
    }
    expect((await read.get("/v1/relays/nobody.example/server-card")).status).toBe(404);
  });

  test("no URL comes from the request", verifies("publish.public-url"), async () => {
    for (const path of [AI, MCP, ...OWN_CARDS, "/v1/relays/board.example/server-card"]) {
      const text = await (await read.get(path, { headers: { "x-forwarded-host": "evil.example" } })).text();
      expect(text).toContain(PUBLIC_URL);
      expect(text).not.toContain(served.url);
      expect(text).not.toMatch(/evil\.example\/(?:mcp\/|v1)/);
    }
  });

  test.each([AI, MCP, ...OWN_CARDS, "/v1/relays/board.example/server-card", "/.well-known/openmcp.json"])(
    "%s is served as published documents are",
    verifies("publish.methods", "publish.conditional", "publish.cors"),
    async (path) => {
      const whole = await read.get(path, { headers: { origin: "https://elsewhere.example" } });
      const etag = whole.headers.get("etag") as string;
      expect(whole.headers.get("access-control-allow-origin")).toBe("*");
      expect(whole.headers.get("access-control-allow-methods")).toBe("GET");
      expect(whole.headers.get("cache-control")).toBe("public, max-age=3600");
      for (const given of [`W/${etag}`, "*"]) {
        const again = await read.get(path, { headers: { "if-none-match": given } });
        expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
        expect(again.headers.get("access-control-expose-headers")).toBe("ETag");
      }
      const head = await read.get(path, { method: "HEAD" });
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
      expect(head.headers.get("content-length")).toBe(String((await whole.arrayBuffer()).byteLength));
      const options = await read.get(path, { method: "OPTIONS" });
      expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
      const post = await read.get(path, { method: "POST", body: "{}" });
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    },
  );

  test("the front page leads to it", verifies("publish.link"), async () => {
    for (const accept of ["text/html", "application/json"]) {
      const response = await read.get("/", { headers: { accept } });
      expect(response.headers.get("link")).toBe(
        `<${PUBLIC_URL}${AI}>; rel="ai-catalog"; type="application/ai-catalog+json"`,
      );
      if (accept === "text/html") {
        expect(await response.text()).toContain(
          `<link rel="ai-catalog" type="application/ai-catalog+json" href="${PUBLIC_URL}${AI}">`,
        );
      }
    }
  });

  test("a page that is none is 404, one that is no number is 400", async () => {
    for (const path of [AI, MCP]) {
      expect((await read.get(`${path}?page=99`)).status).toBe(404);
      for (const page of ["0", "-1", "abc", "1.5", "99999999999999999999"]) {
        expect((await read.get(`${path}?page=${page}`)).status, page).toBe(400);
      }
      expect((await read.get(`${path}?utm_source=x`)).status).toBe(200);
    }
  });
});

test.each([
  ["https://catalog.example", "urn:air:catalog.example:mcp:openmcp"],
  ["https://catalog.example:8443", "https://catalog.example:8443/mcp/server-card"],
  ["https://catalog.example/mcps", "https://catalog.example/mcps/mcp/server-card"],
])("catalogs of one host have an identifier each: %s", verifies("publish.identifiers"), async (url, own) => {
  await using catalog = await openCatalog({ url });
  await using served = await serveDoors(catalog.context);
  const response = await fetch(`${served.url}${AI}`);
  const { entries } = (await response.json()) as { entries: { identifier: string }[] };
  expect(entries.map(({ identifier }) => identifier)).toEqual([own]);
});

describe("a catalog that changes", () => {
  test("is published anew, and kept as it is meanwhile", async () => {
    await using catalog = await openCatalog({ url: PUBLIC_URL });
    await catalog.list("https://a.example.com/mcp");
    const { context, reads } = counted(catalog.context);
    await using served = await serveDoors(context);
    const read = reader(served.url);
    const before = await read.get(AI);
    const readsOnce = reads.length;
    await Promise.all(Array.from({ length: 5 }, () => read.get(AI)));
    expect(reads.length).toBe(readsOnce);
    const record = await catalog.list("https://b.example.com/mcp");
    const after = await read.get(AI, { headers: { "if-none-match": before.headers.get("etag") as string } });
    expect(after.status).toBe(200);
    expect(await after.text()).toContain("b.example.com");
    await context.store.relays.remove(record.id, { id: crypto.randomUUID() }, context.clock.now());
    const removed = await read.get(AI);
    expect(removed.headers.get("etag")).toBe(before.headers.get("etag"));
  });
});

describe("a catalog of many relays", () => {
  test("811 are nested pages, each relay once", verifies("publish.pages"), async () => {
    await using catalog = await openCatalog({ url: PUBLIC_URL });
    const hosts = Array.from({ length: 811 }, (_, index) => `r${index}.example.com`);
    for (const host of hosts) await catalog.list(`https://${host}/mcp`, { tools: [] });
    await using served = await serveDoors(catalog.context);
    const read = reader(served.url);
    const root = await read.catalog(AI);
    expect(root.entries.map(({ kind }) => kind)).toEqual(["server-card", ...Array(4).fill("catalog")]);
    const all = await allEntries(read.catalog, AI);
    const cards = hosts.map((host) => `${PUBLIC_URL}/v1/relays/${host}/server-card`);
    expect(all.slice(1).map(({ url }) => url)).toEqual(cards);
    expect(new Set(all.map(({ identifier }) => identifier)).size).toBe(812);

    // A page stays as it is when another loses a relay.
    const third = root.entries[3]?.url ?? "";
    const { etag } = Object.fromEntries((await read.get(third)).headers);
    await catalog.context.store.relays.remove("r0.example.com", { id: crypto.randomUUID() }, 0);
    expect((await read.get(third, { headers: { "if-none-match": etag ?? "" } })).status).toBe(304);
    expect((await read.catalog(root.entries[1]?.url ?? "")).entries).toHaveLength(249);
    expect((await read.catalog(MCP)).entries).toHaveLength(811);
  });

  test("20,000 are read a few at a time", verifies("publish.bounded"), async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-many-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const db = join(folder, "many.db");
    {
      await using one = await openCatalog({ url: PUBLIC_URL }, { db });
      await one.list("https://r0.example.com/mcp", { tools: [] });
    }
    repeatRelay(db, 20_000);
    await using many = await openCatalog({ url: PUBLIC_URL }, { db });
    const { context, reads } = counted(many.context);
    await using served = await serveDoors(context);
    const read = reader(served.url);
    const root = await read.catalog(AI);
    expect(root.entries).toHaveLength(81);
    expect(reads).toEqual([]);
    for (const { url } of [root.entries[1], root.entries[40], root.entries[80]].flatMap(
      (entry) => entry ?? [],
    )) {
      expect((await read.catalog(url ?? "")).entries).toHaveLength(250);
    }
    const first = await read.get(MCP);
    expect(first.headers.get("link")).toBe(`<${PUBLIC_URL}${MCP}?page=2>; rel="next"`);
    expect((await read.catalog(MCP)).entries).toHaveLength(1_001);
    const last = await read.get(`${MCP}?page=20`);
    expect(last.headers.get("link")).toBeNull();
    expect(Math.max(...reads.map(({ records }) => records))).toBeLessThanOrEqual(64);
    expect(Math.max(...reads.map(({ bytes }) => bytes))).toBeLessThan(2 * 1024 * 1024);
    const servers = await read.get("/v0.1/servers?limit=100&search=r19999.example.com");
    expect(await servers.json()).toMatchObject({ metadata: { count: 1 } });
  });
});
