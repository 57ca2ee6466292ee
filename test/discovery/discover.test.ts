import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DiscoverSettings,
  type Discovery,
  type DocumentStore,
  discover,
  type KnownDocument,
} from "../../src/discovery/index.ts";
import { createExchange, type OwnedExchange } from "../../src/net/index.ts";
import { look } from "../../src/relay/index.ts";
import {
  AI_CATALOG_PATH,
  DESCRIPTOR_PATH,
  MCP_CATALOG_PATH,
  SERVER_CARD_TYPE,
} from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { aiCatalog, card, cardEntry, mcpCatalog, nestedEntry, startSite } from "./site.ts";

let network: OwnedExchange;
beforeAll(() => {
  network = createExchange({ allowLoopback: true, allowNetworks: [] });
});
afterAll(() => network.close());

const read = (given: string, more: DiscoverSettings = {}): Promise<Discovery> =>
  discover(given, { exchange: network.exchange, ...more });

const live: DiscoverSettings = {
  ask: (endpoint, { signal }) =>
    look(endpoint, {
      exchange: network.exchange,
      now: Date.now,
      ...(signal === undefined ? {} : { signal }),
    }),
};

const legacyPlaces = [
  "/.well-known/mcp-server-card",
  "/.well-known/mcp.json",
  "/.well-known/mcp/server-card",
  "/.well-known/mcp/server-card.json",
];
const everyPlace = ["/", AI_CATALOG_PATH, MCP_CATALOG_PATH, DESCRIPTOR_PATH, ...legacyPlaces].sort();

