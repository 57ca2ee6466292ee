/** A path that there is not: whoever reads pages gets one with a way on, whichever door the path is behind; a program its problem. */
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { verifies } from "../requirements.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/** What java.net.HttpURLConnection says of itself, and means anything by. */
const LIBRARY = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";

/** Of every door, and spelled as nobody means it. */
const PAGES = [
  "/nope",
  "/relays",
  "/relays/",
  "/relays/nope.example",
  "/relays/nope.example/more",
  "/relays/%E0%A4%A",
  "/%zz",
  "/docs/nope",
  "/docs/%zz",
  "/docs/..%2f..%2fpackage.json",
  "/assets",
  "/assets/",
  "/assets/nope",
  "/assets/nope.css",
  "/explorer/nope",
  "/explorer/assets/nope.js",
  "/llms.txt/nope",
  "/feed.atom/nope",
  "/status/",
] as const;
const PROGRAMS = [
  "/v1",
  "/v1/nope",
  "/v1/relays/nope.example",
  "/v1/relays?limit=nope",
  "/v0.1/nope",
  "/.well-known/nope",
  "/healthz/nope",
  "/mcp",
  "/mcp/nope",
  "/metrics/nope",
] as const;

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await startCatalog(
    parseServeOptions({ port: 0, db: ":memory:", refresh: "off", logLevel: "silent", name: "Lost & found" }),
  );
});
afterAll(() => catalog.close());

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The path as it is written: `fetch` would mend it. */
function ask(path: string, headers: Record<string, string>, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(catalog.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      const type = answer.headers["content-type"] ?? "";
      resolve({ status: answer.statusCode ?? 0, type, body: Buffer.concat(parts).toString() });
    });
    sent.on("error", reject);
    sent.end();
  });
}

function expectPage({ status, type, body }: Answer, expected = 404): void {
  expect([status, type]).toEqual([expected, "text/html; charset=utf-8"]);
  expect(body).toContain(`<p class="eyebrow">${expected}</p>`);
  for (const way of ['action="/"', 'href="/"', 'href="/explorer"', 'href="/docs/"'])
    expect(body).toContain(way);
}

function expectProblem({ status, type, body }: Answer): void {
  expect(type).toBe("application/problem+json");
  expect(JSON.parse(body)).toMatchObject({ status, ok: false });
}

describe("a path that there is not", verifies("directory.refusals"), () => {
  it.each(PAGES)("%s: a page for people, a problem for programs", async (path) => {
    expectPage(await ask(path, { accept: BROWSER, "sec-fetch-mode": "navigate" }));
    // Without what newer browsers say, too.
    expectPage(await ask(path, { accept: BROWSER }));
    const head = await ask(path, { accept: BROWSER }, "HEAD");
    expect([head.status, head.type, head.body]).toEqual([404, "text/html; charset=utf-8", ""]);
    for (const accept of ["*/*", "application/json"]) expectProblem(await ask(path, { accept }));
    expectProblem(await ask(path, {}));
  });

  it.each(PROGRAMS)("%s: a page for a browser that was led there alone", async (path) => {
    const led = await ask(path, { accept: BROWSER, "sec-fetch-mode": "navigate" });
    expectPage(led, led.status);
    expect(led.status).toBeGreaterThanOrEqual(400);
    const head = await ask(path, { accept: BROWSER, "sec-fetch-mode": "navigate" }, "HEAD");
    expect([head.status, head.type, head.body]).toEqual([led.status, led.type, ""]);
    for (const accept of [BROWSER, LIBRARY, "*/*"]) {
      const answer = await ask(path, { accept });
      if (path.startsWith("/mcp")) expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: "2.0" });
      else expectProblem(answer);
    }
  });

  it("says a refused method as a page as well", async () => {
    for (const path of ["/explorer/", "/docs/", "/status", "/relays/x/refresh"]) {
      const method = path.endsWith("refresh") ? "GET" : "POST";
      expectPage(await ask(path, { accept: BROWSER }, method), 405);
    }
  });

  it("leaves what there is as it is", async () => {
    const led = { accept: BROWSER, "sec-fetch-mode": "navigate" };
    for (const [path, type] of [
      ["/v1/relays", "application/json"],
      ["/healthz", "application/json"],
      ["/.well-known/openmcp.json", "application/json"],
      ["/robots.txt", "text/plain"],
    ] as const) {
      const answer = await ask(path, led);
      expect([answer.status, answer.type.split(";")[0]]).toEqual([200, type]);
    }
  });
});
