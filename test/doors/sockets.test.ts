/** The doors behind a real socket: what an adapter and a rude peer make of requests. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeRelay } from "../../src/testing/index.ts";
import {
  type CatalogFixture,
  json,
  openCatalog,
  type ServedCatalog,
  serveDoors,
  tool,
} from "./catalog-fixture.ts";

let catalog: CatalogFixture;
let served: ServedCatalog;

beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.list("https://a.example/mcp");
  served = await serveDoors(catalog.context);
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

/** Sends these bytes and gives all that comes back until the other side, or the answer, ends. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  socket.end(text);
  let answer = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  await once(socket, "close");
  return answer;
}

describe("each path goes to its door", () => {
  test.each([
    ["/", "openapi"],
    ["/v1/relays/a.example", "relay"],
    ["/healthz", "relays"],
    ["/readyz", "ok"],
    ["/.well-known/openmcp.json", "catalog"],
  ])("GET %s", async (path, key) => {
    expect(await json(fetch(`${served.url}${path}`))).toHaveProperty(key);
  });

  test.each(["/v1", "/v1/", "/v2", "/mcp/x", "/.well-known/", "/.well-known/x", "/index.html", "/healthz/x"])(
    "GET %s is a problem",
    async (path) => {
      const response = await fetch(`${served.url}${path}`);
      expect([404, 405]).toContain(response.status);
      expect(await response.json()).toMatchObject(path.startsWith("/mcp") ? { error: {} } : { ok: false });
    },
  );
});

describe("rude requests", () => {
  const host = "Host: 127.0.0.1\r\nConnection: close\r\n\r\n";

  test.each([
    ["a double slash", `GET //evil.example/v1 HTTP/1.1\r\n${host}`, /^HTTP\/1.1 404/],
    ["dot segments", `GET /v1/../../etc/passwd HTTP/1.1\r\n${host}`, /^HTTP\/1.1 404/],
    [
      "an absolute target of another host",
      `GET http://evil.example/v1/relays HTTP/1.1\r\n${host}`,
      /^HTTP\/1.1 (?:400|403|404)/,
    ],
    ["no Host", "GET /v1/relays HTTP/1.1\r\nConnection: close\r\n\r\n", /^HTTP\/1.1 400/],
    [
      "another Host",
      "GET /v1/relays HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 403/,
    ],
    [
      "a Host with a path",
      "GET /v1/relays HTTP/1.1\r\nHost: evil.example/127.0.0.1\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 (?:400|403)/,
    ],
    ["a strange method", `BREW /v1/relays HTTP/1.1\r\n${host}`, /^HTTP\/1.1 (?:400|405)/],
    ["TRACE", `TRACE /v1/relays HTTP/1.1\r\n${host}`, /^HTTP\/1.1 (?:400|405)/],
    ["no HTTP", "hello\r\n\r\n", /^HTTP\/1.1 400/],
  ])("%s", async (_name, request, status) => {
    expect(await raw(request)).toMatch(status);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
  });

  test("a body without a length is stopped at the limit, not at its end", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += chunk.length;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${served.url}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit).catch(() => null);
    // Some senders see the broken connection before the answer; either way most was never taken.
    if (response !== null) expect(response.status).toBe(413);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
  });
});

test("who hangs up ends the call at the relay too", async () => {
  await using stuck = await startFakeRelay({ tools: [tool("stuck")] });
  const arrived = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<void>();
  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${served.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const { relay } = await json(post("/v1/relays", { url: stuck.url }));
  stuck.update({
    intercept(seen, response) {
      if (!seen.body.includes('"tools/call"')) return false;
      response.once("close", () => dropped.resolve());
      arrived.resolve();
      return true;
    },
  });
  const stop = new AbortController();
  const call = post(`/v1/relays/${relay.id}/call`, { tool: "stuck" }, stop.signal);
  await arrived.promise;
  stop.abort();
  await expect(call).rejects.toThrow();
  await dropped.promise;
  expect(catalog.log.filter(({ level }) => level === "error")).toEqual([]);
});