describe("what is asked", () => {
  it(
    "of a domain is every place of the table, once, and nothing published is an answer",
    verifies("discover.every-file", "discover.nothing", "discover.log"),
    async () => {
      await using site = await startSite();
      const found = await read(site.origin);
      expect(found).toMatchObject({ verdict: "nothing", documents: [], servers: [], cuts: [] });
      expect(site.paths()).toEqual(everyPlace);
      expect(found.requests.map(({ url }) => new URL(url).pathname).sort()).toEqual(everyPlace);
      expect(found.requests.every(({ result, status }) => result === "nothing" && status === 404)).toBe(true);
    },
  );

  it("is nothing without a fetch of the caller's", async () => {
    const without = {} as Parameters<typeof discover>[1];
    await expect(discover("https://example.com", without)).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("names the card's type first", verifies("discover.accept"), async () => {
    await using site = await startSite();
    await read(site.origin);
    for (const { path, headers } of site.requests) {
      if (path !== "/") expect(headers.accept?.startsWith(SERVER_CARD_TYPE)).toBe(true);
    }
  });

  it(
    "is no guessed place of a card where a catalog gave it",
    verifies("discover.no-guess", "discover.told"),
    async () => {
      await using relay = await startFakeRelay();
      await using site = await startSite();
      site.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("one", "/cards/one")]));
      site.serve("/cards/one", card("com.example/one", relay.url));
      const found = await read(site.origin, live);
      expect(site.paths()).toEqual(
        ["/", AI_CATALOG_PATH, "/cards/one", MCP_CATALOG_PATH, DESCRIPTOR_PATH].sort(),
      );
      expect(relay.requests.every(({ method }) => method === "POST" || method === "DELETE")).toBe(true);
      expect(found.servers).toMatchObject([
        { endpoint: relay.url, names: ["com.example/one"], conformant: true, live: { state: "online" } },
      ]);
    },
  );

  it("is the reserved place beside an endpoint that only a descriptor, or a person, named", async () => {
    await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp" } });
    const found = await read(relay.origin, live);
    expect(relay.requests.filter(({ method }) => method === "GET").map(({ path }) => path)).toContain(
      "/mcp/server-card",
    );
    expect(found.servers).toMatchObject([{ endpoint: relay.url, live: { state: "online" } }]);

    await using site = await startSite();
    const given = await read(`${site.origin}/tools/mcp`);
    expect(site.paths()).toContain("/tools/mcp/server-card");
    expect(given.verdict).toBe("nothing");
  });

  it("is a given document alone, when it is one", async () => {
    await using site = await startSite();
    site.serve("/deep/catalog.json", aiCatalog([cardEntry("one", "one.json")]));
    site.serve("/deep/one.json", card("com.example/one", "https://one.example/mcp"));
    const found = await read(`${site.origin}/deep/catalog.json`);
    expect(site.paths()).toEqual(["/deep/catalog.json", "/deep/one.json"]);
    expect(found.servers).toMatchObject([{ endpoint: "https://one.example/mcp" }]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["a Link header", { link: '</c.json>; title="a, b"; rel="x AI-Catalog"' }, "<p>hello"],
    [
      "a link in the head",
      {},
      `<!doctype html><head><!-- <link rel=ai-catalog href=/no> --><LINK HREF='/c.json?a=1&amp;b=2' rel="ai-catalog">`,
    ],
  ])("finds the catalog that %s names", verifies("discover.every-file"), async (_name, headers, body) => {
    await using site = await startSite();
    site.serve("/", { headers: { "content-type": "text/html", ...headers }, body });
    const path = body.includes("&amp;") ? "/c.json?a=1&b=2" : "/c.json";
    site.serve(path, aiCatalog([cardEntry("one", "/one.json")]));
    site.serve("/one.json", card("com.example/one", "https://one.example/mcp"));
    const found = await read(site.origin);
    expect(found.servers).toMatchObject([{ endpoint: "https://one.example/mcp" }]);
    expect(site.paths()).not.toContain("/no");
  });

  it("is nothing more of a host that can't be reached", async () => {
    const gone = await startSite();
    await gone[Symbol.asyncDispose]();
    const found = await read(gone.origin);
    expect(found.verdict).toBe("unknown");
    expect(found.requests.length).toBe(4);
    expect(found.requests.every(({ result }) => result === "unreachable")).toBe(true);
  });

  it("entries that lead to no document are told, each with its catalog and what was there", async () => {
    await using site = await startSite({
      [AI_CATALOG_PATH]: aiCatalog([
        cardEntry("gone", "/gone.json"),
        cardEntry("gone too", "/gone.json"),
        nestedEntry("/busy.json"),
        cardEntry("here", "/here.json"),
        { identifier: "urn:x:odd", type: SERVER_CARD_TYPE, data: { hello: 1 } },
      ]),
      "/busy.json": { status: 503 },
      "/here.json": card("com.example/here", "https://here.example/mcp"),
    });
    const catalog = `${site.origin}${AI_CATALOG_PATH}`;
    const { dangling, documents } = await read(site.origin);
    expect(documents).toHaveLength(2);
    expect(
      dangling.map(({ url, listedBy, result }) => [url.slice(site.origin.length), listedBy, result]),
    ).toEqual(
      expect.arrayContaining([
        ["/gone.json", catalog, "nothing"],
        ["/gone.json", catalog, "nothing"],
        ["/busy.json", catalog, "later"],
        [`${AI_CATALOG_PATH}#/entries/4/data`, catalog, "nothing"],
      ]),
    );
    expect(dangling).toHaveLength(4);
  });

  it("no document is waited for longer than all of it may take", async () => {
    await using site = await startSite({
      "/": (_request, response) => void response.writeHead(200).write(" "),
    });
    const { requests } = await read(site.origin, { limits: { totalMs: 300 } });
    expect(requests.find(({ url }) => url === `${site.origin}/`)?.outcome).toMatch(/within 0\.3 s/);
  });

  it("templates that lack different things are told apart, though they are spelled alike", async () => {
    const remote = (variables: object) => ({
      remotes: [{ type: "streamable-http", url: "https://h.example/{x}/mcp", variables }],
    });
    await using site = await startSite({
      [AI_CATALOG_PATH]: aiCatalog([cardEntry("a", "/a.json"), cardEntry("b", "/b.json")]),
      "/a.json": card("com.example/a", "", remote({ x: { default: "a\r\nb" } })),
      "/b.json": card("com.example/b", "", remote({ x: { isRequired: true } })),
    });
    const { servers } = await read(site.origin);
    expect(servers.map(({ names, missing }) => [names, missing.map(({ problem }) => problem)])).toEqual([
      [["com.example/a"], ["line-break"]],
      [["com.example/b"], ["missing"]],
    ]);
  });
});

