/** What a relay publishes around its endpoint, over real sockets: one description, every document, each part's switch. */
import { readFile } from "node:fs/promises";
import { McpServer, Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, type ServeOptions, serve, server } from "../../src/kit/index.ts";
import { isOpenMcpError, readCatalog, readServerCard, silentLogger } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { askModern, message } from "./kit-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function weather(): McpServer {
  const mcp = new McpServer({
    name: "weather",
    version: "2.1.0",
    title: "Weather",
    description: "Tells the weather.",
    websiteUrl: "https://weather.example.com",
  });
  mcp.registerTool("now", { description: "The weather now." }, () => ({ content: [] }));
  return mcp;
}

async function start(options: Partial<ServeOptions> = {}): Promise<Listening> {
  const on = await serve({ server: weather, ...options }).listen();
  closing.push(() => on.close());
  return on;
}

/** Asks by the public name, as a proxy would. */
const through = (publicUrl: string, options: Partial<ServeOptions> = {}) => {
  const kit = serve({ server: weather, publicUrl, ...options });
  closing.push(() => kit.close());
  return (path: string, headers: Record<string, string> = {}) =>
    kit.fetch(
      new Request(new URL(path, publicUrl), { headers: { host: new URL(publicUrl).host, ...headers } }),
    );
};

const json = async (response: Promise<Response> | Response) => JSON.parse(await (await response).text());

/** In the form of a known issuer, and nobody's. */
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

describe("one description", () => {
  it("feeds every document, under the public URL", verifies("kit.documents"), async () => {
    const get = through("https://weather.example.com/tools", {
      description: { tags: ["sky"], operator: "https://op.example/openprofile.md" },
    });
    const endpoint = "https://weather.example.com/tools/mcp";
    // Whatever path the proxy left.
    for (const prefix of ["", "/tools"]) {
      expect(await json(get(`${prefix}/.well-known/openmcp.json`))).toEqual({
        openmcp: "0.1",
        mcp: endpoint,
        name: "Weather",
        description: "Tells the weather.",
        url: "https://weather.example.com",
        tags: ["sky"],
        operator: "https://op.example/openprofile.md",
      });
      const card = readServerCard(await json(get(`${prefix}/mcp/server-card`)));
      expect([card.conformant, card.diagnostics]).toEqual([true, []]);
      expect(card.value).toMatchObject({
        name: "com.example.weather/weather",
        version: "2.1.0",
        remotes: [{ type: "streamable-http", url: endpoint }],
      });
    }
    for (const path of ["/.well-known/mcp/catalog.json", "/.well-known/ai-catalog.json"]) {
      const catalog = readCatalog(await (await get(path)).text());
      expect([path, catalog.conformant]).toEqual([path, true]);
      expect(catalog.value?.entries.map(({ url }) => url)).toEqual([`${endpoint}/server-card`]);
    }
    const explorer = await (await get("/explorer/")).text();
    expect(explorer).toContain("&#34;endpoint&#34;:&#34;../mcp&#34;");
    expect(explorer).toContain("&#34;openapi&#34;:&#34;../mcp/openapi.json&#34;");
    const { servers, paths } = await json(get("/mcp/openapi.json"));
    expect([servers, Object.keys(paths)]).toEqual([[{ url: "/tools" }], ["/mcp/tools/now"]]);
  });

  it(
    "names the address of this machine where there is no public URL",
    verifies("kit.documents"),
    async () => {
      const { origin } = await start();
      expect((await json(fetch(`${origin}/.well-known/openmcp.json`))).mcp).toBe(`${origin}/mcp`);
      const card = await fetch(`${origin}/mcp/server-card`, {
        headers: { accept: "text/html", origin: "https://else.example" },
      });
      expect(card.headers.get("content-type")).toBe("application/mcp-server-card+json");
      expect(card.headers.get("access-control-allow-origin")).toBe("*");
      const tag = card.headers.get("etag") as string;
      expect((await fetch(card.url, { headers: { "if-none-match": `W/${tag}` } })).status).toBe(304);
      expect((await fetch(card.url, { method: "OPTIONS" })).status).toBe(204);
      const posted = await fetch(card.url, { method: "POST" });
      expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(await json(fetch(`${origin}/.well-known/mcp-server-card/weather`))).toEqual(await json(card));
    },
  );

  it.each([
    ["/websiteUrl", { description: { name: "w", version: "1.0.0", websiteUrl: "https://10.0.0.5/" } }],
    [
      "/websiteUrl",
      { description: { name: "w", version: "1.0.0", websiteUrl: "https://me:hunter2@weather.example.com/" } },
    ],
    ["/version", { description: { name: "w", version: "^1.0.0" } }],
    [
      "/icons/0/src",
      { description: { name: "w", version: "1.0.0", icons: [{ src: "http://192.168.1.4/i.png" }] } },
    ],
    ["/title", { description: { name: "w", version: "1.0.0", title: `Weather ${TOKEN}` } }],
    ["/tags/1", { description: { name: "w", version: "1.0.0", tags: ["weather", TOKEN] } }],
    ["/auth/token", { description: { name: "w", version: "1.0.0", auth: { kind: "bearer", token: TOKEN } } }],
    ["publicUrl", { publicUrl: "https://me:hunter2@weather.example.com" }],
    ["publicUrl", { publicUrl: "http://weather.example.com" }],
  ] as const)(
    "refuses to start over %s, and tells no value: %#",
    verifies("kit.refuses-secrets"),
    (field, options) => {
      const start = (): unknown => serve({ server: weather, ...(options as Partial<ServeOptions>) });
      const error = thrown(start);
      expect(isOpenMcpError(error, "invalid-input") && error.data.field).toBe(field);
      expect(String(error)).not.toMatch(/hunter2|10\.0\.0\.5|192\.168|a1B2/);
    },
  );

  it("refuses to listen over what the server itself says", verifies("kit.refuses-secrets"), async () => {
    const kit = serve({
      server: () => new McpServer({ name: "w", version: "1", websiteUrl: "http://10.0.0.5" }),
    });
    const error = await kit.listen().catch((reason: unknown) => reason);
    expect(isOpenMcpError(error) && error.data.field).toBe("/websiteUrl");
    await kit.close();
  });
});

