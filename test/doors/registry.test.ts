import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  LISTING_META_KEY,
  REGISTRY_META_KEY,
  readRegistryPage,
  readRegistryServer,
} from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, json, openCatalog, type ServedCatalog, serveDoors } from "./catalog-fixture.ts";
import { PUBLIC_URL } from "./published-catalog.ts";

let catalog: CatalogFixture;
let served: ServedCatalog;

beforeAll(async () => {
  catalog = await openCatalog({ url: PUBLIC_URL });
  for (let index = 0; index < 45; index += 1) {
    const endpoint = `https://r${index}.example.com/mcp`;
    await catalog.list(endpoint, {
      descriptor: { mcp: endpoint, name: `Relay ${index}`, tags: index === 7 ? ["weather"] : [] },
      server: { name: "fake", version: index % 2 === 0 ? "1.0.0" : "2.0.0", protocolVersion: "2025-11-25" },
      ...(index === 3 ? { via: "https://other.example", online: false } : {}),
    });
  }
  await catalog.list("https://mcp.weather.example/mcp", {
    server: { name: "example.weather/forecast", version: "1.2.3+build.5", protocolVersion: "2025-11-25" },
  });
  await catalog.list("http://10.0.0.9/mcp");
  served = await serveDoors(catalog.context);
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

const get = (path: string) => fetch(`${served.url}${path}`);
const servers = async (query = "") => {
  const page = await json(get(`/v0.1/servers${query}`));
  return page.servers.map((entry: { server: { name: string } }) => entry.server.name) as string[];
};

/**
 * What the registry's own description of its API demands of these answers ("ServerList", "ServerResponse", "ServerDetail",
 * "RemoteTransport"), in our words.
 */
const serverDetail = z.looseObject({
  $schema: z.url().optional(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  title: z.string().min(1).max(100).optional(),
  websiteUrl: z.url().optional(),
  remotes: z
    .array(
      z.looseObject({
        type: z.enum(["streamable-http", "sse"]),
        url: z.string().regex(/^(https?:\/\/[^\s]+|\{[a-zA-Z_][a-zA-Z0-9_]*\}[^\s]*)$/),
      }),
    )
    .optional(),
});
const serverResponse = z.object({ server: serverDetail, _meta: z.looseObject({}).optional() });
const serverList = z.object({
  servers: z.array(serverResponse),
  metadata: z.object({ nextCursor: z.string().min(1).optional(), count: z.int() }),
});

/** A client of the official registry: pages by `metadata.nextCursor` until there is none. */
async function walk(query: string): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 100; pages += 1) {
    const more: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = serverList.parse(await json(get(`/v0.1/servers?${query}${more}`)));
    expect(page.metadata.count).toBe(page.servers.length);
    names.push(...page.servers.map(({ server }) => server.name));
    cursor = page.metadata.nextCursor;
    if (cursor === undefined) return names;
  }
  throw new Error("the pages never end");
}

describe("GET /v0.1/servers", () => {
  test("is a page in the registry's shape, read by its readers", verifies("registry.list"), async () => {
    const response = await get("/v0.1/servers");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const text = await response.text();
    const page = serverList.parse(JSON.parse(text));
    expect(page.servers).toHaveLength(30);
    expect(JSON.parse(text)).not.toHaveProperty("ok");
    const reading = readRegistryPage(text);
    expect(reading.diagnostics).toEqual([]);
    expect(reading).toMatchObject({ conformant: true, value: { total: 30 } });
    expect(reading.value?.entries[0]?.server.remotes?.[0]?.url).toBe("https://r0.example.com/mcp");
  });

  test("pages to its end, whatever the limit", verifies("registry.list"), async () => {
    const whole = await walk("limit=100");
    expect(whole).toHaveLength(46);
    expect(new Set(whole).size).toBe(46);
    for (const limit of [1, 7, 30]) expect(await walk(`limit=${limit}`)).toEqual(whole);
    expect(await walk("version=latest&limit=20")).toEqual(whole);
  });

  test("our facts are under our own key", verifies("registry.meta"), async () => {
    const page = await json(get("/v0.1/servers?limit=100"));
    for (const { server, _meta } of page.servers) {
      expect(Object.keys(_meta)).toEqual([LISTING_META_KEY]);
      expect(server._meta).toBeUndefined();
      expect(_meta[LISTING_META_KEY]).toMatchObject({ derived: true, catalog: PUBLIC_URL });
    }
    expect(JSON.stringify(page)).not.toContain(REGISTRY_META_KEY);
    expect(page.servers[3]._meta[LISTING_META_KEY]).toMatchObject({
      via: "https://other.example",
      online: false,
    });
  });

  test("search finds by name and by words", async () => {
    expect(await servers("?search=weather")).toEqual([
      "example.catalog/r7.example.com",
      "example.weather/forecast",
    ]);
    expect(await servers("?search=example.weather/forecast")).toEqual(["example.weather/forecast"]);
    expect(await servers("?search=example.catalog/r7")).toEqual(["example.catalog/r7.example.com"]);
    expect(await servers("?search=EXAMPLE.CATALOG/R44")).toEqual(["example.catalog/r44.example.com"]);
    expect(await servers("?search=com.other/thing")).toEqual([]);
    expect(await servers("?search=nowhere")).toEqual([]);
    expect(await servers("?search=")).toHaveLength(30);
  });

  test("version and updated_since narrow", async () => {
    expect(await walk("version=2.0.0&limit=5")).toHaveLength(22);
    expect(await walk(`version=${encodeURIComponent("1.2.3+build.5")}`)).toEqual([
      "example.weather/forecast",
    ]);
    expect(await servers("?updated_since=2027-01-01T00:00:00Z")).toEqual([]);
    expect(await servers("?updated_since=2020-01-01T00:00:00%2B02:00&limit=100")).toHaveLength(46);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=abc", "limit"],
    ["cursor=nonsense", "cursor"],
    ["updated_since=yesterday", "updated_since"],
    ["version=a&version=b", "version"],
  ])("%s is refused, naming the parameter", async (query, field) => {
    const response = await get(`/v0.1/servers?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ field, error: expect.any(String) });
  });
});

describe("GET /v0.1/servers/{name}/versions", () => {
  test("has the one version of a relay, by an encoded name", verifies("registry.versions"), async () => {
    for (const name of ["example.catalog/r7.example.com", "example.weather/forecast"]) {
      const encoded = encodeURIComponent(name);
      const list = serverList.parse(await json(get(`/v0.1/servers/${encoded}/versions`)));
      expect(list.servers.map(({ server }) => server.name)).toEqual([name]);
      const version = list.servers[0]?.server.version ?? "";
      for (const asked of ["latest", version]) {
        const path = `/v0.1/servers/${encoded}/versions/${encodeURIComponent(asked)}`;
        const response = await get(path);
        expect(response.status, path).toBe(200);
        const text = await response.text();
        serverResponse.parse(JSON.parse(text));
        expect(readRegistryServer(text)).toMatchObject({ conformant: true, diagnostics: [] });
        expect(JSON.parse(text)).toEqual(list.servers[0]);
      }
    }
  });

  test("what is not there is 404 with the registry's error", verifies("registry.versions"), async () => {
    for (const path of [
      "example.catalog%2Fnobody.example/versions",
      "example.catalog%2Fnobody.example/versions/latest",
      "example.catalog%2Fr7.example.com/versions/9.9.9",
      "com.google%2Fmaps/versions",
      "r7.example.com/versions",
      "..%2F..%2Fetc/versions/latest",
    ]) {
      const response = await get(`/v0.1/servers/${path}`);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toMatchObject({ code: "not-found", error: expect.any(String) });
    }
    expect((await get("/v0.1/nothing")).status).toBe(404);
    const publish = await fetch(`${served.url}/v0.1/servers`, { method: "POST", body: "{}" });
    expect([publish.status, publish.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("reads are conditional", async () => {
    const first = await get("/v0.1/servers?limit=2");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"/);
    const again = await fetch(`${served.url}/v0.1/servers?limit=2`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    await first.body?.cancel();
  });
});
