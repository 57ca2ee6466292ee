/** The docs as a site: built from the pages, whole, and read as a person reads them: from a catalog, in a browser. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocs } from "../../build/docs.ts";
import { siteDoor } from "../../src/doors/pages/index.ts";
import { createSiteFiles } from "../../src/server/site-files.ts";
import { accessibilityFindings, launchBrowser } from "../browser/browser.ts";
import { serveFetch } from "../browser/serve-fetch.ts";

let folder: string;
let files: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-docs-"));
  await buildDocs(join(folder, "docs"));
  files = (await readdir(join(folder, "docs"), { recursive: true })).map((path) =>
    path.replaceAll("\\", "/"),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (path: string) => readFile(join(folder, "docs", path), "utf8");

describe("the built site", () => {
  it("has a page and its Markdown for each page of docs/, and for README.md and ARCHITECTURE.md", async () => {
    const sources = (await readdir(new URL("../../docs", import.meta.url), { recursive: true }))
      .filter((path) => path.endsWith(".md"))
      .map((path) => path.replaceAll("\\", "/").replace(/README\.md$/, "index.md"));
    for (const source of [...sources, "index.md", "architecture.md"]) {
      expect(files).toContain(source);
      expect(files).toContain(source.replace(/\.md$/, ".html"));
    }
  });

  it("has no title that says the product's name twice", async () => {
    expect(await read("index.html")).toContain("<title>OpenMCP</title>");
    expect(await read("webhooks.html")).toContain("<title>Webhooks · OpenMCP</title>");
  });

  it("has no link that leads nowhere, to a page or to a place on it", async () => {
    const lost: string[] = [];
    for (const page of files.filter((path) => path.endsWith(".html"))) {
      for (const [, href = ""] of (await read(page)).matchAll(/\bhref="(?!https?:|data:|mailto:)([^"]+)"/g)) {
        const [path = "", fragment] = href.replaceAll("&amp;", "&").split("#", 2);
        const to = path === "" ? page : posix.join(posix.dirname(page), path);
        const there = files.includes(to);
        const placed = !there || fragment === undefined || (await read(to)).includes(`id="${fragment}"`);
        if (!there || !placed) lost.push(`${page}: ${href}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it("lists each page for programs, by links that hold, and gives them all in one file", async () => {
    const list = await read("llms.txt");
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) expect(files).toContain(link);
    const whole = await read("llms-full.txt");
    expect(whole).toContain("# Webhooks");
    for (const [, link = ""] of whole.matchAll(/^- \[[^\]]*\]\((?!https?:)([^)#]+)/gm)) {
      expect(link).not.toMatch(/^\//);
    }
  });

  it("runs nothing and asks nobody else", async () => {
    for (const page of files.filter((path) => path.endsWith(".html"))) {
      const text = await read(page);
      expect(text).not.toMatch(/<script|<iframe|\bon\w+=|<img|style="/);
      expect(text).not.toMatch(/(?:src|rel="stylesheet" href)="https?:/);
    }
  });
});

describe("the site behind a catalog", () => {
  it("leads back to it from every page, and by itself to nothing but itself", async () => {
    const url = "http://127.0.0.1:8790";
    const site = siteDoor({ files: createSiteFiles(folder), url, name: "Cats & <dogs> $& <!--home-->" });
    const back =
      '<a class="to-catalog" href="/"><span aria-hidden="true">←</span> Cats &amp; &lt;dogs&gt; $&amp; &lt;!--home--&gt;</a>';
    for (const name of files) {
      const path = `/docs/${name.replaceAll("\\", "/")}`;
      const served = await (
        await site(new Request(`${url}${path}`, { headers: { host: "127.0.0.1:8790" } }))
      ).text();
      const alone = await readFile(join(folder, "docs", name), "utf8").catch(() => null);
      if (alone === null) continue;
      expect(alone).not.toMatch(/(?:href|src)="\//);
      if (!name.endsWith(".html")) expect(served).toBe(alone);
      else expect(served).toBe(alone.replace("<!--home-->", () => back));
      expect(served.includes(back)).toBe(name.endsWith(".html"));
    }
  });

  const ask = (path: string, init: RequestInit = {}) =>
    siteDoor({ files: createSiteFiles(folder), url: "http://127.0.0.1:8790" })(
      new Request(`http://127.0.0.1:8790${path}`, {
        ...init,
        headers: { host: "127.0.0.1:8790", ...init.headers },
      }),
    );

  it("answers with and without the ending, conditionally", async () => {
    const page = await ask("/docs/webhooks.html");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await (await ask("/docs/webhooks")).text()).toBe(await page.text());
    const etag = page.headers.get("etag") ?? "";
    expect((await ask("/docs/webhooks.html", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await ask("/docs")).headers.get("location")).toBe("/docs/");
    expect((await ask("/docs/")).status).toBe(200);
    expect((await ask("/llms.txt")).headers.get("location")).toBe("/docs/llms.txt");
    expect((await ask("/docs/webhooks.md")).headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  });

  it.each([
    "/docs/../../package.json",
    "/docs/%2e%2e/%2e%2e/package.json",
    "/docs/..%2f..%2fpackage.json",
    "/docs//etc/passwd",
    "/docs/constructor",
    "/docs/%00",
  ])("has nothing at %s", async (path) => expect((await ask(path)).status).toBe(404));

  it("takes no other method", async () => {
    const answer = await ask("/docs/", { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("the site in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  it.each(["light", "dark"] as const)("is readable by everyone, %s", async (colorScheme) => {
    await using server = await serveFetch((url) => siteDoor({ files: createSiteFiles(folder), url }));
    const context = await browser.newContext({
      colorScheme,
      bypassCSP: true,
      viewport: { width: 390, height: 800 },
    });
    const page = await context.newPage();
    for (const path of ["/docs/", "/docs/operate.html", "/docs/cli.html", "/docs/rest.html"]) {
      await page.goto(`${server.url}${path}`);
      expect(await accessibilityFindings(page)).toEqual([]);
      const sideways = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(sideways).toBeLessThanOrEqual(0);
      if (path !== "/docs/rest.html") continue;
      // What a route does is not out of sight beside it.
      const hidden = await page.evaluate<number>(
        "Math.max(0, ...[...document.querySelectorAll('.wide')].map((one) => one.scrollWidth - one.clientWidth))",
      );
      expect([path, hidden]).toEqual([path, 0]);
    }
    await context.close();
  });

  it("is gone through with the keyboard and without JavaScript", async () => {
    await using server = await serveFetch((url) => siteDoor({ files: createSiteFiles(folder), url }));
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/docs/`);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to the text");
    await page.locator("nav").getByRole("link", { name: "Webhooks" }).press("Enter");
    await page.waitForURL("**/webhooks.html");
    expect(await page.locator("h1").textContent()).toBe("Webhooks");
    await context.close();
  });
});