describe("what is found", () => {
  it(
    "is one server under several names, with who lists it, who hosts its card, and where it runs",
    verifies("discover.chain", "discover.one-relay"),
    async () => {
      await using relay = await startFakeRelay();
      await using host = await startSite();
      host.serve("/a.json", card("com.example/a", relay.url));
      host.serve("/b.json", card("org.example/b", `${relay.url}/`));
      await using site = await startSite();
      site.serve(
        AI_CATALOG_PATH,
        aiCatalog([cardEntry("a", `${host.origin}/a.json`), cardEntry("b", `${host.origin}/b.json`)]),
      );
      site.serve(MCP_CATALOG_PATH, mcpCatalog([{ name: "com.example/a", url: `${host.origin}/a.json` }]));
      const found = await read(site.origin, live);
      expect(host.paths()).toEqual(["/a.json", "/b.json"]);
      expect(found.servers).toHaveLength(1);
      expect(found.servers[0]).toMatchObject({
        names: ["com.example/a", "org.example/b"],
        live: { state: "online" },
      });
      expect(found.servers[0]?.chains).toEqual([
        {
          listedBy: `${site.origin}${AI_CATALOG_PATH}`,
          hostedBy: `${host.origin}/a.json`,
          runsAt: relay.url,
        },
        {
          listedBy: `${site.origin}${MCP_CATALOG_PATH}`,
          hostedBy: `${host.origin}/a.json`,
          runsAt: relay.url,
        },
        {
          listedBy: `${site.origin}${AI_CATALOG_PATH}`,
          hostedBy: `${host.origin}/b.json`,
          runsAt: relay.url,
        },
      ]);
    },
  );

  it(
    "takes the runtime's word, and names where a document contradicts it",
    verifies("discover.drift"),
    async () => {
      await using relay = await startFakeRelay({
        serverInfo: { name: "weather", version: "2.0.0" },
        descriptor: { mcp: "/mcp", tools: ["gone", "echo"] },
      });
      await using site = await startSite();
      site.serve(
        MCP_CATALOG_PATH,
        mcpCatalog([
          { name: "com.example/other", url: "/weather.json" },
          { name: "com.example/news", url: "/news.json" },
        ]),
      );
      const remotes = [
        { type: "streamable-http", url: relay.url, supportedProtocolVersions: ["2024-11-05"] },
      ];
      site.serve("/weather.json", card("com.example/Weather", relay.url, { remotes }));
      site.serve("/news.json", card("com.example/news", relay.url));
      const found = await read(site.origin, live);
      expect(found.servers).toHaveLength(1);
      const [server] = found.servers;
      expect(server?.contradictions.map((one) => [one.about, one.said, one.found])).toEqual([
        ["listed-name", "com.example/other", "com.example/Weather"],
        ["version", "1.0.0", "2.0.0"],
        ["protocol-version", ["2024-11-05"], server?.live?.era],
        ["name", "com.example/news", "weather"],
        ["version", "1.0.0", "2.0.0"],
      ]);
      for (const { message, saidBy } of server?.contradictions ?? []) {
        expect(message).toMatch(/^[A-Z].+\.$/);
        expect(URL.canParse(saidBy)).toBe(true);
      }

      const own = await read(relay.origin, live);
      expect(own.servers[0]?.contradictions).toMatchObject([{ about: "tools", said: ["gone"] }]);
    },
  );

  it("says that nothing runs where a document says so", async () => {
    const gone = await startFakeRelay();
    await gone.close();
    await using site = await startSite();
    site.serve(DESCRIPTOR_PATH, { mcp: gone.url });
    const found = await read(site.origin, live);
    expect(found.verdict).toBe("found");
    expect(found.servers[0]).toMatchObject({
      live: { state: "unreachable" },
      contradictions: [{ about: "reachable", found: "unreachable" }],
    });
  });

  it("fills templates, and says all that they lack at once", async () => {
    await using relay = await startFakeRelay();
    const { host } = new URL(relay.url);
    const remotes = [
      {
        type: "streamable-http",
        url: `http://${host}/{path}`,
        variables: { path: { isRequired: true }, region: { isRequired: true } },
        headers: [{ name: "X-Key", isRequired: true, isSecret: true }],
      },
    ];
    await using site = await startSite();
    site.serve("/.well-known/mcp-server-card", card("com.example/one", "", { remotes }));
    const lacking = await read(site.origin, live);
    expect(lacking.servers).toMatchObject([{ endpoint: null, usable: false, live: null }]);
    const names = lacking.servers[0]?.missing.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["path", "X-Key"]));
    const filled = await read(site.origin, { ...live, inputs: { path: "mcp", region: "eu", "X-Key": "k" } });
    expect(filled.servers).toMatchObject([{ endpoint: relay.url, usable: true, live: { state: "online" } }]);
  });

  it("keeps entries of other kinds apart", async () => {
    await using site = await startSite();
    site.serve(
      AI_CATALOG_PATH,
      aiCatalog([
        {
          identifier: "urn:air:example.com:agent:a",
          type: "application/a2a-agent-card+json",
          url: "/agent.json",
        },
      ]),
    );
    const found = await read(site.origin);
    expect(found.others).toMatchObject([{ type: "application/a2a-agent-card+json" }]);
    expect(site.paths()).not.toContain("/agent.json");
  });
});

