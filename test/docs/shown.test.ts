/** What the pages show of answers, documents and prints is what there is: each block is made again, or has the real one's shape. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { changeLines } from "../../src/cli/format/change.ts";
import { historyText } from "../../src/cli/format/history.ts";
import { importReport } from "../../src/cli/format/import-report.ts";
import { createStyle } from "../../src/cli/terminal/style.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { server } from "../../src/kit/index.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { type HistoryOutput, type ImportJob, type RelayChange, relayId } from "../../src/spec/index.ts";
import { startFakeRelay, toolSnapshot } from "../../src/testing/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { aiCatalog, card, cardEntry, startSite } from "../discovery/site.ts";
import { type Block, blocksOf, docsPages } from "./shell-lines.ts";

const blocks = (await Promise.all((await docsPages()).map(blocksOf)))
  .flat()
  // Typed by shell.test.ts, compiled by examples.test.ts.
  .filter(({ language }) => !["sh", "cron", "ts"].includes(language));
const held = new Set<Block>();
const plain = createStyle(false);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-shown-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The one block of the page that has these words. */
function block(page: string, words: string): string {
  const found = blocks.filter((one) => one.page === `docs/${page}` && one.text.includes(words));
  expect(found).toHaveLength(1);
  for (const one of found) held.add(one);
  return found[0]?.text.trimEnd() ?? "";
}

const json = (page: string, words: string) => JSON.parse(block(page, words)) as Record<string, unknown>;

/** Each member that is shown is in the real one, down to the leaves and of the same type; `…` stands for what is left out. */
function expectShape(shown: unknown, real: unknown, path = ""): void {
  if (Array.isArray(shown)) {
    expect(real, path).toBeInstanceOf(Array);
    if (shown.length > 0 && (real as unknown[]).length > 0)
      expectShape(shown[0], (real as unknown[])[0], `${path}/0`);
  } else if (typeof shown === "object" && shown !== null) {
    expect(real, path).toBeTypeOf("object");
    for (const [key, value] of Object.entries(shown)) {
      if (key === "…") continue;
      expect(Object.keys(real as object), path).toContain(key);
      expectShape(value, (real as Record<string, unknown>)[key], `${path}/${key}`);
    }
  } else expect(typeof real, path).toBe(typeof shown);
}

const quiet = { port: 0, db: ":memory:", refresh: "off", peerSync: "off", logLevel: "silent" };

it("cli.md: an error for machines", async () => {
  const closed = await startFakeRelay();
  await closed.close();
  const catalog = new URL(closed.url).origin;
  const { code, stderr } = await runCli(["relays", "--json", "--catalog", catalog]);
  const shown = json("cli.md", "catalog-unreachable");
  expect(JSON.parse(stderr.replaceAll(catalog, "http://127.0.0.1:8790"))).toMatchObject(shown);
  expect(shown.exitCode).toBe(code);
});

it("fair-use.md: what a client is told while there is something left, and when there is not", async () => {
  const limits = JSON.stringify({ refresh: { perMinute: 60, burst: 1 } });
  await using catalog = await startCatalog(parseServeOptions({ ...quiet, limits, trustProxy: "1" }));
  const ask = () =>
    fetch(`${catalog.url}/v1/relays/none/refresh`, {
      method: "POST",
      headers: { "x-forwarded-for": "192.0.2.1" },
    });
  const first = await ask();
  for (const line of block("fair-use.md", "RateLimit-Policy").split("\n")) {
    const [name = "", value = ""] = line.split(": ");
    const form = value.replace(/"call"/, '"refresh"').replace(/\d+/g, "\\d+");
    expect(first.headers.get(name)).toMatch(new RegExp(`^${form}$`));
  }
  const second = await ask();
  expect(second.status).toBe(429);
  const real = (await second.json()) as Record<string, unknown>;
  const shown = json("fair-use.md", "urn:openmcp:error:rate-limited");
  expectShape(shown, real);
  const numberless = (text: unknown) => String(text).replace(/\d+/g, "n");
  expect(numberless(shown.detail)).toBe(numberless(real.detail));
  // Set as options by fair-use.test.ts.
  json("fair-use.md", '"perMinute": 0.5');
});

