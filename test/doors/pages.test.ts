/** The pages as text: what they say, what they refuse, and that nothing foreign in them is more than words. Their looks are test/browser's. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { health } from "../../src/doors/pages/health.ts";
import { pagesDoor } from "../../src/doors/pages/index.ts";
import type { HistoryOutput } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
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
  await catalog.list("https://down.example/mcp", {
    online: false,
    verified: false,
    lastError: "nothing listens at https://down.example",
    probe: {
      ...(await catalog.list("https://old.example/mcp")).probe,
      state: "unreachable",
      era: null,
      latencyMs: null,
      verifiedBy: null,
    },
  });
  await catalog.list("https://evil.example/mcp", {
    descriptor: {
      mcp: "https://evil.example/mcp",
      name: HOSTILE,
      description: HOSTILE,
      url: "javascript:alert(1)",
      operator: "javascript:alert(1)",
      auth: { kind: "bearer", url: "javascript:alert(1)" },
      tags: [HOSTILE],
    },
    tools: [
      {
        name: HOSTILE,
        description: HOSTILE,
        title: HOSTILE,
        inputSchema: { type: "object", properties: { [HOSTILE]: { type: HOSTILE, default: HOSTILE } } },
      },
      ...Array.from({ length: 40 }, (_, at) => tool(`t${at}`)),
    ],
  });
  for (let at = 0; at < 59; at += 1) await catalog.list(`https://r${at}.example/mcp`);
  await catalog.index();
  app = pagesDoor({ context: catalog.context });
});

afterAll(() => catalog[Symbol.asyncDispose]());

const browse = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", ...headers } });
const text = async (path: string) => (await browse(path)).text();

const PAGES = [
  "/",
  "/?q=pdf",
  "/?q=zzzz",
  "/register",
  "/status",
  "/peers",
  "/api",
  "/relays/good.example",
  "/relays/down.example",
  "/relays/evil.example",
  "/nope",
];

describe("every page", () => {
  test.each(PAGES)("%s: a policy without anything inline, from anywhere else, or framed", async (path) => {
    const response = await browse(path);
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    // Swagger UI sets style attributes; no other page may.
    expect(policy.includes("'unsafe-inline'")).toBe(path === "/api");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    // Values are escaped: what looks like an attribute within one is none.
    expect(page.replaceAll(/"[^"]*"/g, "")).not.toMatch(/<[a-z][^>]*\s(?:on\w+|style)=/i);
    for (const [, script] of page.matchAll(/<script([^>]*)>/g)) expect(script).toMatch(/^ src="\/assets\//);
  });

  test.each(PAGES)(
    "%s: links to itself, to http(s), and to the two applications",
    verifies("directory.hostile"),
    async (path) => {
      const page = await text(path);
      for (const [, target = ""] of page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
        expect(target).toMatch(
          /^(?:\/(?!\/)|#|https?:\/\/|vscode:mcp\/install\?%7B|cursor:\/\/anysphere\.cursor-deeplink\/)/,
        );
      }
      for (const [link] of page.matchAll(/<a [^>]*href="https?:[^>]*>/g)) {
        expect(link).toContain('rel="noopener noreferrer nofollow"');
      }
      for (const [, source] of page.matchAll(/<(?:img|script|iframe|source)[^>]*\ssrc="([^"]*)"/g)) {
        expect(source).toMatch(/^\/(?!\/)/);
      }
    },
  );

  test.each(PAGES)("%s: language, title, one h1, a way past the head", async (path) => {
    const page = await text(path);
    expect(page).toContain('<html lang="en">');
    expect(page).toMatch(/<title>[^<]*Cats &amp; &lt;dogs&gt;<\/title>/);
    expect(page.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page).toContain('<a class="skip" href="#main">');
    expect(page).toContain('name="viewport"');
  });

  test.each(PAGES)("%s: nothing of a relay is markup", verifies("descriptor.untrusted"), async (path) => {
    expect(await text(path)).not.toMatch(/<script>|<img src=x/);
  });
});

describe("the directory", () => {
  test("is a search that needs no script", async () => {
    const page = await text("/");
    expect(page).toMatch(/<form class="search" action="\/" method="get" role="search">/);
    expect(page).toMatch(/<label for="q">[^<]+<\/label>/);
    expect(page).toContain("63 relays (MCP servers) listed, 62 online");
    expect(await text(`/?${new URLSearchParams({ q: HOSTILE, tag: HOSTILE })}`)).not.toContain(
      "<script>alert",
    );
  });

  test(
    "says online and verified as two facts, the unstated as unstated",
    verifies("client.two-facts", "client.absence"),
    async () => {
      const row = /relays\/down\.example[\s\S]*?credential: \w+/.exec(await text("/?q=down"))?.[0];
      expect(row).toContain("offline");
      expect(row).toContain("not verified");
      expect(row).toContain("credential: unstated");
    },
  );

  test("says why each hit is one", verifies("directory.reasons"), async () => {
    const page = await text("/?q=pdf+converter");
    expect(page).toMatch(/Because of <mark><bdi>pdf<\/bdi><\/mark> <mark><bdi>converter<\/bdi><\/mark>/);
    expect(await text("/?q=transform")).toContain("Because of words that mean the same");
    const relays = await text("/?q=good");
    expect(relays).toMatch(/<mark><bdi>good<\/bdi><\/mark> in its name/);
    expect(await text("/?q=t39")).toMatch(
      /<mark><bdi>t39<\/bdi><\/mark> in its tool <code dir="auto">t39<\/code>/,
    );
  });

  test(
    "narrows by links with how many each leaves, and takes a choice away again",
    verifies("directory.facets"),
    async () => {
      const page = await text("/");
      expect(page).toMatch(/<a href="\/\?online=1">Online<\/a><span class="count">62<\/span>/);
      expect(page).toMatch(/<a href="\/\?era=unknown">Not known<\/a><span class="count">1<\/span>/);
      const chosen = await text("/?online=1&auth=bearer");
      expect(chosen).toMatch(
        /<a href="\/\?auth=bearer" aria-current="true">Online<\/a><span class="count">1<\/span>/,
      );
      expect(chosen).toContain("1 relay.");
      expect(await text("/?era=unknown")).toContain("/relays/down.example");
    },
  );

  test("an empty answer says what to do next", async () => {
    const page = await text("/?q=zzzz");
    expect(page).toContain("Nothing found for “zzzz”");
    expect(page).toContain('href="/register"');
    await using empty = await openCatalog();
    const nobody = await (
      await pagesDoor({ context: empty.context }).request("/", { headers: { accept: "text/html" } })
    ).text();
    expect(nobody).toContain("No relay is listed yet");
  });

  test("pages by links, without skipping or doubling", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/";
    for (let pages = 0; path !== undefined && pages < 9; pages += 1) {
      const page: string = await text(path);
      seen.push(...[...page.matchAll(/<h3><a href="\/relays\/([^"]+)"/g)].map(([, id]) => id as string));
      path = /<a rel="next" href="([^"]+)">/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(seen).toHaveLength(63);
    expect(new Set(seen).size).toBe(63);
  });

  test("what narrows nothing is ignored, and a made-up cursor is an error with its status", async () => {
    expect((await browse("/?auth=nonsense&online=maybe&era=9&limit=x")).status).toBe(200);
    expect((await browse("/?cursor=made-up")).status).toBe(400);
  });

  test("answers 304", async () => {
    const etag = (await browse("/")).headers.get("etag") as string;
    expect((await browse("/", { "if-none-match": etag })).status).toBe(304);
  });
});

describe("a relay's page", () => {
  test(
    "says who says so, and what nobody states",
    verifies("client.absence", "directory.relay"),
    async () => {
      const page = await text("/relays/good.example");
      expect(page).toContain("Itself, in the descriptor of its own site");
      for (const name of ["Credential", "Operator", "Site"]) {
        expect(page).toMatch(new RegExp(`<dt>${name}</dt><dd><span class="soft">Not stated</span>`));
      }
      expect(await text("/relays/down.example")).toContain("its site vouches for nothing");
    },
  );

  test("says why it is offline, with the cure", verifies("directory.cure"), async () => {
    const page = await text("/relays/down.example");
    expect(page).toContain("Why it is offline: unreachable");
    expect(page).toContain("Nothing listens at https://down.example.");
    expect(page).toContain("If you run it: check that it is up");
    expect(await text("/relays/good.example")).not.toContain("Why it is offline");
  });

  test("shows tools in pages, and opens the one that is meant", verifies("directory.tools"), async () => {
    const first = await text("/relays/evil.example");
    expect(first.match(/<li class="tool">/g)).toHaveLength(20);
    expect(first).toContain("1 to 20 of 41");
    const meant = await text("/relays/evil.example?tool=t39");
    expect(meant).toContain("41 to 41 of 41");
    expect(meant).toMatch(/<details open>\s*<summary>\s*<span class="tool-name"><code dir="auto">t39/);
  });

  test("puts no name into a command that a shell or a reader could misread", async () => {
    const page = await text("/relays/evil.example");
    const curl = /curl http[^<]*/.exec(page)?.[0] ?? "";
    expect(curl).toContain("&quot;tool&quot;:&quot;t0&quot;");
  });

  test("says of a time of which little is known what is known, and of none that nobody looked", () => {
    const rates = (value: number | null) => ({ day: value, week: value, month: value });
    const drawn = (uptime: number | null, known: number) =>
      health(
        {
          uptime: rates(uptime),
          known: { day: known, week: known, month: known },
          spans: [],
          latency: { hours: [] },
        } as unknown as HistoryOutput,
        0,
      ).toString();
    // A minute of 30 days is no share that is worth a digit; it was a look nonetheless.
    expect(drawn(1, 0)).toContain("100 %");
    expect(drawn(1, 0)).not.toContain("nobody looked");
    expect(drawn(null, 0)).toContain("nobody looked");
  });

  test("is a 404 page for one that is not listed, with what is near", async () => {
    const response = await browse("/relays/good.exampel");
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("good.example");
  });
});

