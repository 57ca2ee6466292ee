/** What a publisher calls its relay: whose catalog is believed, whichever document vouches, and how long it is kept. */
import { describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { aiCatalog as exportFormat } from "../../src/cli/export/document-formats.ts";
import { AI_CATALOG_PATH, type AiCatalog, parseRaw, type RelayRecord } from "../../src/spec/index.ts";
import type { FakeRelayOptions } from "../../src/testing/index.ts";
import { aiCatalog, card, cardEntry, startSite } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";
import { PERIOD, startWatched } from "./watched.ts";

const relay = relaysOfTests();

/** Every name is on 127.0.0.1. */
const start = () => startTestCatalog({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });

function serving(files: Readonly<Record<string, object | string>>): Pick<FakeRelayOptions, "intercept"> {
  return {
    intercept(seen, response) {
      const file = seen.method === "GET" ? files[seen.path] : undefined;
      if (file === undefined) return false;
      const isPage = typeof file === "string";
      response.writeHead(200, { "content-type": isPage ? "text/html" : "application/json" });
      response.end(isPage ? file : JSON.stringify(file));
      return true;
    },
  };
}

/** A relay whose machine has a name, and what is served beside it. */
async function named(host: string, more: FakeRelayOptions = {}) {
  const files: Record<string, object | string> = {};
  const started = await relay({ ...more, ...serving(files) });
  const at = (url: string, name = host) => url.replace("127.0.0.1", name);
  return { files, at, url: at(started.url), origin: at(started.origin), started };
}

const entry = (identifier: string, more: object) => ({
  ...cardEntry("x", ""),
  url: undefined,
  identifier,
  ...more,
});

const URN = "urn:air:fleet.dev:mcp:one";

async function published({ context }: TestCatalog): Promise<readonly string[]> {
  const identity = { ...context.identity, description: "A catalog." };
  const document = await operations.aiCatalog.run({ ...context, identity }, {}, caller);
  const { entries } = parseRaw(document) as unknown as AiCatalog;
  return entries.slice(1).map(({ identifier }) => identifier);
}

/** What `openmcp export --format ai-catalog` makes of it. */
async function exported(record: RelayRecord): Promise<readonly string[]> {
  const parts: string[] = [];
  const records = (async function* () {
    yield record;
  })();
  for await (const part of exportFormat.write(records, { url: "http://127.0.0.1:1", remark: () => {} })) {
    parts.push(part);
  }
  const { entries } = JSON.parse(parts.join("")) as AiCatalog;
  return entries.map(({ identifier }) => identifier);
}

const identifierOf = (record: RelayRecord) => record.identifier;

describe("what a publisher's own catalog calls a relay", () => {
  it(
    "is kept whichever document vouches for it, and published unchanged",
    verifies("publish.identifiers"),
    async () => {
      await using catalog = await start();
      const one = await named("mcp.fleet.dev", { descriptor: { mcp: "/mcp", name: "One" } });
      one.files[AI_CATALOG_PATH] = aiCatalog([entry(URN, { data: card("dev.fleet/one", one.url) })]);
      const { relay: record } = await catalog.register(one.origin);
      expect(record).toMatchObject({ identifier: URN, probe: { verifiedBy: "openmcp" } });
      expect(await published(catalog)).toEqual([URN]);
      expect(await exported(record)).toEqual([URN]);
      // A descriptor is kept as served.
      expect(record.descriptor).toEqual({ mcp: "/mcp", name: "One" });
    },
  );

  it("is kept through looks that do not read the catalog, and until the publisher says another", async () => {
    await using catalog = await start();
    const one = await named("fleet.dev", { path: "/one/mcp" });
    one.files["/cards/one"] = card("dev.fleet/one", one.url);
    one.files[AI_CATALOG_PATH] = aiCatalog([entry(URN, { url: "/cards/one" })]);
    const { relay: record } = await catalog.register(one.origin);
    expect(record).toMatchObject({ identifier: URN, probe: { verifiedBy: "server-card" } });
    expect(record.descriptor.serverCard).toEqual({ name: "dev.fleet/one", version: "1.0.0" });
    one.files["/cards/one"] = card("dev.fleet/one", one.url, { version: "1.1.0" });
    expect(identifierOf((await catalog.refresh(record.id)).relay)).toBe(URN);
    expect(identifierOf((await catalog.register(one.url)).relay)).toBe(URN);
    one.files[AI_CATALOG_PATH] = aiCatalog([entry(`${URN}-2`, { url: "/cards/one" })]);
    expect(identifierOf((await catalog.register(one.origin)).relay)).toBe(`${URN}-2`);
    expect(await published(catalog)).toEqual([`${URN}-2`]);
  });

  it("is asked for by a refresh, and once a day as planned until it is told, where an endpoint was registered alone", async () => {
    await using watched = await startWatched({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });
    const { catalog } = watched;
    const [one, two] = [
      await named("one.fleet.dev", { descriptor: { mcp: "/mcp" } }),
      await named("two.fleet.dev", { descriptor: { mcp: "/mcp" } }),
    ];
    const asked = (): number => two.started.requests.filter(({ path }) => path === AI_CATALOG_PATH).length;
    const { relay: first } = await catalog.register(one.url);
    const { relay: second } = await catalog.register(two.url);
    expect([first.identifier, second.identifier]).toEqual([undefined, undefined]);
    const listing = (urn: string, url: string) => aiCatalog([entry(urn, { data: card("dev.fleet/x", url) })]);
    one.files[AI_CATALOG_PATH] = listing("urn:air:one.fleet.dev:mcp:x", one.url);
    two.files[AI_CATALOG_PATH] = listing("urn:air:two.fleet.dev:mcp:x", two.url);
    expect(identifierOf((await catalog.refresh(first.id)).relay)).toBe("urn:air:one.fleet.dev:mcp:x");
    watched.watch();
    await watched.pass(PERIOD);
    expect([asked(), identifierOf(await catalog.get(second.id))]).toEqual([0, undefined]);
    await watched.pass(24 * 60 * 60_000);
    expect([asked(), identifierOf(await catalog.get(second.id))]).toEqual([1, "urn:air:two.fleet.dev:mcp:x"]);
    await watched.pass(24 * 60 * 60_000);
    expect(asked()).toBe(1);
    // A name is no event: nothing that a subscriber follows has changed.
    expect(await watched.events()).toEqual(["relay.registered", "relay.registered"]);
  });

  it("is believed of the domain that it names, for a relay below it, vouched for by nobody or by itself", async () => {
    await using catalog = await start();
    const bare = await named("bare.fleet.dev");
    const own = await named("own.fleet.dev", { descriptor: { mcp: "/mcp" } });
    await using site = await startSite();
    site.serve(
      AI_CATALOG_PATH,
      aiCatalog([
        entry("urn:air:fleet.dev:mcp:bare", { data: card("dev.fleet/bare", bare.url) }),
        entry("urn:air:fleet.dev:mcp:own", { data: card("dev.fleet/own", own.url) }),
      ]),
    );
    const { relay: first, relays = [] } = await catalog.register(bare.at(site.origin, "fleet.dev"));
    expect([first, ...relays].map(identifierOf).sort()).toEqual([
      "urn:air:fleet.dev:mcp:bare",
      "urn:air:fleet.dev:mcp:own",
    ]);
  });
});

describe("a name that somebody else gives", () => {
  it.each([
    ["a stranger's catalog", "evil.dev", URN],
    ["a neighbour's under the same domain", "other.fleet.dev", URN],
    ["the catalog of another domain that it names", "evil.dev", "urn:air:evil.dev:mcp:one"],
    ["the catalog of a suffix", "dev", "urn:air:dev:mcp:one"],
  ])("is none: %s", async (_who, host, identifier) => {
    await using catalog = await start();
    const one = await named("mcp.fleet.dev", { descriptor: { mcp: "/mcp" } });
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, aiCatalog([entry(identifier, { data: card("dev.fleet/one", one.url) })]));
    const { relay: record } = await catalog.register(one.at(site.origin, host));
    expect(record.id).toContain("mcp.fleet.dev");
    expect(record).not.toHaveProperty("identifier");
    expect((await published(catalog))[0]).toContain("/v1/relays/");
  });

  it("is none where a visitor's file on the publisher's host gives it, whoever links to that", async () => {
    await using catalog = await start();
    const one = await named("fleet.dev", { path: "/one/mcp" });
    one.files["/uploads/card"] = card("dev.fleet/one", one.url);
    one.files["/uploads/catalog"] = aiCatalog([entry(URN, { url: "/uploads/card" })]);
    await using evil = await startSite();
    evil.serve("/", {
      headers: { link: `<${one.origin}/uploads/catalog>; rel="ai-catalog"` },
      body: "<html>",
    });
    const there = await catalog.register(one.at(evil.origin, "evil.dev"));
    // Nor does such a card vouch for it.
    expect(there.relay).toMatchObject({ online: true, verified: false });
    expect(there.relay).not.toHaveProperty("identifier");
    const given = await catalog.register(`${one.origin}/uploads/catalog`);
    expect(given.relay).toMatchObject({ verified: false });
    expect(given.relay).not.toHaveProperty("identifier");
    // The publisher's own front page is another thing.
    one.files["/"] = '<html><head><link rel="ai-catalog" href="/uploads/catalog"></head>';
    expect((await catalog.register(one.origin)).relay).toMatchObject({ verified: true, identifier: URN });
  });

  it("is none where the card that it leads to is a stranger's", async () => {
    await using catalog = await start();
    const one = await named("fleet.dev", { path: "/one/mcp" });
    await using evil = await startSite();
    evil.serve("/card", card("dev.fleet/one", one.url));
    one.files[AI_CATALOG_PATH] = aiCatalog([entry(URN, { url: `${one.at(evil.origin, "evil.dev")}/card` })]);
    const { relay: record } = await catalog.register(one.origin);
    expect(record).not.toHaveProperty("identifier");
  });
});