describe("openapi.json", () => {
  it("of tools that make none is the server's failure", verifies("kit.document-is-list"), async () => {
    const tools = [1, 2].map(() => ({ name: "twin", inputSchema: { type: "object" as const } }));
    const kit = serve({
      logger: silentLogger,
      server: () => {
        const low = new Server({ name: "w", version: "1" }, { capabilities: { tools: {} } });
        low.setRequestHandler("tools/list", () => ({ tools }));
        return low;
      },
    });
    const answer = await kit.fetch(new Request("http://localhost/mcp/openapi.json"));
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining("twin")]);
    await kit.close();
  });

  it(
    "is the tools/list of an open server, with a tag of each type",
    verifies("kit.document-is-list"),
    async () => {
      const { url } = await start();
      const get = (headers: Record<string, string> = {}) => fetch(`${url}/openapi.json`, { headers });
      const usual = await get();
      expect(usual.headers.get("content-type")).toBe("application/vnd.oai.openapi+json");
      expect([usual.headers.get("cache-control"), usual.headers.get("vary")]).toEqual(["no-cache", "Accept"]);
      const plain = await get({ accept: "application/json, */*" });
      expect(plain.headers.get("content-type")).toBe("application/json");
      expect(plain.headers.get("etag")).not.toBe(usual.headers.get("etag"));
      expect((await get({ "if-none-match": usual.headers.get("etag") as string })).status).toBe(304);
      const document = await json(usual);
      expect(document.info).toMatchObject({ title: "Weather", version: "2.1.0" });
      const { tools } = (await message(askModern(url, { method: "tools/list" }))).result;
      expect(Object.keys(document.paths)).toEqual(
        tools.map(({ name }: { name: string }) => `/mcp/tools/${name}`),
      );
    },
  );

  it("can be put elsewhere and said more of", verifies("kit.options"), async () => {
    const { url } = await start({
      openapi: { path: "spec.json", pathStyle: "server-relative", info: { contact: { name: "Bo" } } },
    });
    const document = await json(fetch(`${url}/spec.json`));
    expect(document.info.contact).toEqual({ name: "Bo" });
    expect([document.servers, Object.keys(document.paths)]).toEqual([[{ url: "/mcp" }], ["/tools/now"]]);
  });

  it("of a server without tools has no paths", verifies("kit.document-is-list"), async () => {
    const on = await serve({ server: () => new McpServer({ name: "none", version: "1.0.0" }) }).listen();
    closing.push(() => on.close());
    expect((await json(fetch(`${on.url}/openapi.json`))).paths).toEqual({});
  });
});