describe("registering", () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    app.request("/register", {
      method: "POST",
      body,
      headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  const form = (url: string) => new URLSearchParams({ url }).toString();

  test("lists what is found, each step told on the way", async () => {
    await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Here" } });
    const page = await (await send(form(relay.url))).text();
    expect(page.match(/<li class="step good">/g)?.length).toBeGreaterThanOrEqual(2);
    expect(page).toContain("<h3>Listed</h3>");
    expect(page).toMatch(/<a class="button strong" href="\/relays\/127\.0\.0\.1[^"]*" autofocus>/);
    expect(await (await send(form(relay.url))).text()).toContain("Listed already, and looked at again");
  });

  test("says why not, with the evidence and what to serve", async () => {
    await using relay = await startFakeRelay({
      intercept: (_seen, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<script>alert(1)</script>");
        return true;
      },
    });
    const page = await (await send(form(relay.url))).text();
    expect(page).toContain("<h3>Not listed</h3>");
    expect(page).toContain("an MCP server");
    expect(page).toContain("&quot;mcp&quot;");
    expect(page).not.toContain("<script>alert");
  });

  test("refuses a foreign page's form, another type, and what is no URL", async () => {
    expect((await send(form("https://a.example"), { origin: "https://evil.example" })).status).toBe(403);
    expect((await send(form("https://a.example"), { origin: "null" })).status).toBe(403);
    expect((await send('{"url":"x"}', { "content-type": "application/json" })).status).toBe(415);
    const wrong = await send(form("ftp://nothing"));
    expect(wrong.status).toBe(400);
    const page = await wrong.text();
    expect(page).toContain('value="ftp://nothing"');
    expect(page).toContain('aria-invalid="true"');
    expect((await send(`url=${"x".repeat(20_000)}`)).status).toBe(413);
  });

  test("draws on the budget of whoever sends it", verifies("directory.budgets"), async () => {
    const limited = pagesDoor({
      context: {
        ...catalog.context,
        clock: { now: catalog.context.clock.now, sleep: () => new Promise(() => {}) },
        budgets: {
          register: { perMinute: 1, burst: 1 },
          bulk: null,
          refresh: null,
          call: null,
          subscribe: null,
        },
      },
      clientOf: () => "somebody",
    });
    const ask = () =>
      limited.request("/register", {
        method: "POST",
        body: form("http://127.0.0.1:1/mcp"),
        headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
      });
    const first = await ask();
    expect(await first.text()).toContain("Not listed");
    expect(first.headers.get("ratelimit")).toContain("register");
    const second = await ask();
    expect(second.status).toBe(429);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await second.text()).toContain("is used up");
  });

  test("ends the look when whoever asked closes the page", async () => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await using relay = await startFakeRelay({
      descriptor: { mcp: "/mcp" },
      intercept(seen, response) {
        if (seen.method !== "POST") return false;
        response.once("close", () => ended.resolve());
        asked.resolve();
        return true;
      },
    });
    const response = await send(form(relay.url));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await asked.promise;
    await reader.cancel();
    await ended.promise;
    expect(await catalog.context.store.relays.findByEndpoint(relay.url)).toBeNull();
  });

  test("looks again at a relay, and says what it is now", async () => {
    await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "There" } });
    const id =
      /href="\/relays\/([^"]+)" autofocus/.exec(await (await send(form(relay.url))).text())?.[1] ?? "";
    const page = await (
      await app.request(`/relays/${id}/refresh`, { method: "POST", headers: { accept: "text/html" } })
    ).text();
    expect(page).toContain("<h2>Online, as before</h2>");
    const missing = await app.request("/relays/nobody.example/refresh", {
      method: "POST",
      headers: { accept: "text/html" },
    });
    expect([200, 404]).toContain(missing.status);
    expect(await missing.text()).toContain("nobody.example");
  });
});