describe("case 1: a relative entry", () => {
  it("resolves on the URL that answered, after redirects", verifies("catalogs.relative"), async () => {
    await using target = await startSite();
    target.serve(
      "/deep/catalog.json",
      aiCatalog([cardEntry("one", "one.json"), cardEntry("two", "../two.json")]),
    );
    target.serve("/deep/one.json", card("com.example/one", "https://one.example/mcp"));
    target.serve("/two.json", card("com.example/two", "https://two.example/mcp"));
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, { status: 302, headers: { location: `${target.origin}/deep/catalog.json` } });
    const found = await read(site.origin);
    expect(found.servers.map(({ endpoint }) => endpoint)).toEqual([
      "https://one.example/mcp",
      "https://two.example/mcp",
    ]);
    expect(target.paths()).toEqual(["/deep/catalog.json", "/deep/one.json", "/two.json"]);
  });
});

describe("case 6: places that may not be asked", () => {
  it.each([
    "http://127.0.0.1:9/card",
    "http://2130706433/card",
    "http://[::ffff:7f00:1]/card",
    "http://localhost./card",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/card",
  ])("a redirect, an entry and a remote at %s", verifies("discover.policy"), async (place) => {
    await using site = await startSite();
    const { port } = new URL(site.origin);
    // The site itself has a public name that leads to this loopback address, and nothing else of the loopback may be called.
    await using guarded = createExchange({
      allowLoopback: false,
      allowNetworks: ["127.0.0.1/32"],
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    await using strict = createExchange({ allowLoopback: false, allowNetworks: [] });
    const exchange: typeof guarded.exchange = (request, limits) =>
      new URL(request.url).hostname === "public.example"
        ? guarded.exchange(request, { ...limits, maxRedirects: 0 })
        : strict.exchange(request, limits);
    site.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("one", place), cardEntry("two", "/two.json")]));
    site.serve("/two.json", card("com.example/two", place));
    const asked: string[] = [];
    const found = await discover(`http://public.example:${port}`, {
      exchange,
      ask: async (endpoint) => {
        asked.push(endpoint);
        return look(endpoint, { exchange: strict.exchange, now: Date.now });
      },
    });
    const refused = found.requests.filter(({ result }) => result === "blocked");
    expect(refused.length + found.documents.flatMap(({ diagnostics }) => diagnostics).length).toBeGreaterThan(
      0,
    );
    for (const { live: answer } of found.servers) expect(answer?.state ?? "blocked").toBe("blocked");
    for (const { result, url } of found.requests) {
      if (new URL(url).hostname !== "public.example") expect(result).toBe("blocked");
    }
  });

  it(
    "a redirect to the inside, and a name whose address changes between two questions",
    verifies("discover.policy"),
    async () => {
      await using site = await startSite();
      const { port } = new URL(site.origin);
      site.serve(AI_CATALOG_PATH, { status: 302, headers: { location: "http://169.254.169.254/x" } });
      site.serve(MCP_CATALOG_PATH, {
        status: 302,
        headers: { location: `http://rebind.example:${port}/inside` },
      });
      site.serve("/inside", aiCatalog([]));
      await using guarded = createExchange({
        allowLoopback: false,
        allowNetworks: ["127.0.0.1/32"],
        lookup: async (host) => [
          { address: host === "rebind.example" ? "127.0.0.2" : "127.0.0.1", family: 4 },
        ],
      });
      const found = await discover(`http://public.example:${port}`, { exchange: guarded.exchange });
      const results = new Map(found.requests.map(({ url, result }) => [new URL(url).pathname, result]));
      expect(results.get(AI_CATALOG_PATH)).toBe("blocked");
      expect(results.get(MCP_CATALOG_PATH)).toBe("blocked");
      expect(site.paths()).not.toContain("/inside");
    },
  );
});

