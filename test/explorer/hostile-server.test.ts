/** Servers that answer what no server should, and tools that not everybody may see, in a real Chromium: the page stays a person's. */
import { McpServer } from "@modelcontextprotocol/server";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, visibleTo } from "../../src/kit/index.ts";
import { launchBrowser } from "../browser/browser.ts";
import { serveFetch } from "../browser/serve-fetch.ts";
import { verifies } from "../requirements.ts";
import { callTool, openAt, watchedPage } from "./explorer-page.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const rpc = (id: unknown, body: string) =>
  new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`, {
    headers: { "content-type": "application/json" },
  });

const LEVELS = 3_000;
const results: Readonly<Record<string, string>> = {
  deep: `"result":{"content":[],"structuredContent":${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}}`,
  big: `"result":{"content":[{"type":"text","text":"${"x".repeat(10_000_000)}"}]}`,
};

describe("a server whose answers are too much", () => {
  it("is shown as far as a browser draws, and the page goes on", verifies("explorer.inert"), async () => {
    // The page and the server are one origin here.
    const kit = serve({ server: () => new McpServer({ name: "n", version: "1" }) });
    await using server = await serveFetch(() => async (request) => {
      if (!request.url.endsWith("/mcp")) return kit.fetch(request);
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method, params } = (await request.json()) as {
        id?: unknown;
        method: string;
        params?: { name?: string };
      };
      if (id === undefined) return new Response(null, { status: 202 });
      if (method === "initialize")
        return rpc(
          id,
          '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"safe\u202egnp","version":"1"}}',
        );
      if (method === "tools/list")
        return rpc(
          id,
          '"result":{"tools":[{"name":"deep","inputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","required":["a","b","c","d","e"],"properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/a"},"d":{"$ref":"#/$defs/a"},"e":{"$ref":"#/$defs/a"}}}}}},{"name":"big","inputSchema":7,"outputSchema":[],"annotations":"x","title":9}]}',
        );
      const result = method === "tools/call" ? results[params?.name ?? ""] : undefined;
      return rpc(id, result ?? '"error":{"code":-32601,"message":"no"}');
    });
    const { page, wrong } = await watchedPage(browser);
    for (const name of ["deep", "big"]) {
      await openAt(page, `${server.url}/explorer/`, `tools/${name}`);
      await expect.poll(() => page.title()).toBe(`${name} · safegnp`);
      await callTool(page);
      await page.getByText("Answered").waitFor();
      for (const tab of ["Tree", "JSON"]) await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByText("The first 200.0 kB of").waitFor();
      expect(await page.evaluate<number>("document.body.textContent.length")).toBeLessThan(250_000);
    }
    expect(wrong).toEqual([]);
    await page.context().close();
    await kit.close();
  });

  it("or no MCP at all is said to be none", async () => {
    const kit = serve({ server: () => new McpServer({ name: "n", version: "1" }) });
    const answers = ["[[[1]]]", "<script>alert(1)</script>", "\0\u0001", `${"[".repeat(50_000)}`];
    let at = 0;
    await using server = await serveFetch(() => (request) => {
      if (!request.url.endsWith("/mcp")) return kit.fetch(request);
      const headers = { "content-type": at % 2 === 0 ? "application/json" : "text/html" };
      return new Response(answers[at] ?? "", { headers });
    });
    const { page, wrong } = await watchedPage(browser);
    for (at = 0; at < answers.length; at += 1) {
      await page.goto(`${server.url}/explorer/?${at}`);
      await page.getByText("Something answers, and not as an MCP server does.").waitFor();
    }
    expect(wrong).toEqual([]);
    await page.context().close();
    await kit.close();
  });
});

describe("a relay with users", () => {
  it(
    "shows each of them their tools, nobody without a credential any, and keeps the credential nowhere",
    verifies("explorer.kit", "explorer.masked"),
    async () => {
      await using on = await serve<{ readonly id: string }>({
        server() {
          const mcp = new McpServer({ name: "notes", version: "1.0.0" });
          mcp.registerTool("add", {}, () => ({ content: [] }));
          visibleTo(
            mcp.registerTool("wipe", {}, () => ({ content: [] })),
            (user: { readonly id: string }) => user.id === "ada",
          );
          return mcp;
        },
        authenticate(request) {
          const [, id] =
            /^Bearer (ada|bob)-credential$/.exec(request.headers.get("authorization") ?? "") ?? [];
          return id === undefined ? new Response(null, { status: 401 }) : { id };
        },
        description: { name: "notes", version: "1.0.0" },
      }).listen();
      const { page, wrong } = await watchedPage(browser);
      await page.goto(`${on.origin}/explorer/`);
      await page.getByText("The server wants a credential").waitFor();
      expect(await page.content()).not.toMatch(/wipe|"add"/);
      const as = async (name: string): Promise<readonly string[]> => {
        await page.goto(`${on.origin}/explorer/?${name}`);
        await page.getByLabel("Credential", { exact: true }).fill(`${name}-credential`);
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator("main li a").first().waitFor();
        return page.locator("main li a strong, main li a .name").allTextContents();
      };
      const bob = await as("bob");
      expect([bob.includes("add"), bob.includes("wipe")]).toEqual([true, false]);
      expect(await as("ada")).toContain("wipe");
      await page.goto(`${page.url().split("#")[0]}#/wire`);
      await page.locator("ol.frames").waitFor();
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await page.locator(".frame-body .headers").first().waitFor();
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect(await page.content()).toContain("Bearer ••••••");
      const kept = await page.evaluate<string>(
        "JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])",
      );
      expect(kept).not.toContain("ada-credential");
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );
});