it("register.md and how-relays-are-watched.md: descriptors that conform", async () => {
  for (const text of [
    block("register.md", '"openmcp": "0.1"'),
    block("how-relays-are-watched.md", "no-index"),
  ]) {
    const at = "https://board.example/.well-known/openmcp.json";
    const { stdout } = await runCli(["lint", "-", "--at", at, "--json"], { stdin: text });
    const { documents } = JSON.parse(stdout);
    expect(documents).toMatchObject([{ conformant: true, diagnostics: [] }]);
  }
});

it("publish.md: what a catalog says of a card that it made; history.md: the badge", async () => {
  await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Board" } });
  await using catalog = await startCatalog(parseServeOptions(quiet));
  await using client = new CatalogClient(catalog.url);
  await client.register(relay.url);
  const shown = JSON.parse(`{${block("publish.md", "openmcp/listing")}}`) as { _meta: object };
  const { servers } = (await (await fetch(`${catalog.url}/v0.1/servers`)).json()) as {
    servers: { server: { _meta: object }; _meta: object }[];
  };
  const card = (await (
    await fetch(`${catalog.url}/v1/relays/${relayId(relay.url)}/server-card`)
  ).json()) as object;
  expectShape(shown, card);
  expect(servers).toHaveLength(1);
  const [, path = ""] =
    /\(https:\/\/catalog\.example(\/[^)]+)\)/.exec(block("history.md", "badge.svg")) ?? [];
  const badge = await fetch(`${catalog.url}${path.replace("board.example", relayId(relay.url))}`);
  expect([badge.status, badge.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("image/svg+xml"),
  ]);
});

it("watch-changes.md and webhooks.md: a change, in words, as JSON and as a delivery", async () => {
  await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Board" } });
  await using catalog = await startCatalog(parseServeOptions(quiet));
  await using client = new CatalogClient(catalog.url);
  await client.register(relay.url);
  let real: RelayChange | undefined;
  for await (const change of client.changes({})) real ??= change;
  const shown = json("watch-changes.md", '"seq": 41') as unknown as RelayChange;
  const { detail, ...rest } = shown;
  expectShape(rest, real);
  const told = changeLines({ ...shown, id: "1" } as RelayChange, plain).split("\n");
  const lines = block("watch-changes.md", "~ updated").split("\n");
  expect(lines[0]).toBe(told[0]);
  for (const line of lines.slice(1)) expect(told).toContain(line);
  expect(detail).toBeDefined();

  const bodies: unknown[] = [];
  const delivered = await startSite();
  delivered.serve("/", (request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      response.end();
    });
  });
  const { webhook } = await client.subscribe({ url: `${delivered.origin}/` });
  await client.testWebhook(webhook.id);
  await expect.poll(() => bodies.length).toBe(1);
  const { relay: shownRelay, ...delivery } = json("webhooks.md", '"relay.offline"');
  expectShape(delivery, bodies[0]);
  expectShape(shownRelay, real?.relay);
  await delivered[Symbol.asyncDispose]();
});

it("history.md: uptime and its strips", () => {
  const now = Date.parse("2026-09-12T12:00:00Z");
  const hour = 3_600_000;
  const at = (ago: number) => new Date(now - ago * hour).toISOString();
  const history = {
    relay: "board.example",
    uptime: { day: 1 - 1.25 / 24, week: 1 - 1.25 / 168, month: 1 - 1.25 / (0.613 * 720) },
    known: { day: 1, week: 1, month: 0.613 },
    spans: [
      { state: "online", from: at(0.613 * 720), to: at(10) },
      { state: "unreachable", from: at(10), to: at(8.75) },
      { state: "online", from: at(8.75), to: null },
    ],
    latency: { hours: [], days: [] },
    toolChanges: [],
  } as unknown as HistoryOutput;
  const [shown = ""] = historyText(history, { style: plain, width: 100, now }).split("\n\nStates");
  expect(block("history.md", "24 hours")).toBe(shown);
});

