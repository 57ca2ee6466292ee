/** What a relay, or a link, may not do to the pages: hold them up, blow them up, hide in them, or turn what stands around it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pagesDoor, refusalsForPeople, siteDoor } from "../../src/doors/pages/index.ts";
import type { JsonObject, ToolDefinition } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";

const MAX_PAGE_CHARS = 60_000;
const RIGHT_TO_LEFT = "\u202e";
const takes = (name: string, inputSchema: JsonObject): ToolDefinition => ({ name, inputSchema });

let catalog: CatalogFixture;
let app: ReturnType<typeof pagesDoor>;

beforeAll(async () => {
  catalog = await openCatalog();
  app = pagesDoor({ context: catalog.context });
});
afterAll(() => catalog[Symbol.asyncDispose]());

const browse = async (path: string) => app.request(path, { headers: { accept: "text/html" } });
const text = async (path: string) => (await browse(path)).text();

describe("a schema costs what is shown of it", () => {
  test("that refers to itself sixteen times a level, from forty fields", async () => {
    const itself = { $ref: "#/$defs/a" };
    const fields = Array.from({ length: 40 }, (_, at) => [`p${at}`, itself]);
    await catalog.list("https://circles.example/mcp", {
      tools: [
        takes("circles", {
          $defs: { a: { oneOf: Array.from({ length: 16 }, () => itself) } },
          type: "object",
          properties: Object.fromEntries(fields),
        }),
      ],
    });
    const page = await text("/relays/circles.example");
    expect(page).toContain(">p39<");
    expect(page.length).toBeLessThan(MAX_PAGE_CHARS);
  });

  test("that is wide, and refers to its own width from each member", async () => {
    const members = Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { $ref: "#/$defs/a" }]);
    await catalog.list("https://wide.example/mcp", {
      tools: Array.from({ length: 20 }, (_, at) =>
        takes(`wide_${at}`, {
          $defs: { a: { type: "object", properties: Object.fromEntries(members) } },
          type: "object",
          properties: { a: { $ref: "#/$defs/a" } },
        }),
      ),
    });
    expect(await text("/relays/wide.example")).toContain("and 9960 more");
  });

  test("with an enum of ten thousand, and values of a megabyte and two hundred levels", async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 190; level += 1) deep = { a: deep };
    await catalog.list("https://values.example/mcp", {
      tools: [
        takes("values", {
          type: "object",
          properties: {
            one: { enum: Array.from({ length: 10_000 }, (_, at) => `value ${at}`) },
            two: { default: "x".repeat(1_000_000), examples: [deep] },
            three: { const: { long: "y".repeat(1_000_000) } },
          },
        }),
      ],
    });
    const page = await text("/relays/values.example");
    expect(page).toContain("and 9984 more");
    expect(page).toMatch(/default &quot;x{70,80}…/);
    expect(page.length).toBeLessThan(MAX_PAGE_CHARS);
  });

  test("of five thousand tools twenty are shown, and a link beyond the last of them leads to the last", async () => {
    await catalog.list("https://many.example/mcp", {
      tools: Array.from({ length: 5_000 }, (_, at) => tool(`tool_${at}`)),
    });
    const page = await text("/relays/many.example?from=99999");
    expect(page).toContain("4,981 to 5,000 of 5,000");
    expect(page.length).toBeLessThan(MAX_PAGE_CHARS);
  });
});

describe("what can't be seen", { ...verifies("directory.hostile") }, () => {
  test("a name of nothing visible is told by its code points: no link is empty", async () => {
    await catalog.list("https://invisible.example/mcp", {
      descriptor: {
        mcp: "https://invisible.example/mcp",
        name: "\u200b\u2060\u3164",
        tags: ["\u200b"],
      },
      tools: [{ ...takes("\u200b", { type: "object" }), title: "\u00ad" }, tool("other")],
    });
    const page = await text("/relays/invisible.example");
    expect(page).toContain("<h1><bdi>U+200B U+2060 U+3164</bdi></h1>");
    expect(page).toContain('<code dir="auto">U+200B</code>');
    for (const at of ["/relays/invisible.example", "/?q=other"]) {
      for (const [, inside = ""] of (await text(at)).matchAll(/<a [^>]*>(.*?)<\/a>/gs)) {
        expect(inside.replaceAll(/<[^>]*>/g, "")).toMatch(/[^\p{Z}\p{C}\p{DI}]/u);
      }
    }
  });

  test("controls and non-characters, in pages and in feeds, which are XML", async () => {
    const odd = "a\0b\u0001c\ufffed\uffffe\u000bf\ud800g";
    await using relay = await startFakeRelay({
      descriptor: { mcp: "/mcp", name: odd, description: odd },
      tools: [tool("first")],
    });
    const form = new URLSearchParams({ url: relay.url }).toString();
    const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const listed = await (await app.request("/register", { method: "POST", body: form, headers })).text();
    const path = /href="(\/relays\/[^"]+)" autofocus/.exec(listed)?.[1] as string;
    relay.update({ tools: [tool("first"), tool(odd, odd)] });
    await (await app.request(`${path}/refresh`, { method: "POST", headers: { accept: "text/html" } })).text();
    const feed = await text(`${path}/feed.atom`);
    expect(feed).toContain("new tool: ");
    // Char of XML 1.0; HTML has fewer.
    expect(feed).toMatch(/^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u);
    for (const page of [await text(path), await text("/?q=%00a%01"), listed]) {
      expect(page).not.toMatch(/[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{10ffff}]/u);
    }
  });

  test("marks of direction stay within their box, and out of titles and JSON", async () => {
    const name = `safe${RIGHT_TO_LEFT}gnp.exe`;
    await catalog.list("https://turned.example/mcp", {
      descriptor: { mcp: "https://turned.example/mcp", name, description: name, tags: [name] },
      tools: [takes("turned", { type: "object", properties: { a: { default: `${RIGHT_TO_LEFT}\u2066` } } })],
    });
    const page = await text("/relays/turned.example");
    expect(page).toMatch(/<title>safegnp\.exe · /);
    expect(page).toContain("&quot;\\u202e\\u2066&quot;");
    const boxed = page.replaceAll(/<(bdi|code dir="auto")>[^<]*<\/(?:bdi|code)>/g, "");
    expect(boxed).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    const tags = await text("/");
    expect(tags.replaceAll(/<bdi>[^<]*<\/bdi>/g, "")).not.toContain(RIGHT_TO_LEFT);
  });
});

describe("a person's link is no program's mistake", () => {
  test.each([
    "/?limit=1.5",
    "/?limit=-3",
    "/?limit=1e9",
    "/?cursor=",
    "/?q[]=a&__proto__=1&q=b&q=c",
    `/?q=${"a".repeat(7_000)}`,
    `/?tag=${"a".repeat(7_000)}`,
    "/?q=%ff%fe&tag=%00",
  ])("%.40s", async (path) => {
    const response = await browse(path);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeLessThan(MAX_PAGE_CHARS);
  });

  test("a page of the docs that there is not is a page that says so, and a problem for a program", async () => {
    const site = siteDoor({
      files: async () => null,
      url: catalog.context.identity.url,
    });
    const people = refusalsForPeople(site, {
      identity: catalog.context.identity,
      programs: () => false,
      passed: () => false,
    });
    const ask = async (accept: string) =>
      people(new Request(`${catalog.context.identity.url}/docs/nope`, { headers: { accept } }));
    const page = await ask("text/html");
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("<h1>There is no such thing</h1>");
    expect((await ask("*/*")).headers.get("content-type")).toBe("application/problem+json");
  });
});
