import fc from "fast-check";
import { expect, it, describe as suite } from "vitest";
import {
  bareDescriptor,
  type Descriptor,
  describe,
  type JsonObject,
  MAX_JSON_DEPTH,
  parseDescriptor,
  recordEndpoint,
  SPEC_VERSION,
  summarize,
} from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { jsonObject, jsonValue, record, tool } from "./arbitraries.ts";

const at = "https://relay.example/.well-known/openmcp.json";

/** The specification's own example. */
const full = {
  openmcp: "0.1",
  mcp: "https://agenticjobs.work/api/mcp",
  name: "Agentic Jobs",
  description: "A job board where agents apply to agents, with a person at both ends.",
  url: "https://agenticjobs.work",
  auth: {
    kind: "bearer",
    url: "https://agenticjobs.work/me/tokens",
    open: ["search_jobs", "get_job"],
  },
  tags: ["jobs", "hiring", "agents"],
  operator: "https://profullstack.com/.well-known/openprofile.md",
  webhooks: "https://agenticjobs.work/api/v1/webhooks",
  tools: ["search_jobs", "get_job", "apply_to_job", "post_update"],
  catalogs: ["https://openmcp.logicsrc.com"],
};

suite("parseDescriptor", () => {
  it("reads the specification's example as served", () => {
    const reading = parseDescriptor(
      JSON.stringify(full),
      "https://agenticjobs.work/.well-known/openmcp.json",
    );
    expect(reading).toEqual({ ok: true, descriptor: full, endpoint: "https://agenticjobs.work/api/mcp" });
  });

  it("needs mcp alone", verifies("descriptor.mcp-only"), () => {
    expect(parseDescriptor('{"mcp":"https://x.example/mcp"}', at)).toEqual({
      ok: true,
      descriptor: { mcp: "https://x.example/mcp" },
      endpoint: "https://x.example/mcp",
    });
  });

  it.each([
    ["/api/mcp", "https://relay.example/api/mcp"],
    ["mcp", "https://relay.example/.well-known/mcp"],
    ["../mcp", "https://relay.example/mcp"],
    ["//other.example/mcp", "https://other.example/mcp"],
    ["http://relay.example/mcp", "http://relay.example/mcp"],
    [" https://relay.example/mcp ", "https://relay.example/mcp"],
  ])("resolves mcp %j on the URL that answered", verifies("descriptor.mcp-relative"), (mcp, endpoint) => {
    const reading = parseDescriptor(JSON.stringify({ mcp }), at);
    expect(reading).toEqual({ ok: true, descriptor: { mcp }, endpoint });
  });

  it("keeps every key and value as served", verifies("descriptor.kept"), () => {
    fc.assert(
      fc.property(jsonObject, (more) => {
        const served = { ...more, mcp: "/mcp" };
        const reading = parseDescriptor(`\n${JSON.stringify(served)}\n`, at);
        expect(reading).toEqual({
          ok: true,
          descriptor: JSON.parse(JSON.stringify(served)),
          endpoint: "https://relay.example/mcp",
        });
      }),
    );
  });

  it("reads past a byte order mark", () => {
    expect(parseDescriptor('\uFEFF{"mcp":"/mcp"}', at).ok).toBe(true);
  });

  it("takes a key named __proto__ for data", () => {
    const reading = parseDescriptor('{"mcp":"/mcp","__proto__":{"name":"sneaked"}}', at);
    expect(reading.ok && Object.keys(reading.descriptor)).toEqual(["mcp", "__proto__"]);
    expect(reading.ok && describe(reading.descriptor, at).name).toBeNull();
  });

  it.each([
    ["", "not JSON"],
    ["<!doctype html><p>Hello", "HTML"],
    ["\uFEFF  <html>", "HTML"],
    ['{"mcp":"/mcp"', "not JSON"],
    ["null", "not a JSON object"],
    ["[]", "not a JSON object"],
    ['"https://x.example/mcp"', "not a JSON object"],
    ["{}", '"mcp" is missing'],
    ['{"MCP":"/mcp"}', '"mcp" is missing'],
    ['{"mcp":null}', '"mcp" is not a URL string'],
    ['{"mcp":7}', '"mcp" is not a URL string'],
    ['{"mcp":["/mcp"]}', '"mcp" is not a URL string'],
    ['{"mcp":" "}', '"mcp" is not a URL string'],
    ['{"mcp":"ftp://x.example/mcp"}', '"mcp" is not an http or https URL'],
    ['{"mcp":"javascript:alert(1)"}', '"mcp" is not an http or https URL'],
    ['{"mcp":"https://"}', '"mcp" is not an http or https URL'],
    ['{"mcp":"https://user:secret@x.example/mcp"}', '"mcp" carries a credential'],
    ['{"mcp":"//token@x.example/mcp"}', '"mcp" carries a credential'],
    [`{"mcp":"/mcp","deep":${"[".repeat(1e5)}${"]".repeat(1e5)}}`, "nested deeper"],
  ])("refuses %.40j, saying why", (text, problem) => {
    const reading = parseDescriptor(text, at);
    expect(reading.ok).toBe(false);
    expect(!reading.ok && reading.problem).toContain(problem);
  });

  it("takes documents up to the named depth, brackets in strings apart", () => {
    const nested = (levels: number) => `{"mcp":"/mcp","deep":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(parseDescriptor(nested(MAX_JSON_DEPTH - 1), at).ok).toBe(true);
    expect(parseDescriptor(nested(MAX_JSON_DEPTH), at).ok).toBe(false);
    expect(parseDescriptor(JSON.stringify({ mcp: "/mcp", text: '\\"[{'.repeat(500) }), at).ok).toBe(true);
  });

  it("answers for any text whatever", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          jsonValue.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const reading = parseDescriptor(text, at);
          if (!reading.ok) expect(reading.problem).not.toBe("");
        },
      ),
    );
  });
});

suite("describe", () => {
  it("gives every fact that was stated rightly", () => {
    expect(describe(full, at)).toEqual({
      version: "0.1",
      name: full.name,
      description: full.description,
      url: "https://agenticjobs.work/",
      auth: "bearer",
      authUrl: "https://agenticjobs.work/me/tokens",
      openTools: ["search_jobs", "get_job"],
      tags: ["jobs", "hiring", "agents"],
      operator: "https://profullstack.com/.well-known/openprofile.md",
      webhooks: "https://agenticjobs.work/api/v1/webhooks",
      tools: ["search_jobs", "get_job", "apply_to_job", "post_update"],
      catalogs: ["https://openmcp.logicsrc.com/"],
      mayBeListed: true,
    });
  });

  const nothing = {
    version: SPEC_VERSION,
    name: null,
    description: null,
    url: null,
    auth: "unknown",
    authUrl: null,
    openTools: [],
    tags: [],
    operator: null,
    webhooks: null,
    tools: [],
    catalogs: [],
    mayBeListed: true,
  };

  it(
    "reports absence as absence",
    verifies("descriptor.version", "descriptor.auth-unstated", "client.absence"),
    () => {
      expect(describe({ mcp: "/mcp" }, at)).toEqual(nothing);
      expect(describe(bareDescriptor("https://relay.example/mcp"), at)).toEqual(nothing);
    },
  );

  it.each<JsonObject>([
    { openmcp: 0.1, name: 7, description: ["x"], url: {}, auth: "bearer", tags: "jobs" },
    { name: null, description: " ", url: "javascript:alert(1)", auth: null, tags: { 0: "jobs" } },
    { auth: { kind: "Bearer", url: "ftp://x.example", open: "all" }, operator: true, webhooks: [] },
    { auth: [], tags: [null, 7, "", "  ", ["x"]], tools: { length: 2 }, catalogs: [null, "javascript:1", 4] },
    { operator: "mailto:me@x.example", webhooks: "data:text/plain,x", url: "https://" },
  ])("ignores what is of a wrong type: %j", verifies("descriptor.wrong-types"), (more) => {
    expect(describe({ ...more, mcp: "/mcp" }, at)).toEqual(nothing);
  });

  it(
    "keeps what is right beside what is wrong",
    verifies("descriptor.wrong-types", "descriptor.tags"),
    () => {
      const facts = describe(
        {
          mcp: "/mcp",
          auth: { kind: "oauth", url: 7, open: ["a", null, "b"] },
          tools: ["a", 7, "a", "", "b"],
          tags: [" Jobs", "jobs", "HIRING ", 3],
          catalogs: ["/c", "https://c.example", 7, "https://c.example/"],
          url: "/about",
        },
        at,
      );
      expect(facts).toMatchObject({
        auth: "oauth",
        authUrl: null,
        openTools: ["a", "b"],
        tools: ["a", "b"],
        tags: ["jobs", "hiring"],
        catalogs: ["https://relay.example/c", "https://c.example/"],
        url: "https://relay.example/about",
      });
    },
  );

  it.each(["none", "bearer", "oauth", "api-key"])("knows the auth kind %s", (kind) => {
    expect(describe({ mcp: "/mcp", auth: { kind } }, at).auth).toBe(kind);
  });

  it("gives facts of their types for any document", verifies("descriptor.http-only"), () => {
    const key = fc.constantFrom(...Object.keys(full));
    const odd = fc
      .array(fc.tuple(key, jsonValue))
      .map((entries): Descriptor => ({ ...Object.fromEntries(entries), mcp: "/mcp" }));
    fc.assert(
      fc.property(odd, (descriptor) => {
        const facts = describe(descriptor, at);
        for (const link of [facts.url, facts.authUrl, facts.operator, facts.webhooks, ...facts.catalogs]) {
          if (link !== null) expect(link).toMatch(/^https?:\/\//);
        }
        for (const list of [facts.tags, facts.tools, facts.openTools]) {
          for (const entry of list) expect(entry).toBeTypeOf("string");
        }
        expect(facts.tags).toEqual(facts.tags.map((tag) => tag.trim().toLowerCase()));
      }),
    );
  });
});

suite("summarize", () => {
  it("says what a record says", () => {
    expect(
      summarize(record({ descriptor: { ...full, mcp: "/api/mcp", tags: ["Jobs "] }, online: false })),
    ).toEqual({
      id: "board.example",
      name: "Agentic Jobs",
      description: full.description,
      mcp: "https://board.example/api/mcp",
      auth: "bearer",
      tags: ["jobs"],
      tools: ["search_jobs", "get_job"],
      online: false,
      verified: true,
    });
  });

  it("falls back on the server's own name, and on nothing", () => {
    const bare = { mcp: "https://board.example/mcp" };
    expect(summarize(record({ descriptor: bare })).name).toBe("board");
    expect(summarize(record({ descriptor: bare, server: null }))).toMatchObject({
      name: null,
      description: null,
      auth: "unknown",
      tags: [],
    });
  });

  it("lists tool names in the relay's order", () => {
    expect(summarize(record({ tools: [tool("b"), tool("a"), tool("<b>")] })).tools).toEqual([
      "b",
      "a",
      "<b>",
    ]);
  });

  it("resolves the endpoint on the URL the descriptor was read from", () => {
    expect(recordEndpoint({ descriptor: { mcp: "mcp" }, source: at })).toBe(
      "https://relay.example/.well-known/mcp",
    );
  });
});
