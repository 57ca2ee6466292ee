/** The two catalogs: cases 1 to 5 and 7 of discovery.md, and what is hostile about a file from outside. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  entryKind,
  type JsonValue,
  MAX_CATALOG_ENTRIES,
  mediaTypeEssence,
  readCatalog,
  SERVER_CARD_TYPE,
  sniffDocument,
} from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";
import { jsonValue } from "../arbitraries.ts";

const url = "https://example.com/catalogs/ai-catalog.json";
const entry = {
  identifier: "urn:air:example.com:mcp:weather",
  type: SERVER_CARD_TYPE,
  url: "https://example.com/mcp/server-card",
};
const draftEntry = {
  identifier: "urn:mcp:server:com.example/weather",
  displayName: "Weather",
  mediaType: SERVER_CARD_TYPE,
  url: entry.url,
};

const ai = (...entries: readonly unknown[]): JsonValue => ({
  specVersion: "1.0",
  entries: entries as JsonValue[],
});
const read = (catalog: string | JsonValue, at: string | undefined = url) =>
  readCatalog(catalog, at === undefined ? {} : { url: at });
const codes = (catalog: string | JsonValue): string[] => read(catalog).diagnostics.map(({ code }) => code);

describe("an entry", () => {
  it("has its URL resolved on the final one", verifies("catalogs.relative"), () => {
    const urls = ["card.json", "/card.json", "//other.example/card", "?a=b", "../c"].map(
      (relative) => read(ai({ ...entry, url: relative })).value?.entries[0]?.url,
    );
    expect(urls).toEqual([
      "https://example.com/catalogs/card.json",
      "https://example.com/card.json",
      "https://other.example/card",
      "https://example.com/catalogs/ai-catalog.json?a=b",
      "https://example.com/c",
    ]);
    const nowhere = readCatalog(ai({ ...entry, url: "card.json" }));
    expect(nowhere.value?.entries).toEqual([]);
    expect(nowhere.diagnostics.map(({ code }) => code)).toEqual(["relative-url", "entry-dropped"]);
  });

  const { url: _url, ...bare } = entry;
  it.each<[string, object, string[], number]>([
    ["both", { ...entry, data: {} }, ["url-and-data", "entry-dropped"], 0],
    ["neither", bare, ["url-or-data-missing", "entry-dropped"], 0],
    ["a null", { ...bare, url: null }, ["null-value", "url-or-data-missing", "entry-dropped"], 0],
    [
      "two nulls",
      { ...bare, url: null, data: null },
      ["null-value", "null-value", "url-or-data-missing", "entry-dropped"],
      0,
    ],
    ["one and a null beside it", { ...entry, data: null }, ["null-value"], 1],
    ["a number", { ...bare, url: 7 }, ["wrong-type", "entry-dropped"], 0],
    ["a text as data", { ...bare, data: "card" }, ["wrong-type", "entry-dropped"], 0],
    ["a script", { ...bare, url: "javascript:alert(1)" }, ["unsafe-url", "entry-dropped"], 0],
    [
      "a credential",
      { ...bare, url: "https://me:pw@example.com/" },
      ["credential-in-url", "entry-dropped"],
      0,
    ],
    ["an empty text", { ...bare, url: "" }, ["wrong-format", "entry-dropped"], 0],
  ])("with %s for url and data", verifies("catalogs.one-place"), (_what, given, expected, kept) => {
    const reading = read(ai(given, entry));
    expect(
      reading.diagnostics.filter(({ pointer }) => pointer.startsWith("/entries/0")).map(({ code }) => code),
    ).toEqual(expected);
    // A script's URL has the form that the catalog asks for.
    expect(reading).toMatchObject({ conformant: expected.includes("unsafe-url"), usable: true });
    expect(reading.value?.entries).toHaveLength(kept + 1);
  });

  it("that is bad is dropped, and the others kept", verifies("catalogs.bad-entries"), () => {
    const bad = [
      null,
      7,
      "x",
      [],
      {},
      { ...entry, identifier: 7 },
      { ...entry, identifier: "" },
      { ...entry, type: 7 },
      { ...entry, type: "card" },
    ];
    const { value, conformant, usable } = read(ai(...bad, entry));
    expect({ conformant, usable }).toEqual({ conformant: false, usable: true });
    expect(value).toMatchObject({
      total: 10,
      dropped: 9,
      cut: 0,
      entries: [{ index: 9, identifier: entry.identifier, url: entry.url }],
    });
  });

  it("keeps what it says of itself, and drops what is of the wrong type", () => {
    const { value, diagnostics } = read(
      ai({ ...entry, displayName: "W", description: 7, version: "1", tags: ["a", 7], extensions: { x: 1 } }),
    );
    expect(value?.entries[0]).toMatchObject({
      displayName: "W",
      description: null,
      version: "1",
      tags: ["a"],
      published: { extensions: { x: 1 } },
    });
    expect(diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "wrong-type /entries/0/description",
      "wrong-type /entries/0/tags",
    ]);
  });

  it("may have its card in it, which is judged too", () => {
    const { value, conformant, diagnostics } = read(ai({ ...bare, data: { name: "x" } }));
    expect(value?.entries[0]).toMatchObject({ url: null, data: { name: "x" } });
    expect(conformant).toBe(true);
    expect(diagnostics).toMatchObject([
      { code: "data-not-conformant", pointer: expect.stringMatching(/^\/entries\/0\/data/) },
    ]);
  });

  it("shares its identifier with another version only", () => {
    expect(codes(ai({ ...entry, version: "1" }, { ...entry, version: "2" }))).toEqual([]);
    expect(codes(ai(entry, entry))).toEqual(["identifier-duplicate"]);
  });
});

describe("a media type", () => {
  const spellings: readonly [string, string][] = [
    ...[
      "application/mcp-server-card+json",
      "Application/MCP-Server-Card+JSON; charset=utf-8",
      " application/mcp-server-card+json ;profile=x",
      "application/mcp-server-card",
      "application/mcp.server-card+json",
      "application/mcp_server_card+json",
      "application/mcp-servercard+json",
      "application/mcpservercard+json",
      "application/mcp-card+json",
      "application/server-card+json",
      "application/vnd.mcp.server-card+json",
      "application/vnd.mcp-server-card+json",
      "application/vnd.mcp.card+json",
      "application/vnd.mcp.server.card+json",
      "application/vnd.modelcontextprotocol.server-card+json",
      "application/vnd.io.modelcontextprotocol.server-card+json",
      "application/vnd.anthropic.modelcontextprotocol.server-card+json",
      "application/modelcontextprotocol-server-card+json",
      "application/x-mcp-server-card+json",
      "application/x.mcp-server-card+json",
      "application/prs.mcp-server-card+json",
      "application/mcp-server-card.v1+json",
      "text/mcp-server-card+json",
    ].map((spelling): [string, string] => [spelling, "server-card"]),
    ...[
      "application/mcp-server+json",
      "application/mcp-server",
      "application/mcp+json",
      "application/mcp",
      "application/vnd.mcp.server+json",
      "application/vnd.mcp-server+json",
      "application/vnd.mcp+json",
      "application/x-mcp+json",
      "application/x-mcp-server+json",
      "application/vnd.modelcontextprotocol+json",
      "application/vnd.modelcontextprotocol.server+json",
      "application/mcp-server-manifest+json",
      "application/mcp-manifest+json",
      "application/mcp.server+json",
      "APPLICATION/MCP-SERVER+JSON;V=1",
    ].map((spelling): [string, string] => [spelling, "mcp-server"]),
    ...[
      "application/ai-catalog+json",
      "application/ai-catalog",
      "application/mcp-catalog+json",
      "application/vnd.ai-catalog+json",
      "Application/AI-Catalog+JSON;q=1",
    ].map((spelling): [string, string] => [spelling, "catalog"]),
    ...[
      "application/json",
      "application/a2a-agent-card+json",
      "text/html",
      "application/agentskill+zip",
      "image/png",
      "mcp-server-card",
      "",
      "application/",
    ].map((spelling): [string, string] => [spelling, "other"]),
  ];

  it.each(spellings)("%j is %s", verifies("catalogs.media-types"), (spelling, kind) => {
    expect(entryKind(spelling)).toBe(kind);
  });

  it("is known by its essence", () => {
    expect(mediaTypeEssence("Application/MCP-Server-Card+JSON; charset=utf-8")).toBe(SERVER_CARD_TYPE);
    expect(mediaTypeEssence("no media type")).toBeNull();
  });

  it("is under either name; the other catalog's is not conformant", () => {
    const { type, ...bare } = entry;
    for (const catalog of [
      ai({ ...bare, mediaType: type }),
      {
        specVersion: "draft",
        entries: [{ ...draftEntry, mediaType: undefined, type }],
      } as unknown as JsonValue,
    ]) {
      const reading = read(JSON.stringify(catalog));
      expect(reading).toMatchObject({
        conformant: false,
        usable: true,
        diagnostics: [{ code: "media-type-member" }],
      });
      expect(reading.value?.entries).toHaveLength(1);
    }
    const early = {
      specVersion: "0.9",
      entries: [
        { ...bare, mediaType: type },
        { ...entry, identifier: "urn:b" },
      ],
    };
    expect(read(early)).toMatchObject({ conformant: true, diagnostics: [] });
  });
});

describe("specVersion", () => {
  it.each<[JsonValue | undefined, string, string[]]>([
    ["0.1", "0.1", []],
    ["1.0", "1.0", []],
    ["1.7", "1.7", []],
    [1.0, "1.0", ["spec-version"]],
    [1.7, "1.7", ["spec-version"]],
    ["1", "1.0", ["spec-version"]],
    ["v1.2", "1.2", ["spec-version"]],
    ["1.0.0", "1.0", ["spec-version"]],
    ["one", "1.0", ["spec-version"]],
    [null, "1.0", ["null-value"]],
    [undefined, "1.0", ["missing-member"]],
  ])("%j is read as %s", verifies("catalogs.versions"), (given, expected, found) => {
    const reading = read({ ...(given === undefined ? {} : { specVersion: given }), entries: [entry] });
    expect(reading).toMatchObject({
      usable: true,
      conformant: found.length === 0,
      value: { dialect: "ai-catalog", specVersion: expected },
    });
    expect(reading.diagnostics.map(({ code }) => code)).toEqual(found);
    expect(reading.value?.entries).toHaveLength(1);
  });

  it.each(["2.0", 2, "10.1", "2"])("%j is refused with a reason", (specVersion) => {
    const { usable, value, diagnostics } = read({ specVersion, entries: [entry] });
    expect({ usable, value }).toEqual({ usable: false, value: null });
    expect(diagnostics.at(-1)).toMatchObject({
      code: "spec-version-unsupported",
      message: expect.stringContaining("later than 1.x"),
    });
  });

  it("draft is the MCP Catalog's, with its own rules", () => {
    expect(read({ specVersion: "draft", entries: [draftEntry] })).toMatchObject({
      conformant: true,
      diagnostics: [],
      value: { dialect: "mcp-catalog" },
    });
    expect(read({ entries: [draftEntry] }).value).toMatchObject({
      dialect: "mcp-catalog",
      specVersion: "draft",
    });
    const { displayName: _name, ...nameless } = draftEntry;
    expect(codes({ specVersion: "draft", entries: [nameless] })).toEqual(["missing-member"]);
    expect(
      codes({
        specVersion: "draft",
        entries: [{ ...draftEntry, identifier: "urn:mcp:server: com.example/weather" }],
      }),
    ).toEqual(["identifier-form"]);
    expect(
      codes({ specVersion: "draft", entries: [{ ...draftEntry, mediaType: "application/mcp-server+json" }] }),
    ).toEqual(["unknown-value"]);
  });
});

describe("the text of a catalog", () => {
  const text = JSON.stringify(ai(entry, { ...entry, identifier: "urn:b" }));

  it("may begin with a byte order mark", verifies("catalogs.duplicates"), () => {
    expect(read(`\uFEFF${text}`)).toMatchObject({
      usable: true,
      conformant: true,
      diagnostics: [{ code: "byte-order-mark" }],
    });
  });

  it("with a key twice is not conformant; where it decides what the catalog is, it is refused", () => {
    const again = text.replace("{", '{"entries":[],');
    expect(read(again)).toMatchObject({
      conformant: false,
      usable: false,
      diagnostics: [{ code: "duplicate-key", pointer: "/entries" }],
    });
    const inEntry = text.replace('"urn:b"', '"urn:b","u\\u0072l":"https://evil.example/"');
    const reading = read(inEntry);
    expect(reading).toMatchObject({ conformant: false, usable: true, value: { dropped: 1 } });
    expect(reading.value?.entries.map(({ identifier }) => identifier)).toEqual([entry.identifier]);
  });

  it(
    "of 811 entries passes, of 100,000 the first 10,000 do, and the cut is said",
    verifies("catalogs.bounded"),
    () => {
      const many = (count: number): string =>
        JSON.stringify(
          ai(
            ...Array.from({ length: count }, (_, at) => ({
              ...entry,
              identifier: `urn:air:example.com:mcp:s${at}`,
            })),
          ),
        );
      expect(read(many(811))).toMatchObject({
        conformant: true,
        diagnostics: [],
        value: { total: 811, dropped: 0, cut: 0 },
      });
      const { value, diagnostics } = read(many(100_000));
      expect(value).toMatchObject({ total: 100_000, cut: 90_000, dropped: 0 });
      expect(value?.entries).toHaveLength(MAX_CATALOG_ENTRIES);
      expect(diagnostics.map(({ code }) => code)).toEqual(["too-large", "entries-cut"]);
    },
  );

  it("that was cut off is read up to its last whole entry", () => {
    for (const end of [text.length - 2, text.indexOf("urn:b"), text.indexOf(',{"identifier":"urn:b"') + 2]) {
      const { value, diagnostics } = readCatalog(text.slice(0, end), { url, isCut: true });
      expect(value?.entries.map(({ identifier }) => identifier)).toEqual([entry.identifier]);
      expect(diagnostics.map(({ code }) => code)).toEqual(["entries-cut"]);
    }
    expect(readCatalog(text.slice(0, 30), { isCut: true }).usable).toBe(false);
  });

  it("with thousands of faults has a bounded list of them, and the right verdict", () => {
    const reading = read(
      ai(...Array.from({ length: 5_000 }, () => ({ ...entry, type: "application/json" })), entry, null),
    );
    expect(reading.diagnostics.length).toBeLessThanOrEqual(200);
    expect(reading.conformant).toBe(false);
    expect(reading.value?.entries).toHaveLength(5_001);
  });

  it("is an error document, HTML, or no object at all", () => {
    expect(codes("<html>")).toEqual(["html"]);
    expect(codes("[]")).toEqual(["wrong-type"]);
    expect(codes('{"specVersion":"1.0"}')).toEqual(["missing-member"]);
    expect(codes('{"specVersion":"1.0","entries":{}}')).toEqual(["wrong-type"]);
  });

  it("never makes the reader throw", () => {
    const member = fc.oneof(
      jsonValue,
      fc.constantFrom<JsonValue>(entry.identifier, SERVER_CARD_TYPE, entry.url, "//", "http://[", "\ud800"),
    );
    const entries = fc.array(
      fc.oneof(
        jsonValue,
        fc.dictionary(
          fc.constantFrom("identifier", "type", "mediaType", "url", "data", "tags", "__proto__"),
          member,
        ),
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        fc.record({ specVersion: member, entries, host: member }, { requiredKeys: [] }),
        (catalog) => {
          const reading = read(JSON.stringify(catalog));
          for (const kept of reading.value?.entries ?? [])
            expect(kept.url === null || URL.canParse(kept.url)).toBe(true);
        },
      ),
    );
  });
});

describe("a document", () => {
  it.each<[string, string]>([
    ['{"mcp":"/mcp"}', "descriptor"],
    [JSON.stringify(ai(entry)), "ai-catalog"],
    [JSON.stringify({ specVersion: "draft", entries: [] }), "mcp-catalog"],
    ['{"entries":[{"identifier":"urn:mcp:server:a.b/c"}]}', "mcp-catalog"],
    ['{"name":"a.b/c","version":"1","description":"d","remotes":[]}', "server-card"],
    ['{"serverInfo":{"name":"x"}}', "legacy-server-card"],
    ['{"server_info":{"name":"x"}}', "legacy-server-card"],
    ['{"name":"x","endpoint":"https://example.com/mcp"}', "legacy-server-card"],
    ['{"name":"a.b/c","packages":[]}', "registry-server"],
    ['{"server":{"name":"a.b/c"},"_meta":{}}', "registry-server"],
    ['{"servers":[{"server":{"name":"a.b/c"}}],"metadata":{}}', "registry-page"],
    ['[{"name":"a.b/c","version_detail":{}}]', "registry-page"],
    [" <!doctype html>", "html"],
    ["{}", "unknown"],
    ["7", "unknown"],
    ["no", "not-json"],
    ["", "not-json"],
  ])("%j is known by its content as %s", verifies("documents.sniffed"), (text, kind) => {
    expect(sniffDocument(text)).toBe(kind);
    expect(sniffDocument(`\uFEFF${text}`)).toBe(kind);
  });
});