describe("the feeds", () => {
  test("are Atom, escaped, of all changes and of one relay's", verifies("directory.feeds"), async () => {
    const response = await browse("/feed.atom");
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const feed = await response.text();
    expect(feed.match(/<entry>/g)).toHaveLength(50);
    expect(feed).toContain("<title>What changed in Cats &amp; &lt;dogs&gt;</title>");
    const one = await text("/relays/evil.example/feed.atom");
    expect(one.match(/<entry>/g)).toHaveLength(1);
    expect(one).toContain("evil.example: listed");
    expect((await browse("/relays/nobody.example/feed.atom")).status).toBe(404);
    expect(await text("/robots.txt")).toContain("Disallow: /v1/");
  });

  test("keep the last word on a relay that is gone", async () => {
    await catalog.list("https://gone.example/mcp");
    await catalog.context.store.relays.remove(
      "gone.example",
      { id: "removed-1" },
      catalog.context.clock.now(),
    );
    const feed = await text("/relays/gone.example/feed.atom");
    expect(feed).toContain("gone.example: removed");
    expect((await browse("/relays/gone.example")).status).toBe(404);
  });
});

describe("/ for a program", () => {
  test.each([["*/*"], ["application/json"], [undefined]])("is JSON with Accept: %s", async (accept) => {
    const { relays, online } = await catalog.context.store.relays.counts();
    const response = await app.request("/", { headers: accept === undefined ? {} : { accept } });
    expect(await response.json()).toEqual({
      ok: true,
      name: "Cats & <dogs>",
      description: "A catalog for tests.",
      version: "0.1.0",
      relays,
      online,
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
      ["/relays/good.example", { method: "DELETE" }, 405],
      ["/relays/good.example/refresh", {}, 405],
      ["/nope", {}, 404],
      ["/", { headers: { host: "evil.example" } }, 403],
    ] as const) {
      const response = await app.request(path, init);
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  });
});