describe("each part", () => {
  it("is on by default and off by one option", verifies("kit.options"), async () => {
    const parts = {
      openapi: "/mcp/openapi.json",
      explorer: "/explorer",
      descriptor: "/.well-known/openmcp.json",
      serverCard: "/mcp/server-card",
      mcpCatalog: "/.well-known/mcp/catalog.json",
      aiCatalog: "/.well-known/ai-catalog.json",
      health: "/health",
    };
    const all = await start();
    for (const path of Object.values(parts))
      expect([path, (await fetch(all.origin + path)).status]).toEqual([path, 200]);
    const none = await start(Object.fromEntries(Object.keys(parts).map((part) => [part, false])));
    for (const path of Object.values(parts))
      expect([path, (await fetch(none.origin + path)).status]).toEqual([path, 404]);
    expect((await askModern(none.url, { method: "tools/list" })).status).toBe(200);
    expect((await fetch(`${none.origin}/nested/mcp`)).status).toBe(404);
  });

  it("can be led to from the root", verifies("kit.options"), async () => {
    const { origin } = await start({ explorer: { redirectRoot: true, path: "/try" } });
    const root = await fetch(`${origin}/`, { redirect: "manual" });
    expect([root.status, root.headers.get("location")]).toEqual([302, "/try"]);
    const page = await fetch(`${origin}/try/index.html`);
    expect([page.status, page.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
  });

  it("of OAuth is the SDK's own document", verifies("kit.options"), async () => {
    const { origin } = await start({
      oauth: {
        oauthMetadata: {
          issuer: "https://auth.example.com",
          authorization_endpoint: "https://auth.example.com/a",
          token_endpoint: "https://auth.example.com/t",
          response_types_supported: ["code"],
        },
        resourceServerUrl: new URL("https://weather.example.com/mcp"),
      },
    });
    const document = await json(fetch(`${origin}/.well-known/oauth-protected-resource/mcp`));
    expect(document).toMatchObject({
      resource: "https://weather.example.com/mcp",
      authorization_servers: ["https://auth.example.com"],
    });
    expect((await json(fetch(`${origin}/.well-known/openmcp.json`))).auth).toEqual({ kind: "oauth" });
  });
});

describe("the docs", () => {
  it("show a relay in twelve lines that runs", verifies("kit.fluent"), async () => {
    const page = await readFile(new URL("../../docs/kit.md", import.meta.url), "utf8");
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(12);
    expect(code).toContain('from "openmcp/kit"');
    const { z } = await import("zod");
    const body = code
      .replace(/^import .*$/gm, "")
      .replace("await server", "return server")
      .replace("8080", "0");
    const run = new Function("server", "z", body) as (
      make: typeof server,
      zod: typeof z,
    ) => Promise<Listening>;
    const on = await run(server, z);
    closing.push(() => on.close());
    const answer = await message(
      askModern(on.url, { method: "tools/call", params: { name: "greet", arguments: { name: "Bo" } } }),
    );
    expect(answer.result.structuredContent).toEqual({ message: "Hello, Bo!" });
  });
});

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return null;
}
