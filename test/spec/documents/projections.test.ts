/** One description, all documents: round trips where they claim to be lossless, and what is refused to be published. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cardNameOf,
  describe as describeDescriptor,
  describeRecord,
  fromCatalog,
  fromRegistryServer,
  fromServerCard,
  type Input,
  type JsonValue,
  OpenMcpError,
  type RelayDescription,
  type RelayRecord,
  readCatalog,
  readDescriptor,
  readRegistryServer,
  readServerCard,
  toAiCatalog,
  toDescriptor,
  toListing,
  toMcpCatalog,
  toRegistryServer,
  toServerCard,
} from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";
import { cleanCard } from "./card-arbitraries.ts";

const weather: RelayDescription = {
  name: "com.example/weather",
  version: "1.4.2",
  description: "Forecasts",
  title: "Weather",
  websiteUrl: "https://example.com",
  remotes: [
    {
      type: "streamable-http",
      url: "https://weather.example.com/mcp",
      supportedProtocolVersions: ["2026-07-28"],
    },
  ],
  auth: { kind: "bearer", url: "https://example.com/tokens", open: ["forecast"] },
  operator: "https://example.com/.well-known/openprofile.md",
  tags: ["weather"],
  tools: ["forecast"],
  listed: false,
};

function refusal(make: () => unknown): OpenMcpError {
  try {
    make();
  } catch (error) {
    if (error instanceof OpenMcpError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a description", () => {
  it("and its card are one another's inverse", verifies("documents.projections"), () => {
    fc.assert(
      fc.property(cleanCard, (card) => {
        const description = fromServerCard(card);
        expect(toServerCard(description)).toEqual(card);
        expect(fromServerCard(toServerCard(description))).toEqual(description);
        expect(readServerCard(JSON.stringify(card))).toMatchObject({
          conformant: true,
          usable: true,
          value: card,
        });
      }),
    );
  });

  it("and its server.json are one another's inverse, packages too", () => {
    fc.assert(
      fc.property(
        cleanCard,
        fc.option(fc.constant([{ registryType: "npm", identifier: "x" }]), { nil: undefined }),
        (card, packages) => {
          const description = { ...fromServerCard(card), ...(packages === undefined ? {} : { packages }) };
          const server = toRegistryServer(description);
          expect(fromRegistryServer(server)).toEqual(description);
          expect(toRegistryServer(fromRegistryServer(server))).toEqual(server);
          expect(readRegistryServer(JSON.stringify(server))).toMatchObject({
            conformant: true,
            value: { server, shape: "current" },
          });
        },
      ),
    );
  });

  it("is a descriptor with one endpoint and all that OpenMCP has a word for", () => {
    const descriptor = toDescriptor(weather);
    expect(descriptor).toEqual({
      openmcp: "0.1",
      mcp: "https://weather.example.com/mcp",
      name: "Weather",
      description: "Forecasts",
      url: "https://example.com",
      auth: { kind: "bearer", url: "https://example.com/tokens", open: ["forecast"] },
      operator: "https://example.com/.well-known/openprofile.md",
      tags: ["weather"],
      tools: ["forecast"],
      catalog: "no-index",
    });
    expect(readDescriptor(JSON.stringify(descriptor))).toMatchObject({
      conformant: true,
      usable: true,
      diagnostics: [],
    });
    expect(describeDescriptor(descriptor, "https://example.com").mayBeListed).toBe(false);
  });

  it("with a template is a descriptor where nobody has to be asked", () => {
    const url = "https://{region}.example.com/mcp";
    const templated = (region: Input): RelayDescription => ({
      ...weather,
      remotes: [{ type: "streamable-http", url, variables: { region } }],
    });
    expect(toDescriptor(templated({ default: "eu" })).mcp).toBe("https://eu.example.com/mcp");
    expect(refusal(() => toDescriptor(templated({}))).data).toEqual({ field: "/remotes/0/url" });
    expect(refusal(() => toDescriptor({ ...weather, remotes: [] })).data).toEqual({
      field: "/remotes/0/url",
    });
  });
});

describe("catalogs", () => {
  const cardUrl = "https://weather.example.com/mcp/server-card";
  const listing = toListing(weather, { cardUrl, updatedAt: "2026-07-28T00:00:00Z" });

  it("are two projections of one list", verifies("catalogs.two-projections"), () => {
    expect(toMcpCatalog([listing])).toEqual({
      specVersion: "draft",
      entries: [
        {
          identifier: "urn:mcp:server:com.example/weather",
          displayName: "Weather",
          mediaType: "application/mcp-server-card+json",
          url: cardUrl,
        },
      ],
    });
    expect(toAiCatalog([listing], { host: { displayName: "Example" } })).toEqual({
      specVersion: "1.0",
      host: { displayName: "Example" },
      entries: [
        {
          identifier: "urn:air:example.com:mcp:weather",
          type: "application/mcp-server-card+json",
          url: cardUrl,
          displayName: "Weather",
          description: "Forecasts",
          version: "1.4.2",
          updatedAt: "2026-07-28T00:00:00Z",
          tags: ["weather"],
        },
      ],
    });
  });

  it("are read again as what they were made from", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(cleanCard, { selector: ({ name }) => name.toLowerCase(), maxLength: 4 }),
        (cards) => {
          const listings = cards.map((card, at) =>
            toListing(fromServerCard(card), { cardUrl: `https://example.com/${at}/server-card` }),
          );
          const mcp = readCatalog(JSON.stringify(toMcpCatalog(listings)));
          expect(mcp).toMatchObject({ conformant: true, diagnostics: [] });
          expect(mcp.value && fromCatalog(mcp.value)).toEqual(
            listings.map(({ name, displayName, cardUrl: url }) => ({ name, displayName, cardUrl: url })),
          );
          const published = toAiCatalog(listings);
          const ai = readCatalog(JSON.stringify(published));
          expect(ai).toMatchObject({ conformant: true, diagnostics: [] });
          const again = fromCatalog(ai.value as NonNullable<typeof ai.value>);
          expect(again.map(({ identifier: _kept, ...rest }) => rest)).toEqual(listings);
          // The identifier is kept: what is published again is the same.
          expect(toAiCatalog(again, { identifiers: "url" })).toEqual(published);
        },
      ),
    );
  });

  it.each([
    ["com.example/weather", {}, "urn:air:example.com:mcp:weather"],
    ["com.Example.api/Weather_2", {}, "urn:air:api.example.com:mcp:Weather_2"],
    ["com.example/weather", { identifiers: "short" as const }, "urn:air:example.com:weather"],
    ["com.example/weather", { identifiers: "url" as const }, cardUrl],
    ["example-org/minimal", {}, cardUrl],
    ["127.0.0.1/weather", {}, cardUrl],
    ["com.-example/weather", {}, cardUrl],
    ["com..example/weather", {}, cardUrl],
  ])("name %s %j as %s", verifies("catalogs.identifiers"), (name, options, identifier) => {
    expect(toAiCatalog([{ name, cardUrl }], options).entries[0]?.identifier).toBe(identifier);
    expect(
      toAiCatalog([{ name, cardUrl, identifier: "urn:air:kept.example:mcp:x" }], options).entries[0]
        ?.identifier,
    ).toBe("urn:air:kept.example:mcp:x");
  });

  it("never give one identifier to two", () => {
    const other = { ...listing, cardUrl: "https://other.example.com/server-card" };
    expect(toAiCatalog([listing, other]).entries.map(({ identifier }) => identifier)).toEqual([
      "urn:air:example.com:mcp:weather",
      other.cardUrl,
    ]);
  });

  it("are written in the version that is asked for", verifies("catalogs.options"), () => {
    const early = toAiCatalog([listing], { specVersion: "0.9" });
    expect(early.entries[0]).toMatchObject({
      type: "application/mcp-server-card+json",
      mediaType: "application/mcp-server-card+json",
    });
    expect(readCatalog(JSON.stringify(early))).toMatchObject({ conformant: true, diagnostics: [] });
    expect(refusal(() => toAiCatalog([], { specVersion: "2.0" })).data).toEqual({ field: "specVersion" });
  });

  it("nest others, and have cards in them", () => {
    const card = toServerCard(weather);
    const catalog = toAiCatalog([{ ...listing, card }], {
      nested: [{ url: "https://example.com/page/2", displayName: "More" }],
    });
    const { value, conformant, diagnostics } = readCatalog(JSON.stringify(catalog));
    expect({ conformant, diagnostics }).toEqual({ conformant: true, diagnostics: [] });
    expect(value?.entries.map(({ kind, url, data }) => ({ kind, url, data }))).toEqual([
      { kind: "server-card", url: null, data: card },
      { kind: "catalog", url: "https://example.com/page/2", data: null },
    ]);
  });

  it("refuse what may not be in them", () => {
    const fields = [
      { ...listing, cardUrl: "http://10.0.0.5/server-card" },
      { ...listing, cardUrl: "https://me:hunter2@example.com/" },
      { ...listing, cardUrl: "javascript:alert(1)" },
      { ...listing, cardUrl: "/server-card" },
      { ...listing, name: "../.." },
      { ...listing, name: "weather" },
    ].map((bad) => {
      const error = refusal(() => toAiCatalog([listing, bad]));
      expect(refusal(() => toMcpCatalog([listing, bad])).data).toEqual(error.data);
      expect(error.message).not.toContain("hunter2");
      return error.data.field;
    });
    expect(fields).toEqual([
      ...Array<string>(4).fill("/entries/1/url"),
      "/entries/1/identifier",
      "/entries/1/identifier",
    ]);
  });

  it("on a private network may name it", () => {
    const local = { ...listing, cardUrl: "http://127.0.0.1:8790/server-card" };
    expect(toMcpCatalog([local], { url: "http://127.0.0.1:8790/" }).entries).toHaveLength(1);
    expect(() => toMcpCatalog([local], { url: "https://example.com" })).toThrow("network");
  });
});

describe("what must not be published", () => {
  const secret = "hunter2hunter2";
  const remote = (rest: object): Partial<RelayDescription> => ({
    remotes: [{ type: "streamable-http", url: "https://example.com/mcp", ...rest }],
  });

  it.each<[Partial<RelayDescription>, string]>([
    [{ name: "../.." }, "/name"],
    [{ name: `a/${secret}/b` }, "/name"],
    [{ version: "^1" }, "/version"],
    [{ version: "" }, "/version"],
    [{ description: "" }, "/description"],
    [{ description: "x".repeat(101) }, "/description"],
    [{ websiteUrl: `javascript:${secret}` }, "/websiteUrl"],
    [remote({ url: `https://me:${secret}@example.com/mcp` }), "/remotes/0/url"],
    [remote({ url: `https://example.com/mcp?token=${secret}` }), "/remotes/0/url"],
    [remote({ url: "http://10.0.0.5/mcp" }), "/remotes/0/url"],
    [remote({ url: "http://example.com/mcp" }), "/remotes/0/url"],
    [remote({ url: "https://example.com/{tenant-id}" }), "/remotes/0/url"],
    [remote({ variables: { key: { isSecret: true, default: secret } } }), "/remotes/0/variables/key/default"],
    [
      remote({ headers: [{ name: "Authorization", value: `Bearer ${secret}` }] }),
      "/remotes/0/headers/0/value",
    ],
    [{ members: { tools: [] } }, "/tools"],
  ])("%j is refused, naming %s and no value", verifies("card.refused"), (change, field) => {
    for (const make of [toServerCard, toRegistryServer]) {
      const error = refusal(() => make({ ...weather, ...change }));
      expect(error.code).toBe("invalid-input");
      expect(error.data.field).toBe(field);
      expect(error.message).toContain(field);
      expect(JSON.stringify([error.message, error.data])).not.toContain(secret);
    }
  });

  it("is in no descriptor either", () => {
    const error = refusal(() => toDescriptor({ ...weather, operator: `https://me:${secret}@example.com` }));
    expect(error.data.field).toBe("/operator");
    expect(JSON.stringify([error.message, error.data])).not.toContain(secret);
    expect(
      refusal(() => toDescriptor({ ...weather, ...remote({ url: "http://192.168.1.1/mcp" }) })).data.field,
    ).toBe("/mcp");
  });
});

describe("a record", () => {
  const record: RelayRecord = {
    id: "weather.example.com",
    source: "https://weather.example.com/.well-known/openmcp.json",
    descriptor: {
      mcp: "/mcp",
      name: "Weather\n now",
      description: "\u{1F600}".repeat(200),
      tags: ["Weather"],
      auth: { kind: "none" },
    } as RelayRecord["descriptor"],
    tools: [{ name: "forecast" }],
    server: { name: "weather", version: ">=1", protocolVersion: "2025-11-25" },
    verified: true,
    online: true,
    seenAt: null,
    firstSeenAt: "2026-07-28T00:00:00Z",
    failures: 0,
    lastError: null,
    via: null,
    toolsFrom: "relay",
    probe: {
      state: "online",
      era: "2026-07-28",
      transport: "http+sse",
      httpStatus: 200,
      latencyMs: 1,
      at: "2026-07-28T00:00:00Z",
      nextAt: null,
      attempts: 1,
      verifiedBy: "openmcp",
      toolsHash: null,
      toolsTruncated: false,
    },
  };

  it("is a description that may be published, as far as it is known", () => {
    const description = describeRecord(record);
    expect(description).toMatchObject({
      name: "com.example.weather/mcp",
      version: "0.0.0",
      title: "Weather now",
      description: `${"\u{1F600}".repeat(99)}…`,
      tags: ["weather"],
      tools: ["forecast"],
      auth: { kind: "none" },
      remotes: [
        {
          type: "sse",
          url: "https://weather.example.com/mcp",
          supportedProtocolVersions: ["2026-07-28", "2025-11-25"],
        },
      ],
    });
    expect(readServerCard(JSON.stringify(toServerCard(description))).diagnostics).toEqual([]);
  });

  it("may have said nothing at all", () => {
    const bare = {
      ...record,
      source: "https://h.example/mcp",
      descriptor: { mcp: "https://h.example/mcp" } as RelayRecord["descriptor"],
      server: null,
      tools: [],
    };
    expect(toServerCard(describeRecord(bare))).toMatchObject({
      name: "example.h/mcp",
      version: "0.0.0",
      description: "An MCP server at h.example",
    });
  });

  it.each([
    ["https://mcp.example.com/weather/mcp", "com.example.mcp/weather"],
    ["https://example.com/mcp", "com.example/mcp"],
    ["https://example.com/a/b%20c/sse", "com.example/a-b-20c"],
    ["http://127.0.0.1:3000/mcp", "127.0.0.1/mcp"],
    ["http://[::1]:3000/", "---1-/mcp"],
    ["https://localhost/..", "localhost/mcp"],
    [`https://example.com/${"x".repeat(300)}`, `com.example/${"x".repeat(79)}`],
  ])("at %s goes by %s", (endpoint, name) => {
    expect(cardNameOf(endpoint)).toBe(name);
  });

  it("of any shape makes no projection throw something else than a refusal", () => {
    fc.assert(
      fc.property(cleanCard, fc.constantFrom<JsonValue>(null, 7, "x", [], {}), (card, wrong) => {
        for (const member of ["name", "version", "remotes", "icons", "repository"]) {
          try {
            toServerCard(fromServerCard({ ...card, [member]: wrong } as never));
          } catch (error) {
            expect(error).toBeInstanceOf(OpenMcpError);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
