/**
 * The directory as people have it: a running catalog with real relays, in a real browser, with script and without. What no test can
 * see is looked at: with PICTURES set it leaves pictures of every page in bench/out/directory, in three widths and both colours.
 */
import { mkdir } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../requirements.ts";
import { accessibilityFindings, launchBrowser } from "./browser.ts";
import { type DirectoryCatalog, startDirectoryCatalog } from "./directory-catalog.ts";

/** `PICTURES=1 npx vitest run test/browser/directory.test.ts`: they take longer than all the rest. */
const PICTURED = process.env.PICTURES !== undefined;
const PICTURES = new URL("../../bench/out/directory/", import.meta.url).pathname;
const MAX_PAGE_BYTES = 60_000;

let catalog: DirectoryCatalog;
let browser: Browser;
beforeAll(async () => {
  [catalog, browser] = await Promise.all([startDirectoryCatalog({ relays: 40 }), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await catalog?.[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the page, breaches of its policy, and requests that left the catalog. */
  readonly wrong: string[];
  go(path: string): Promise<void>;
}

async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 40[04]/.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${catalog.url}/`) && !url.startsWith("data:")) wrong.push(`asked ${url}`);
  });
  return {
    page,
    wrong,
    async go(path) {
      await page.goto(`${catalog.url}${path}`, { waitUntil: "load" });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const pagesOf = ({ ids }: DirectoryCatalog): Readonly<Record<string, string>> => ({
  home: "/",
  search: "/?q=convert+a+pdf",
  nothing: "/?q=zzzzqq",
  narrow: "/?online=1&auth=none",
  relay: `/relays/${ids.weather}`,
  tools: `/relays/${ids.sdk}?tool=draw_chart`,
  down: `/relays/${ids.down}`,
  gated: `/relays/${ids.gated}`,
  hostile: `/relays/${ids.hostile}`,
  register: "/register",
  status: "/status",
  peers: "/peers",
  api: "/api",
  missing: "/relays/nobody.example",
  docs: "/docs/rest.html",
  lost: "/explorer/nope",
  gone: `/relays/${ids.sdk}?tool=no_longer_there`,
  tagged: "/?tag=maps&online=1",
});

describe("with script", () => {
  it(
    "finds as one types, says why, and keeps the question in the address",
    verifies("directory.as-you-type"),
    async () => {
      await using visitor = await visit();
      const { page } = visitor;
      await visitor.go("/");
      await page.locator("#q").pressSequentially("convert a pdf");
      await page.waitForURL("**/?q=convert+a+pdf");
      await page.locator(".results .row", { hasText: "convert_pdf" }).first().waitFor();
      expect(await page.locator("#told").textContent()).toMatch(
        /^(?:\d+ tools, best first|The 12 best tools); \d+ relays\.$/,
      );
      expect(await page.locator(".why").first().textContent()).toContain("convert");
      // The field was not drawn anew: whoever types goes on typing.
      expect(
        await page
          .locator("#q")
          .evaluate(
            (field: { ownerDocument: { activeElement: unknown } }) =>
              field.ownerDocument.activeElement === field,
          ),
      ).toBe(true);
      await page.keyboard.press("Enter");
      await page.locator("#q").fill("zzzzqq");
      await page.locator(".empty").waitFor();
      expect(visitor.wrong).toEqual([]);
    },
  );

  it("says so when the catalog does not answer, and goes on when it does", async () => {
    await using visitor = await visit();
    const { page, go } = visitor;
    await go("/");
    await page.route("**/?q=*", (route) => route.abort());
    await page.locator("#q").fill("forecast");
    await page.locator("#told", { hasText: "did not answer" }).waitFor();
    await page.unroute("**/?q=*");
    await page.locator("#q").press("Enter");
    await page.locator("#told", { hasText: "best" }).waitFor();
  });

  it("moves nothing while results come in", async () => {
    await using visitor = await visit({ viewport: { width: 1280, height: 800 } });
    const { page, go } = visitor;
    await go("/");
    await page.evaluate(
      "globalThis.moved = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.moved += one.value; }).observe({ type: 'layout-shift', buffered: true })",
    );
    const before = await page.locator("#q").boundingBox();
    await page.locator("#q").fill("translate");
    await page.locator("#told", { hasText: "best" }).waitFor();
    expect(await page.locator("#q").boundingBox()).toEqual(before);
    expect(await page.evaluate<number>("globalThis.moved")).toBeLessThan(0.1);
  });

  it("copies a call", async () => {
    await using visitor = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, go } = visitor;
    await go(`/relays/${catalog.ids.sdk}`);
    await page.locator(".ways details[open] .copy").click();
    await page.locator(".ways details[open] .copy", { hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain('"tool":"draw_chart"');
  });

  it("shows the API from its own files, and no button for what it would ask of strangers", async () => {
    await using visitor = await visit();
    await visitor.go("/api");
    await visitor.page.locator(".opblock").first().waitFor();
    expect(await visitor.page.locator(".opblock").count()).toBeGreaterThan(20);
    expect(visitor.wrong).toEqual([]);
  });
});

describe("without script", () => {
  it(
    "searches, narrows, pages and opens a relay, with the keyboard alone",
    verifies("directory.no-script"),
    async () => {
      await using visitor = await visit({ javaScriptEnabled: false });
      const { page, go } = visitor;
      await go("/");
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").textContent()).toBe("Skip to the content");
      await page.locator("#q").fill("forecast");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/?q=forecast");
      await page.locator(".results h3 a").first().press("Enter");
      await page.waitForURL("**/relays/**");
      await go("/");
      await page.locator(".facets a", { hasText: "OAuth" }).press("Enter");
      await page.waitForURL("**/?auth=oauth");
      expect(await page.locator(".results .row").count()).toBeGreaterThan(0);
      await go("/");
      await page.locator("a[rel=next]").press("Enter");
      await page.waitForURL("**cursor=**");
      await page.locator("a", { hasText: "First page" }).press("Enter");
      await page.waitForURL(`${catalog.url}/`);
    },
  );

  it("registers with each step shown as it is done", verifies("directory.steps"), async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    const { page, go } = visitor;
    await go("/register");
    // It answers nothing until it is let: the first step is shown while the second is waited for.
    const held = Promise.withResolvers<void>();
    catalog.fresh.update({
      async intercept(seen) {
        if (seen.method === "POST") await held.promise;
        return false;
      },
    });
    await page.locator("#url").fill(catalog.fresh.url);
    await page.locator("#url").press("Enter");
    await page.locator(".step").first().waitFor();
    expect(await page.locator(".verdict").count()).toBe(0);
    held.resolve();
    await page.locator(".verdict.good").waitFor();
    await page.locator(".verdict a.button").press("Enter");
    await page.waitForURL("**/relays/**");
    expect(await page.locator("h1").textContent()).toBe("Newcomer");
    await page.locator("button", { hasText: "Look again now" }).press("Enter");
    await page.locator(".verdict.good", { hasText: "Online, as before" }).waitFor();
  });

  it("says what it found where nothing can be listed, and the cure", async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    const { page, go } = visitor;
    await go("/register");
    await page.locator("#url").fill("http://127.0.0.1:1/mcp");
    await page.locator("#url").press("Enter");
    await page.locator(".verdict.bad").waitFor();
    expect(await page.locator(".verdict.bad").textContent()).toContain("If you run it");
    expect(await page.locator(".step.bad").count()).toBeGreaterThan(0);
  });

  it("shows how to call whichever tool one chooses, on a phone with the keyboard", async () => {
    await using visitor = await visit({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    const { page, go } = visitor;
    await go(`/relays/${catalog.ids.sdk}`);
    const call = page.locator(".ways details[open] code");
    expect(await call.textContent()).toContain('"tool":"draw_chart"');
    const card = page.locator(".tool", { hasText: "delete_chart" });
    await card.locator("summary").first().press("Enter");
    await card.getByRole("link", { name: "How to call it" }).press("Enter");
    await page.waitForURL("**?tool=delete_chart#call");
    expect(await call.textContent()).toContain('"tool":"delete_chart"');
    const box = await page.locator("#call").boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(400);
  });

  it("leads on from a path that there is not, and back from the docs", async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    const { page, go } = visitor;
    for (const path of ["/explorer/nope", "/assets/nope", "/docs/nope", "/v1/nope", "/mcp", "/nope"]) {
      await go(path);
      expect(await page.locator("h1").count()).toBe(1);
      await page.locator("main .links a", { hasText: "Directory" }).press("Enter");
      await page.waitForURL(`${catalog.url}/`);
    }
    await go("/docs/");
    await page.getByRole("link", { name: "Example catalog" }).press("Enter");
    await page.waitForURL(`${catalog.url}/`);
  });

  it("leaves no style to script: the same page is there", async () => {
    await using visitor = await visit({ javaScriptEnabled: false });
    await visitor.go(`/relays/${catalog.ids.sdk}?tool=draw_chart`);
    const tool = visitor.page.locator(".tool details[open]").first();
    expect(await tool.textContent()).toContain('one of "bar", "line", "pie"; default "bar"');
    expect(await tool.textContent()).toContain("it only reads");
    expect(await tool.locator(".required").count()).toBeGreaterThan(0);
    expect(await visitor.page.locator('a[href^="vscode:mcp/install?"]').count()).toBe(1);
    expect(await visitor.page.locator('a[href^="cursor://"]').count()).toBe(1);
  });
});

/** Pages that no other one stands for: what is in the others is in these too. */
const KINDS = new Set([
  "search",
  "nothing",
  "tools",
  "down",
  "hostile",
  "register",
  "status",
  "peers",
  "api",
  "missing",
  "gone",
]);

describe("every page", () => {
  it("is readable by everyone in both colours, on a phone and a wide screen; nothing in it runs, asks, breaks its policy or sticks out", {
    ...verifies("directory.accessible", "directory.policy", "directory.light"),
    timeout: PICTURED ? 240_000 : 90_000,
  }, async () => {
    await mkdir(PICTURES, { recursive: true });
    await using visitor = await visit({ reducedMotion: "reduce" });
    const { page, wrong, go } = visitor;
    await page.addInitScript(
      "globalThis.breaches = []; addEventListener('securitypolicyviolation', (event) => breaches.push(event.violatedDirective + ' ' + event.blockedURI))",
    );
    for (const [name, path] of Object.entries(pagesOf(catalog))) {
      await page.emulateMedia({ colorScheme: "light" });
      await go(path);
      if (name === "api") await page.locator(".opblock").first().waitFor();
      expect(await page.title()).not.toBe("broken");
      expect([name, await page.evaluate("globalThis.breaches")]).toEqual([name, []]);
      if (["home", "search", "narrow"].includes(name)) await expectLight(page, name);
      for (const width of PICTURED ? [320, 390, 768, 1280] : [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const sideways = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([name, width, Math.max(0, sideways)]).toEqual([name, width, 0]);
        if (PICTURED && width !== 320) await picture(page, `${name}-${width}`);
      }
      if (name === "nothing") await expectTogether(page);
      if (!KINDS.has(name)) continue;
      expect([name, await accessibilityFindings(page)]).toEqual([name, []]);
      await page.emulateMedia({ colorScheme: "dark" });
      // What the second colour can change is contrast.
      expect([name, "dark", await accessibilityFindings(page, ["color-contrast"])]).toEqual([
        name,
        "dark",
        [],
      ]);
    }
    expect(wrong).toEqual([]);
  });
});

/** An answer of nothing stands where one looks for results, and not in the middle of nowhere. */
async function expectTogether(page: Page): Promise<void> {
  await page.setViewportSize({ width: 768, height: 900 });
  const [narrow, empty] = await Promise.all(
    [".narrow > summary", ".empty"].map((selector) => page.locator(selector).boundingBox()),
  );
  expect((empty?.y ?? 0) - (narrow?.y ?? 0) - (narrow?.height ?? 0)).toBeLessThan(60);
}

/** Also what the browser had already: a first visit has nothing. */
async function expectLight(page: Page, name: string): Promise<void> {
  const bytes = await page.evaluate<number>(
    "performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize ?? 0), 0)",
  );
  expect(bytes).toBeGreaterThan(30_000);
  expect([name, Math.max(bytes, MAX_PAGE_BYTES)]).toEqual([name, MAX_PAGE_BYTES]);
}

async function picture(page: Page, name: string): Promise<void> {
  const fullPage = !/^(?:api|home|search)-/.test(name);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}.png`, fullPage });
  }
  await page.emulateMedia({ colorScheme: "light" });
}