it("import.md: an import's report", () => {
  const job = {
    id: "1",
    url: "https://registry.example",
    state: "done",
    dryRun: false,
    complete: true,
    finishedAt: "2026-09-12T12:00:00Z",
    problems: [],
    report: {
      seen: 60_763,
      documents: 608,
      taken: 9_120,
      shared: 3_046,
      skipped: { "no-remote": 41_210, "not-latest": 5_102, "unresolved-template": 1_377, placeholder: 908 },
      listed: 2_410,
      known: 310,
      failed: { "auth-required": 4_812, unreachable: 940, "not-mcp": 648 },
    },
  } as unknown as ImportJob;
  const made = importReport(job, { style: plain }).split("\n");
  const shown = block("import.md", "60,763").split("\n");
  expect(shown).toHaveLength(made.length);
  for (const [at, line] of shown.entries()) {
    if (line.endsWith(", …")) expect(made[at]?.startsWith(line.slice(0, -", …".length))).toBe(true);
    else expect(made[at]).toBe(line);
  }
});

it("testing.md: a snapshot that is not met", async () => {
  const file = join(folder, "greet.tools.json");
  const greet = (input: z.ZodObject) =>
    server("greet", "1.0.0").tool("hello", { description: "Greets.", input }, () => "");
  const { CI } = process.env;
  delete process.env.CI;
  try {
    await toolSnapshot(greet(z.object({ name: z.string() })), { file });
    const failure = await toolSnapshot(greet(z.object({ name: z.string(), tone: z.string() })), {
      file,
    }).catch((error: Error) => error.message);
    const told = String(failure);
    for (const part of block("testing.md", "breaks callers").split("\n\n")) expect(told).toContain(part);
  } finally {
    if (CI !== undefined) process.env.CI = CI;
  }
});

it("discover.md: what is published where, what runs, and what contradicts", async () => {
  await using weather = await startFakeRelay({
    serverInfo: { name: "weather", version: "2.0.0" },
    tools: ["a", "b", "c", "d"].map((name) => ({ name, inputSchema: {} })),
  });
  await using news = await startFakeRelay({ token: "mine" });
  await using elsewhere = await startSite({}, { host: "127.0.0.2" });
  await using site = await startSite();
  elsewhere.serve("/weather.json", card("com.example/weather", weather.url));
  site.serve("/cards/news.json", card("com.example/news", news.url, { version: "^1.0.0" }));
  site.serve(
    "/.well-known/ai-catalog.json",
    aiCatalog([
      cardEntry("weather", `${elsewhere.origin}/weather.json`),
      cardEntry("news", "/cards/news.json"),
    ]),
  );
  const { stdout } = await runCli(["discover", site.origin]);
  const named = [
    [`${site.origin}/`, "https://example.com/"],
    [elsewhere.origin, "https://cards.example.net"],
    [weather.url, "https://mcp.example.com/mcp"],
    [news.url, "https://news.example.com/mcp"],
  ] as const;
  const made = named
    .flatMap(([is, called]) => [[is, called] as const, [new URL(is).host, new URL(called).host] as const])
    .reduce((text, [is, called]) => text.replaceAll(is, called), stdout)
    // Of one domain all three; addresses have none.
    .replace(/\n.*listed by example\.com, hosted by example\.com.*/, "");
  expect(block("discover.md", "AI Catalog, 2 entries")).toBe(made.trimEnd());
});

it("no block is left out", () => {
  expect(blocks.filter((one) => !held.has(one)).map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});
