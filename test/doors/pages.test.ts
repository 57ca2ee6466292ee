import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pagesDoor } from "../../src/doors/pages/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";

const LINK =
  '<http://127.0.0.1:8790/.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"';
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;

let catalog: CatalogFixture;
let app: ReturnType<typeof pagesDoor>;

beforeAll(async () => {
  catalog = await openCatalog({ name: "Cats & <dogs>", operator: "javascript:alert(1)" });
  await catalog.list("https://good.example/mcp", { tools: [tool("pdf_to_text", "Convert a PDF to text.")] });
  await catalog.list("https://down.example/mcp", { online: false, verified: false });
  await catalog.list("https://evil.example/mcp", {
    descriptor: {
      mcp: "https://evil.example/mcp",
      name: HOSTILE,
      description: HOSTILE,
      url: "javascript:alert(1)",
      tags: [HOSTILE],
    },
    tools: [
      { name: HOSTILE, description: HOSTILE, title: HOSTILE },
      ...Array.from({ length: 40 }, (_, at) => tool(`t${at}`)),
    ],
  });
  for (let at = 0; at < 60; at += 1) await catalog.list(`https://r${at}.example/mcp`);
  await catalog.index();
  app = pagesDoor({ context: catalog.context });
});

afterAll(() => catalog[Symbol.asyncDispose]());

const browse = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", ...headers } });

describe("/ for a browser", () => {
  test("is HTML with a policy that allows its own style and nothing else", async () => {
    const response = await browse("/");
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("vary")).toBe("Accept");
    const policy = response.headers.get("content-security-policy") as string;
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] as string;
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|script-src|https?:/);
    expect(page).not.toMatch(/<script|<[^>]*\s(?:on\w+|style)=/i);
  });

  test("loads nothing and links only to http(s) and itself", async () => {
    const page = await (await browse("/")).text();
    for (const [, target] of page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
      expect(target).toMatch(/^(?:\/(?!\/)|#|https?:\/\/|data:,$)/);
    }
    expect(page).not.toContain('href="javascript');
  });

  test("has what a reader needs: language, title, one h1, a labelled search that needs no script", async () => {
    const page = await (await browse("/")).text();
    expect(page).toContain('<html lang="en">');
    expect(page).toContain("<title>Cats &amp; &lt;dogs&gt;</title>");
    expect(page.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page).toMatch(/<form action="\/" method="get" role="search">/);
    expect(page).toMatch(/<label>[^<]+<input type="search" name="q"/);
    expect(page).toContain("color-scheme: light dark");
    expect(page).toContain('name="viewport"');
  });

  test(
    "says online and verified as two facts, the unstated as unstated",
    verifies("client.two-facts", "client.absence"),
    async () => {
      const page = await (await browse("/?q=down")).text();
      const card = /<h3><a href="\/v1\/relays\/down\.example">.*?<\/li>/s.exec(page)?.[0];
      expect(card).toContain("offline");
      expect(card).toContain("not verified");
      expect(card).toContain("credential: unstated");
    },
  );

  test("escapes every word of a relay and cuts long ones", verifies("descriptor.untrusted"), async () => {
    const page = await (await browse(`/?q=evil`)).text();
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<img");
    expect(page).toContain("and 29 more");
  });

  test("names relays for what they are, and adds no empty list to tools that were found", async () => {
    const page = await (await browse("/")).text();
    expect(page).toContain("63 relays (MCP servers) listed, 62 online");
    const found = await (await browse("/?q=pdf+text+converter")).text();
    expect(found).toContain("pdf_to_text");
    expect(found).not.toContain("None.");
    expect(await (await browse("/?q=zzzz")).text()).toContain("None.");
  });

  test("escapes what was asked", async () => {
    const page = await (await browse(`/?${new URLSearchParams({ q: HOSTILE, tag: HOSTILE })}`)).text();
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<img");
  });

  test("pages by links, without skipping or doubling", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/";
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const page: string = await (await browse(path)).text();
      seen.push(...[...page.matchAll(/<h3><a href="\/v1\/relays\/([^"]+)"/g)].map(([, id]) => id as string));
      path = /<a rel="next" href="([^"]+)">/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(seen).toHaveLength(63);
    expect(new Set(seen).size).toBe(63);
  });

  test("errors are pages too, with their status", async () => {
    for (const [path, status] of [
      ["/nope", 404],
      ["/?cursor=made-up", 400],
    ] as const) {
      const response = await browse(path);
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await response.text()).toContain('<html lang="en">');
    }
  });

  test("answers 304", async () => {
    const etag = (await browse("/")).headers.get("etag") as string;
    expect((await browse("/", { "if-none-match": etag })).status).toBe(304);
  });
});

describe("/ for a program", () => {
  test.each([["*/*"], ["application/json"], [undefined]])("is JSON with Accept: %s", async (accept) => {
    const response = await app.request("/", { headers: accept === undefined ? {} : { accept } });
    expect(await response.json()).toEqual({
      ok: true,
      name: "Cats & <dogs>",
      description: "A catalog for tests.",
      version: "0.1.0",
      relays: 63,
      online: 62,
      api: "http://127.0.0.1:8790/v1",
      mcp: "http://127.0.0.1:8790/mcp",
      openapi: "http://127.0.0.1:8790/v1/openapi.json",
      descriptor: "http://127.0.0.1:8790/.well-known/openmcp.json",
      aiCatalog: "http://127.0.0.1:8790/.well-known/ai-catalog.json",
    });
    expect(response.headers.get("vary")).toBe("Accept");
    expect(response.headers.get("link")).toBe(LINK);
  });

  test("other methods are 405, other paths 404, foreign hosts 403, each a problem", async () => {
    for (const [path, init, status] of [
      ["/", { method: "POST" }, 405],
      ["/nope", {}, 404],
      ["/", { headers: { host: "evil.example" } }, 403],
    ] as const) {
      const response = await app.request(path, init);
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  });
});
