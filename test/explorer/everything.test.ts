/** The Explorer on a real server of the older era, and on all ways that lead to one: the browser itself, a catalog, `openmcp inspect`. */
import { once } from "node:events";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../../src/kit/index.ts";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { launchBrowser } from "../browser/browser.ts";
import { spawnCli, startCli } from "../cli/run-cli.ts";
import { type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";
import { callTool, openAt, watchedPage } from "./explorer-page.ts";
import { strangeKit } from "./strange-server.ts";

const modules = join(import.meta.dirname, "..", "..", "node_modules");
const everythingScript = join(modules, "@modelcontextprotocol/server-everything/dist/index.js");

let browser: Browser;
let everything: ServerProcess;
let relay: Listening;
let catalog: RunningCatalog;

beforeAll(async () => {
  [browser, everything, relay, catalog] = await Promise.all([
    launchBrowser(),
    startProcess({
      args: () => [everythingScript, "streamableHttp"],
      env: (port) => ({ PORT: String(port) }),
    }),
    strangeKit().listen(),
    startCatalog(parseServeOptions({ port: "0", db: ":memory:", refresh: "off", logLevel: "silent" })),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([everything?.[Symbol.asyncDispose](), relay?.close(), catalog?.close()]);
});

/** How a person comes to a server, and whom the page may ask then. */
const ways = [
  {
    way: "by the browser itself",
    async start(page: Page): Promise<void> {
      await page.goto(`${catalog.url}/explorer/`);
      await page.getByLabel(/relay's id, or the URL/).fill(everything.url);
      await page.getByRole("button", { name: "Connect" }).click();
    },
    asks: () => [new URL(everything.url).origin],
  },
  {
    way: "through the catalog",
    async start(page: Page): Promise<void> {
      await page.goto(`${catalog.url}/relays/${await listed(everything.url)}`);
      await page.getByRole("link", { name: "Try it", exact: true }).click();
    },
    asks: () => [],
  },
] as const;

async function listed(url: string): Promise<string> {
  const answer = await fetch(`${catalog.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  return ((await answer.json()) as { relay: { id: string } }).relay.id;
}

describe.each(ways)("a server of the older era, spoken to $way", ({ start, asks }) => {
  it(
    "asks, reports, is stopped, read, followed and prompted",
    verifies(
      "explorer.eras",
      "explorer.questions",
      "explorer.progress",
      "explorer.resources",
      "explorer.wire",
      "explorer.catalog",
    ),
    async () => {
      const { page, wrong, asked } = await watchedPage(browser);
      await start(page);
      await page.waitForSelector(".state.on");
      const url = page.url().split("#", 1)[0];

      await page.goto(`${url}#/tools/trigger-elicitation-request`);
      await callTool(page);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/^String name/).fill("Ada Lovelace");
      await dialog.getByLabel("String with date format").fill("1815-12-10");
      await dialog.getByLabel("Piano").check();
      await dialog.getByLabel(/^Titled Single Select/).selectOption({ label: "Wonder Woman (hero-3)" });
      await dialog.getByRole("button", { name: "Send the answer" }).click();
      await page.getByText("- Name: Ada Lovelace").waitFor();
      expect(await page.locator(".result").textContent()).toContain("1815-12-10");

      await page.goto(`${url}#/tools/trigger-sampling-request`);
      await page.getByLabel(/^prompt/).fill("What is 6 times 7?");
      await callTool(page);
      await dialog.getByText(/What is 6 times 7/).waitFor();
      await dialog.getByLabel("The answer").fill("Forty-two.");
      await dialog.getByRole("button", { name: "Send the answer" }).click();
      await page.locator(".result", { hasText: "Forty-two." }).waitFor();

      await page.goto(`${url}#/tools/trigger-long-running-operation`);
      await page.getByLabel(/^duration/).fill("60");
      await page.getByLabel(/^steps/).fill("300");
      await callTool(page);
      await page.locator(".progress", { hasText: /of 300/ }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText(/^You stopped it/).waitFor();

      await page.goto(`${url}#/tools/get-tiny-image`);
      await callTool(page);
      await page.locator(".media img").waitFor();

      await page.goto(`${url}#/resources`);
      await page.locator(".pane-list li", { hasText: "template" }).first().click();
      await page.getByLabel("resourceId", { exact: true }).fill("1");
      await page.getByRole("button", { name: "Read", exact: true }).click();
      await page.locator(".result .card").waitFor();

      await page.goto(`${url}#/tools/toggle-subscriber-updates`);
      await callTool(page);
      await page.getByText("Answered").waitFor();
      await page.goto(`${url}#/resources`);
      await page.locator(".pane-list li:not(:has(.mark:text('template')))").first().click();
      await page.getByLabel("Follow it").check();
      await page.getByText(/^\d+ updates?$/).waitFor({ timeout: 15_000 });

      await page.goto(`${url}#/prompts`);
      await page
        .locator(".pane-list li", { hasText: /Arguments Prompt/i })
        .first()
        .click();
      await page.getByLabel(/^city/).fill("Bern");
      await page.getByRole("button", { name: "Get the messages" }).click();
      await page.locator(".messages li").first().waitFor();

      await page.goto(`${url}#/wire`);
      const labels = await page.locator(".frame-label").allTextContents();
      for (const label of [
        "initialize",
        "elicitation/create",
        "sampling/createMessage",
        "notifications/cancelled",
        "notifications/progress",
        "resources/subscribe",
        "result of prompts/get",
      ]) {
        expect(labels).toContain(label);
      }
      await page.goto(`${url}#/server`);
      await page.getByRole("button", { name: "Ping" }).click();
      await page.getByText(/^answered in \d+ ms$/).waitFor();
      expect(wrong).toEqual([]);
      expect([...asked].sort()).toEqual([catalog.url, ...asks()].sort());
      await page.context().close();
    },
  );
});

describe("a server", () => {
  it("that is not there, or not to be read by pages, is said to be so", async () => {
    const { page } = await watchedPage(browser);
    await page.goto(`${catalog.url}/explorer/`);
    // The relay answers, and lets no foreign page read: so does one that is down, to a browser.
    for (const url of ["http://127.0.0.1:9/mcp", `${everything.url}/nothing`]) {
      await page.getByLabel(/relay's id, or the URL/).fill(url);
      await page.getByRole("button", { name: "Connect" }).click();
      await page.getByRole("alert").waitFor();
    }
    await page.context().close();
  });
});

describe("a relay, through its catalog", () => {
  it("shows its tools in a browser that draws late", async () => {
    const { page } = await watchedPage(browser);
    await page.addInitScript(`
      const later = setTimeout;
      setTimeout = (work, ms = 0, ...rest) => later(work, ms + 500, ...rest);
      requestAnimationFrame = (work) => later(work, 500);
    `);
    await page.goto(`${catalog.url}/explorer/?relay=${await listed(relay.url)}`);
    await page.locator(".pane-list a").first().waitFor();
    await page.context().close();
  });

  it(
    "is called without CORS, and asks through it",
    verifies("explorer.catalog", "explorer.questions"),
    async () => {
      const id = await listed(relay.url);
      const { page, wrong, asked } = await watchedPage(browser);
      const url = `${catalog.url}/explorer/?relay=${id}`;
      await page.goto(`${catalog.url}/explorer?relay=${id}#/tools/asks`);
      await page.waitForSelector(".state.on");
      await callTool(page);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/Your name/).fill("Ada");
      await dialog.getByRole("button", { name: "Send the answer" }).click();
      await page.getByText("Hello, Ada!").waitFor();
      await page.goto(`${url}#/resources`);
      await page.locator(".pane-list a").first().click();
      await page.getByRole("button", { name: "Read", exact: true }).click();
      await page.getByText("So it is written.").waitFor();
      await page.goto(`${url}#/prompts`);
      await page.locator(".pane-list a").first().click();
      await page.getByRole("button", { name: "Get the messages" }).click();
      await page.locator(".messages li", { hasText: "Say hello." }).waitFor();
      await page.goto(`${url}#/tools/table`);
      await callTool(page);
      await page.getByText("The result fits its output schema.").waitFor();
      await page.getByText("Copy as").click();
      expect(await page.locator(".more pre").first().textContent()).toContain(`/v1/relays/${id}/call`);
      expect([wrong, [...asked]]).toEqual([[], [catalog.url]]);

      await page.goto(`${catalog.url}/explorer/?relay=nobody.example`);
      await page.getByRole("alert").waitFor();
      await page.context().close();
    },
  );
});

describe("openmcp inspect", () => {
  const started = async (target: readonly string[]) => {
    const child = startCli(["inspect", ...target], { env: { OPENMCP_CATALOG: catalog.url } });
    let said = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on("data", (part: Buffer) => {
        said += part;
        const found = /^(http:\S+)$/m.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${said}`)));
    });
    return { child, url };
  };
  const servers = join(import.meta.dirname, "..", "real-servers", "servers");

  it(
    "puts it in front of a command of either era, for this machine only",
    verifies("explorer.inspect"),
    async () => {
      for (const [script, era] of [
        ["stdio.ts", "legacy"],
        ["stdio2.ts", "modern"],
      ] as const) {
        const { child, url } = await started(["--", process.execPath, join(servers, script)]);
        const { page, wrong, asked } = await watchedPage(browser);
        await openAt(page, url, "tools/add");
        await page.getByLabel(/^a\b/).fill("2");
        await page.getByLabel(/^b\b/).fill("40");
        await callTool(page);
        await page.locator(".result pre", { hasText: "42" }).waitFor();
        await page.goto(`${url}#/server`);
        expect([era, await page.locator(".facts-list").textContent()]).toEqual([
          era,
          expect.stringContaining(`${era} era`),
        ]);
        expect([wrong, [...asked]]).toEqual([[], [new URL(url).origin]]);
        await page.context().close();

        const endpoint = `${url.replace(/explorer\/$/, "mcp/")}other`;
        const hello = {
          method: "POST",
          body: '{"jsonrpc":"2.0","method":"x"}',
          headers: { "content-type": "application/json" },
        };
        const status = async (to: string, headers: Record<string, string> = {}) =>
          (await fetch(to, { ...hello, headers: { ...hello.headers, ...headers } })).status;
        expect(await status(endpoint, { origin: "https://evil.example" })).toBe(403);
        expect(await status(endpoint.replace(/\/[\w-]{24}\//, "/guessed/"))).toBe(404);
        expect((await fetch(new URL("/explorer/", url))).status).toBe(404);

        child.kill("SIGINT");
        const [code] = await once(child, "exit");
        expect(code).toBe(130);
      }
    },
  );

  it(
    "in front of a URL, and of a relay with the credential that it wants",
    verifies("explorer.inspect"),
    async () => {
      const plain = await started([everything.url]);
      const before = await watchedPage(browser);
      await openAt(before.page, plain.url, "tools/echo");
      await before.page.getByLabel(/^message/).fill("through");
      await callTool(before.page);
      await before.page.getByText("Echo: through").waitFor();
      expect(before.wrong).toEqual([]);
      await before.page.context().close();
      plain.child.kill("SIGINT");
      await once(plain.child, "exit");

      await using gated = await startFakeRelay({
        token: "a-credential-of-mine",
        descriptor: { mcp: "/mcp", name: "Gated", tools: ["echo"] },
        tools: [{ name: "echo", inputSchema: { type: "object", properties: { n: { type: "number" } } } }],
      });
      await fetch(`${catalog.url}/v1/relays`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: gated.url }),
      });
      const { child, url } = await started([relayId(gated.url)]);
      const { page, wrong } = await watchedPage(browser);
      await page.goto(url);
      await page.getByText("The server wants a credential").waitFor();
      await page.getByLabel("Credential", { exact: true }).fill("a-credential-of-mine");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.waitForSelector(".state.on");
      await page.goto(`${url}#/tools/echo`);
      await page.getByLabel("n", { exact: true }).fill("7");
      await callTool(page);
      await page.getByText("Answered").waitFor();
      expect(wrong).toEqual([]);
      await page.context().close();
      child.kill("SIGINT");
      await once(child, "exit");
    },
  );

  it("ends the command with the page and with itself", verifies("explorer.inspect"), async () => {
    const script = join(servers, "stdio2.ts");
    const { child, url } = await started([
      "--",
      "sh",
      "-c",
      `echo "pid $$" >&2; exec "$0" "$1"`,
      process.execPath,
      script,
    ]);
    const pids: number[] = [];
    let said = "";
    child.stderr?.on("data", (part: Buffer) => {
      said += part;
      pids.splice(0, pids.length, ...[...said.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid)));
    });
    const { page } = await watchedPage(browser);
    await openAt(page, url);
    await expect.poll(() => pids.length).toBe(1);
    // Another page is another conversation, with a process of its own.
    await page.goto("about:blank");
    await openAt(page, url);
    await expect.poll(() => pids.length).toBe(2);
    await page.context().close();
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("says what is no command, and no relay", verifies("explorer.inspect"), async () => {
    const env = { OPENMCP_CATALOG: catalog.url };
    expect((await spawnCli(["inspect", "nobody.example"], { env })).stderr).toContain("nobody.example");
    expect((await spawnCli(["inspect", "http://"], { env })).code).not.toBe(0);
    const { child, url } = await started(["/no/such/command"]);
    let said = "";
    child.stderr?.on("data", (part: Buffer) => {
      said += part;
    });
    const { page } = await watchedPage(browser);
    await page.goto(url);
    await page.getByRole("alert").getByText("there is no such command").waitFor();
    await expect.poll(() => said).toContain("there is no such command");
    await page.context().close();
    child.kill("SIGINT");
    await once(child, "exit");
  });
});