describe("case 7: catalogs within catalogs", () => {
  it("that lead back are read once", verifies("discover.levels"), async () => {
    await using a = await startSite();
    await using b = await startSite();
    a.serve(AI_CATALOG_PATH, aiCatalog([nestedEntry(`${b.origin}/b.json`)]));
    b.serve(
      "/b.json",
      aiCatalog([nestedEntry(`${a.origin}${AI_CATALOG_PATH}`), nestedEntry(`${b.origin}/b.json`)]),
    );
    const found = await read(a.origin);
    expect(b.paths()).toEqual(["/b.json"]);
    expect(a.paths().filter((path) => path === AI_CATALOG_PATH)).toHaveLength(1);
    expect(found.cuts).toEqual([]);
  });

  it(
    "are read four levels deep, and the fifth is said to be left out",
    verifies("discover.levels"),
    async () => {
      await using site = await startSite();
      site.serve(AI_CATALOG_PATH, aiCatalog([nestedEntry("/2.json")]));
      for (const level of [2, 3, 4, 5]) {
        site.serve(
          `/${level}.json`,
          aiCatalog([nestedEntry(`/${level + 1}.json`), cardEntry(`c${level}`, `/card-${level}.json`)]),
        );
        site.serve(`/card-${level}.json`, card(`com.example/c${level}`, `https://c${level}.example/mcp`));
      }
      const found = await read(site.origin);
      expect(site.paths()).toEqual(expect.arrayContaining(["/4.json", "/card-4.json"]));
      expect(site.paths()).not.toContain("/5.json");
      expect(found.servers).toHaveLength(3);
      expect(found.cuts).toMatchObject([{ limit: "levels" }]);
    },
  );

  it("of 811 entries pass", verifies("discover.size"), async () => {
    await using site = await startSite();
    const entries = Array.from({ length: 811 }, (_, at) => ({
      ...cardEntry(`s${at}`, ""),
      url: undefined,
      data: card(`com.example/s${at}`, `https://s${at}.example/mcp`),
    }));
    site.serve(AI_CATALOG_PATH, aiCatalog(entries));
    const found = await read(site.origin);
    expect(found.servers).toHaveLength(811);
    expect(found.cuts).toEqual([]);
  });

  it("of 811 cards, each in its own file, pass too", async () => {
    await using site = await startSite();
    const names = Array.from({ length: 811 }, (_, at) => `s${at}`);
    site.serve(AI_CATALOG_PATH, aiCatalog(names.map((name) => cardEntry(name, `/${name}.json`))));
    for (const name of names)
      site.serve(`/${name}.json`, card(`com.example/${name}`, `https://${name}.example/mcp`));
    const found = await read(site.origin);
    expect(found.servers).toHaveLength(811);
    expect(found.cuts).toEqual([]);
  });

  it("of 100,000 entries are cut, and that is said", verifies("discover.size"), async () => {
    await using site = await startSite();
    const entries = Array.from({ length: 100_000 }, (_, at) => cardEntry(`s${at}`, `/s${at}.json`));
    const whole = Buffer.from(JSON.stringify(aiCatalog(entries)));
    let sent = 0;
    site.serve(AI_CATALOG_PATH, (_request, response) => {
      response.writeHead(200, { "content-type": "application/ai-catalog+json" });
      const more = (): void => {
        while (sent < whole.length && !response.destroyed) {
          const chunk = whole.subarray(sent, sent + 65_536);
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const found = await read(site.origin, { limits: { documents: 20 } });
    expect(sent).toBeLessThan(whole.length);
    expect(found.documents).toMatchObject([{ kind: "catalog", conformant: false, usable: true }]);
    expect(found.cuts.map(({ limit }) => limit).sort()).toEqual(["bytes", "documents"]);
    expect(found.requests).toHaveLength(20);

    // The same number in files that are small enough each.
    site.serve(
      AI_CATALOG_PATH,
      aiCatalog(Array.from({ length: 20 }, (_, at) => nestedEntry(`/page-${at}.json`))),
    );
    for (let page = 0; page < 20; page += 1) {
      const minimal = Array.from({ length: 5_000 }, (_, at) => ({
        identifier: `x:${page}-${at}`,
        type: "x/y",
        url: `/${page}-${at}`,
      }));
      site.serve(`/page-${page}.json`, aiCatalog(minimal));
    }
    const paged = await read(site.origin);
    expect(paged.others.length).toBeLessThanOrEqual(10_000);
    expect(paged.cuts).toMatchObject([{ limit: "entries" }]);
  });
});

describe("case 8: templates of a stranger", () => {
  it("never lead elsewhere than their literal parts say", verifies("discover.templates"), async () => {
    await using site = await startSite();
    const remotes = [
      {
        type: "streamable-http",
        url: "https://{tenant}.example.com/mcp",
        variables: { tenant: { isRequired: true } },
      },
    ];
    site.serve("/.well-known/mcp-server-card", card("com.example/one", "", { remotes }));
    const asked: string[] = [];
    for (const tenant of ["evil.com/#", "a@b", "{other}", "a\r\nb", "evil.com/"]) {
      const found = await read(site.origin, {
        inputs: { tenant },
        ask: async (endpoint) => {
          asked.push(endpoint);
          throw new Error("asked");
        },
      });
      expect(found.servers[0]).toMatchObject({ endpoint: null });
      expect(JSON.stringify(found.servers[0]?.missing)).not.toContain(tenant);
    }
    expect(asked).toEqual([]);
  });
});

describe("cases 5 and 13, and other odd bodies", () => {
  const catalogOf = (url: string) => JSON.stringify(aiCatalog([cardEntry("one", url)]));
  it.each<[string, Buffer, string | undefined]>([
    ["a byte order mark", Buffer.from(`\uFEFF${catalogOf("/é.json")}`), "application/json"],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${catalogOf("/é.json")}`, "utf16le"), "application/json"],
    ["UTF-16 without one", Buffer.from(catalogOf("/é.json"), "utf16le"), "application/json; charset=utf-8"],
    [
      "a charset that is not its own",
      Buffer.from(catalogOf("/é.json")),
      "application/json; charset=iso-8859-1",
    ],
    [
      "a charset that is",
      Buffer.from(catalogOf("/é.json"), "latin1"),
      'application/json; charset="ISO-8859-1"',
    ],
    ["a charset that nobody knows", Buffer.from(catalogOf("/é.json")), "application/json;charset=klingon"],
    ["no type", Buffer.from(catalogOf("/é.json")), undefined],
  ])("reads a catalog with %s", verifies("discover.charsets"), async (name, body, type) => {
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, {
      ...(type === undefined ? {} : { headers: { "content-type": type } }),
      body,
    });
    site.serve("/%C3%A9.json", card("com.example/one", "https://one.example/mcp"));
    const found = await read(site.origin);
    expect(found.servers).toMatchObject([{ endpoint: "https://one.example/mcp" }]);
    const told = found.documents[0]?.diagnostics.map(({ code }) => code) ?? [];
    expect(told.includes("not-utf-8")).toBe(!isUtf8(body));
    expect(told.includes("byte-order-mark")).toBe(name.endsWith("mark"));
    if (!isUtf8(body)) expect(found.documents[0]).toMatchObject({ conformant: false, usable: true });
  });

  it("takes a catalog with doubled keys for not conformant", async () => {
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, '{"specVersion":"1.0","entries":[],"entries":[]}');
    const found = await read(site.origin);
    expect(found.documents).toMatchObject([{ conformant: false }]);
    expect(found.documents[0]?.diagnostics.map(({ code }) => code)).toContain("duplicate-key");
  });

  it("stops a card over 1 MiB while it streams", verifies("discover.streamed"), async () => {
    await using site = await startSite();
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    site.serve("/.well-known/mcp-server-card", (_request, response) => {
      response.writeHead(200, { "content-type": SERVER_CARD_TYPE });
      response.once("close", () => closed.resolve());
      response.write('{"name":"');
      const more = (): void => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write("x".repeat(65_536))) return void response.once("drain", more);
        }
      };
      more();
    });
    const found = await read(site.origin);
    await closed.promise;
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(found.documents).toMatchObject([
      { kind: "unusable", usable: false, diagnostics: [{ code: "too-large" }] },
    ]);
  });

  it(
    "takes a page for every path, an event stream and an empty answer for nothing published",
    verifies("discover.soft-404"),
    async () => {
      await using site = await startSite();
      site.serve("*", {
        headers: { "content-type": "application/json" },
        body: "<!doctype html><title>App</title>",
      });
      expect(await read(site.origin)).toMatchObject({ verdict: "nothing", documents: [] });
      site.serve("*", (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      });
      expect(await read(`${site.origin}/mcp`)).toMatchObject({ verdict: "nothing" });
      site.serve("*", { status: 204 });
      expect(await read(site.origin)).toMatchObject({ verdict: "nothing" });
    },
  );

  it.each([
    [401, "denied"],
    [403, "denied"],
    [429, "later"],
    [503, "later"],
  ] as const)(
    "takes %i for %s, and for no evidence",
    verifies("discover.no-evidence"),
    async (status, result) => {
      await using site = await startSite();
      site.serve("*", { status });
      const found = await read(site.origin);
      expect(found).toMatchObject({ verdict: "unknown", documents: [] });
      expect(new Set(found.requests.map((one) => one.result))).toEqual(new Set([result]));
    },
  );

  it("gives up on a body that hangs, and keeps what others said", async () => {
    await using site = await startSite();
    const asked = Promise.withResolvers<void>();
    site.serve(MCP_CATALOG_PATH, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"specVersion":');
      asked.resolve();
    });
    site.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("one", "/one.json")]));
    site.serve("/one.json", card("com.example/one", "https://one.example/mcp"));
    // The exchange's own clock, with less patience.
    const found = await discover(site.origin, {
      exchange: (request, limits) =>
        network.exchange(request, {
          ...limits,
          timeoutMs: request.url.endsWith(MCP_CATALOG_PATH) ? 50 : limits.timeoutMs,
        }),
    });
    await asked.promise;
    expect(found.servers).toHaveLength(1);
    expect(found.requests.find(({ url }) => url.endsWith(MCP_CATALOG_PATH))).toMatchObject({
      result: "later",
      status: null,
    });
  });

  it("asks nothing more when its time is up, and says so", async () => {
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("one", "/one.json")]));
    let time = 0;
    const found = await read(site.origin, {
      now: () => time,
      onRequest: () => {
        time = 1_000_000;
      },
    });
    expect(site.paths()).not.toContain("/one.json");
    expect(found.cuts).toMatchObject([{ limit: "time" }]);
  });

  it("asks nothing more of a host that hangs", async () => {
    await using site = await startSite({ "*": () => {} });
    const found = await discover(site.origin, {
      exchange: (request, limits) => network.exchange(request, { ...limits, timeoutMs: 50 }),
    });
    expect(found.verdict).toBe("unknown");
    expect(found.requests.map(({ result }) => result)).toEqual(["later", "later", "later", "later"]);
  });

  it("never rejects for what is served", verifies("discover.log"), async () => {
    let body = "";
    await using site = await startSite({
      "*": (_request, response) => {
        response.writeHead(200, { link: '</x>; rel="ai-catalog' }).end(body);
      },
    });
    const member = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc.json().map((value) => `{"specVersion":"1.0","entries":[${value}]}`),
      fc
        .record({
          entries: fc.array(
            fc.record(
              { identifier: fc.string(), type: fc.string(), url: fc.webUrl(), data: fc.jsonValue() },
              { requiredKeys: [] },
            ),
          ),
        })
        .map((value) => JSON.stringify(value)),
      fc
        .record({ name: fc.string(), version: fc.jsonValue(), remotes: fc.jsonValue() }, { requiredKeys: [] })
        .map((value) => JSON.stringify(value)),
      fc.string().map((text) => `<link rel=ai-catalog ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(member, async (text) => {
        body = text;
        const found = await read(site.origin, { limits: { documents: 12 } });
        expect(found.requests.length).toBeGreaterThan(0);
        JSON.stringify(found);
      }),
      { numRuns: 60 },
    );
  });

  it("ends with its caller", async () => {
    await using site = await startSite();
    const abort = new AbortController();
    site.serve("*", () => abort.abort());
    await expect(read(site.origin, { signal: abort.signal })).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("case 15: what is remembered", () => {
  function store(): DocumentStore & { readonly kept: Map<string, KnownDocument> } {
    const kept = new Map<string, KnownDocument>();
    return { kept, get: (url) => kept.get(url), set: (url, document) => void kept.set(url, document) };
  }

  it("is asked for by its tag, and a 304 stands for it", verifies("discover.remembers"), async () => {
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, (request, response) => {
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304, { etag: '"v1"' }).end();
      else
        response
          .writeHead(200, { etag: '"v1"' })
          .end(JSON.stringify(aiCatalog([cardEntry("one", "/one.json")])));
    });
    site.serve("/one.json", card("com.example/one", "https://one.example/mcp"));
    const memory = store();
    const first = await read(site.origin, { memory });
    const second = await read(site.origin, { memory });
    expect(second.servers).toEqual(first.servers);
    const again = second.requests.find(({ url }) => url.endsWith(AI_CATALOG_PATH));
    expect(again).toMatchObject({ status: 304, result: "unchanged" });
  });

  it("without its body is read again", verifies("discover.remembers"), async () => {
    await using site = await startSite();
    let asked = 0;
    site.serve(AI_CATALOG_PATH, (request, response) => {
      asked += 1;
      if (request.headers["cache-control"] !== "no-cache") response.writeHead(304, { etag: '"v1"' }).end();
      else response.writeHead(200).end(JSON.stringify(aiCatalog([])));
    });
    const memory = store();
    const documentMemory = {
      url: `${site.origin}${AI_CATALOG_PATH}`,
      etag: '"v1"',
      lastModified: null,
      readAt: new Date().toISOString(),
      freshSeconds: 0,
    };
    memory.kept.set(documentMemory.url, {
      memory: documentMemory,
      answeredBy: documentMemory.url,
      text: null,
    });
    const found = await read(site.origin, { memory });
    expect(asked).toBe(2);
    expect(found.documents).toMatchObject([{ kind: "catalog", stale: false }]);
  });

  it(
    "stands while the origin can't be read, and falls when the origin says that it is gone",
    verifies("discover.no-evidence"),
    async () => {
      await using site = await startSite();
      site.serve("/.well-known/mcp-server-card", card("com.example/one", "https://one.example/mcp"));
      const memory = store();
      await read(site.origin, { memory });
      site.serve("/.well-known/mcp-server-card", { status: 503 });
      const later = await read(site.origin, { memory });
      expect(later.documents).toMatchObject([{ kind: "server-card", stale: true }]);
      expect(later.requests.some(({ result }) => result === "later")).toBe(true);
      site.serve("/.well-known/mcp-server-card", null);
      expect((await read(site.origin, { memory })).documents).toEqual([]);
    },
  );
});
