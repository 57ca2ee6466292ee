/** The kit's Explorer in a real Chromium, on a relay of the modern era with every kind of schema and hostile texts. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../../src/kit/index.ts";
import { accessibilityFindings, launchBrowser } from "../browser/browser.ts";
import { verifies } from "../requirements.ts";
import { callTool, openAt, watchedPage } from "./explorer-page.ts";
import { strangeKit } from "./strange-server.ts";

let browser: Browser;
let on: Listening;
let url: string;

beforeAll(async () => {
  on = await strangeKit().listen();
  url = `${on.origin}/explorer/`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await on?.close();
});

describe("a tool of every kind of field", () => {
  it(
    "is filled in by hand and by JSON, in step, and sent exactly",
    verifies("explorer.forms", "explorer.exact", "explorer.eras"),
    async () => {
      const { page, wrong } = await watchedPage(browser);
      await openAt(page, url, "tools/form");
      const json = page.getByLabel("JSON", { exact: true });
      await page.getByLabel(/^Name/).fill("Ada");
      await page.getByLabel("city").fill("Bern");
      await page.getByLabel("exact").fill("12345678901234567890.10");
      await page.getByLabel("agreed").selectOption("true");
      await page.getByLabel("mon").check();
      await page.getByRole("button", { name: "Add tags" }).click();
      await page.getByRole("button", { name: "Add an item to tags" }).click();
      await page.getByLabel("Item 1", { exact: true }).fill("first");
      await page.getByRole("button", { name: "Add shape" }).click();
      await page.getByLabel("Kind of shape").selectOption({ label: "type: square" });
      await page.getByLabel("side").fill("2");
      await page
        .getByLabel("from a file")
        .setInputFiles({ name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.from("hello") });
      await expect.poll(() => json.inputValue()).toContain('"file": "aGVsbG8="');
      expect(await json.inputValue()).toContain('"exact": 12345678901234567890.10');
      // And the other way: what is written as JSON is in the form.
      const written = (await json.inputValue()).replace('"Bern"', '"Basel"');
      await json.fill(written);
      await expect.poll(() => page.getByLabel("city").inputValue()).toBe("Basel");
      await json.fill(`${written}!`);
      expect(await page.getByRole("button", { name: "Call the tool" }).isDisabled()).toBe(true);
      await json.fill(written);
      await callTool(page);
      await page.getByText("Answered").waitFor();
      await page.getByText("As text", { exact: true }).click();
      const answer = (await page.locator(".as-text pre").textContent()) ?? "";
      // What the server's own JavaScript made of the number is its word; what was sent is on the wire.
      expect(JSON.parse(answer)).toMatchObject({
        name: "Ada",
        kind: "small",
        place: { city: "Basel" },
        tags: ["first"],
        days: ["mon"],
        shape: { type: "square", side: 2 },
        agreed: true,
      });
      await page.goto(`${url}#/wire`);
      await page.locator(".frame.out", { hasText: "tools/call" }).locator("summary").first().click();
      expect(await page.locator(".frame.out pre").first().textContent()).toContain(
        '"exact": 12345678901234567890.10',
      );
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );
});

describe("results", () => {
  it(
    "are a table where they are one, and held against their schema",
    verifies("explorer.results", "explorer.verdict"),
    async () => {
      const { page } = await watchedPage(browser);
      await openAt(page, url, "tools/table");
      await callTool(page);
      await page.getByText("The result fits its output schema.").waitFor();
      expect(await page.locator("tbody tr").count()).toBe(2);
      expect(
        await page
          .locator("td a")
          .evaluateAll((links) => links.map((link) => (link as unknown as { readonly href: string }).href)),
      ).toEqual(["https://bern.example/"]);
      await page.getByRole("tab", { name: "JSON" }).click();
      expect(await page.locator(".seen pre").textContent()).toContain("structuredContent");
      await page.context().close();
    },
  );

  it(
    "of a hostile server are text, raster images and plain links",
    verifies("explorer.inert", "explorer.results", "explorer.policy"),
    async () => {
      const { page, wrong, asked } = await watchedPage(browser);
      await openAt(page, url, "tools/content");
      await callTool(page);
      await page.locator(".media img").waitFor();
      const found = await page.evaluate(`({
        images: [...document.images].map((image) => [image.src.split(":")[0], image.naturalWidth]),
        audio: document.querySelectorAll("audio").length,
        links: [...document.links].map((link) => link.protocol).filter((protocol) => !["http:", "blob:"].includes(protocol)),
        broken: "broken" in globalThis,
        wide: document.documentElement.scrollWidth > innerWidth,
        scripts: document.scripts.length,
      })`);
      expect(found).toEqual({
        images: [["blob", 1]],
        audio: 1,
        links: [],
        broken: false,
        wide: false,
        scripts: 1,
      });
      await page.getByText("Of a type that is not shown here.").waitFor();
      await page.getByRole("link", { name: "Read it" }).nth(1).click();
      await page.getByRole("button", { name: "Read", exact: true }).click();
      await page.getByText("So it is written.").waitFor();
      expect([wrong, [...asked]]).toEqual([[], [on.origin]]);
      await page.context().close();
    },
  );

  it("of a tool that failed say so", async () => {
    const { page } = await watchedPage(browser);
    await openAt(page, url, "tools/fails");
    // By the keyboard alone.
    await page.getByLabel("JSON", { exact: true }).press("Control+Enter");
    await page.getByText("The tool says that it failed").waitFor();
    await page.goto(`${url}#/history`);
    expect(await page.locator(".frame").count()).toBe(1);
    await page.context().close();
  });
});

describe("a question in the middle", () => {
  it("is answered by hand, and the call goes on", verifies("explorer.questions"), async () => {
    const { page } = await watchedPage(browser);
    await openAt(page, url, "tools/asks");
    await callTool(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Who are you?").waitFor();
    await dialog.getByLabel(/Your name/).fill("Ada");
    await dialog.getByRole("button", { name: "Send the answer" }).click();
    await page.getByText("Hello, Ada!").waitFor();
    await page.context().close();
  });
});

describe("the credential", () => {
  it("is in no storage, and masked on the wire", verifies("explorer.masked"), async () => {
    const { page } = await watchedPage(browser);
    await openAt(page, url, "server");
    await page.getByLabel("Credential", { exact: true }).fill("very-secret-value");
    await page.goto(`${url}#/tools/fails`);
    await callTool(page);
    await page.getByText("The tool says that it failed").waitFor();
    await page.goto(`${url}#/wire`);
    const frame = page.locator(".frame.out", { hasText: "tools/call" }).first();
    await frame.locator("summary").first().click();
    await frame.locator(".headers summary").click();
    expect(await frame.locator(".headers").textContent()).toContain("Bearer ••••••");
    expect(await page.content()).not.toContain("very-secret-value");
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
    );
    expect(kept).not.toContain("very-secret");
    await page.reload();
    await page.waitForSelector(".state.on");
    await page.goto(`${url}#/server`);
    expect(await page.getByLabel("Credential", { exact: true }).inputValue()).toBe("");
    await page.context().close();
  });
});

describe("for everyone", () => {
  // Build artifacts, to be looked at: bench/out is not kept in git.
  const folder = join(import.meta.dirname, "..", "..", "bench", "out", "explorer");

  for (const colorScheme of ["light", "dark"] as const) {
    it(`is readable in the ${colorScheme}, narrow and wide`, verifies("explorer.accessible"), async () => {
      await mkdir(folder, { recursive: true });
      for (const width of [390, 820, 1440]) {
        const { page, wrong } = await watchedPage(browser, {
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true,
          reducedMotion: "reduce",
        });
        await openAt(page, url, "tools/form");
        await page.getByRole("button", { name: "Add tree" }).click();
        const look = async (name: string): Promise<void> => {
          await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
          // The middle width has nothing of its own but room.
          if (width !== 820)
            expect([name, width, await accessibilityFindings(page)]).toEqual([name, width, []]);
          const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
          expect([name, width, wide]).toEqual([name, width, false]);
        };
        await look("form");
        await page.goto(`${url}#/tools/table`);
        await callTool(page);
        await page.locator("tbody").waitFor();
        await page.getByText("Copy as").click();
        await look("result");
        await page.goto(`${url}#/wire`);
        await page.locator(".frame summary").nth(1).click();
        await look("wire");
        await page.goto(`${url}#/server`);
        await look("server");
        await page.goto(`${url}#/tools/asks`);
        await callTool(page);
        await page.getByRole("dialog").waitFor();
        await look("question");
        expect(wrong).toEqual([]);
        await page.context().close();
      }
    });
  }
});
