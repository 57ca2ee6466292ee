/** The catalog as a composed whole in this process: it answers, refuses to start with a reason, and stops without losing. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import {
  createLog,
  describeCatalog,
  parseServeOptions,
  type RunningCatalog,
  type ServeFlags,
  startCatalog,
} from "../../src/server/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-server-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(flags: ServeFlags = {}, drainMs?: number): Promise<RunningCatalog> {
  const options = parseServeOptions({
    port: 0,
    db: ":memory:",
    refresh: "off",
    logLevel: "silent",
    ...flags,
  });
  return startCatalog(options, drainMs === undefined ? {} : { drainMs });
}

/** All that comes back for these bytes before the problem is whole or the socket closes. */
function spoken(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.includes("}")) socket.end();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
}

describe("a started catalog", () => {
  it("answers at every door, with a request id", async () => {
    await using catalog = await start();
    for (const path of [
      "/",
      "/v1/relays",
      "/v1/openapi.json",
      "/healthz",
      "/readyz",
      "/.well-known/openmcp.json",
    ]) {
      const response = await fetch(catalog.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("x-request-id")).toMatch(/^[\w-]+$/);
      await response.body?.cancel();
    }
    const nowhere = await fetch(`${catalog.url}/nowhere`);
    expect(nowhere.status).toBe(404);
    expect(nowhere.headers.get("content-type")).toContain("application/problem+json");
    await nowhere.body?.cancel();
  });

  it.each([
    ["no Host", "GET /v1/relays HTTP/1.1\r\n\r\n", 400],
    ["a Host that is none", "GET /v1/relays HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
    ["a Host with a port beyond ports", "GET /v1/relays HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n", 400],
    ["a Host with a user", "GET /v1/relays HTTP/1.1\r\nHost: x@127.0.0.1\r\n\r\n", 400],
    ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a method in small letters", "get /v1/relays HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400],
    ["bytes beyond ASCII in the target", "GET /v1/\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400],
    ["a length below none", "POST /v1/relays HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", 400],
    [
      "a chunk without a size",
      "POST /v1/relays HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      400,
    ],
    ["headers without end", `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", 405],
    ["an expectation nobody knows", "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: tea\r\n\r\n", 404],
  ])("what is no request of a door gets a problem document: %s", async (_name, bytes, status) => {
    await using catalog = await start();
    const answer = await spoken(catalog.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-type: application\/problem\+json\r$/im);
    const body = JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
    expect(body).toMatchObject({ status, ok: false, code: expect.any(String), error: body.detail });
    expect((await fetch(`${catalog.url}/readyz`)).status).toBe(200);
  });

  it("says who it is to relays, in looks, readings and calls", async () => {
    await using relay = await startFakeRelay({ era: "legacy", session: true, descriptor: { mcp: "/mcp" } });
    await using catalog = await start();
    const post = async (path: string, body: object) => {
      const response = await fetch(catalog.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "the caller's own" },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { ok: boolean; relay: { id: string } };
    };
    const listed = await post("/v1/relays", { url: relay.url });
    expect((await post(`/v1/relays/${listed.relay.id}/call`, { tool: "echo" })).ok).toBe(true);
    expect(relay.requests.some(({ body }) => body.includes("tools/call"))).toBe(true);
    const names = new Set(relay.requests.map(({ headers }) => headers["user-agent"]));
    expect([...names]).toEqual([`openmcp/${packageJson.version} (+${catalog.url})`]);
  });

  it("repeats a caller's plain request id and no other", async () => {
    await using catalog = await start();
    const idFor = async (given: string) => {
      const response = await fetch(`${catalog.url}/healthz`, { headers: { "x-request-id": given } });
      await response.body?.cancel();
      return response.headers.get("x-request-id");
    };
    expect(await idFor("trace-1:2")).toBe("trace-1:2");
    expect(await idFor("a b")).not.toBe("a b");
    expect(await idFor("x".repeat(101))).not.toBe("x".repeat(101));
  });

  it("refuses a flood of headers with 431 and goes on", async () => {
    await using catalog = await start();
    const { hostname, port } = new URL(catalog.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`,
    );
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.once("close", () => resolve(text));
      socket.on("error", () => {});
    });
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect((await fetch(`${catalog.url}/healthz`)).status).toBe(200);
  });

  it("finds and calls what was registered", async () => {
    await using catalog = await start();
    await using relay = await startFakeRelay();
    const registered = await post(`${catalog.url}/v1/relays`, { url: relay.url });
    expect(registered.status).toBe(201);
    const { relay: record } = (await registered.json()) as { relay: { id: string } };
    const called = await post(`${catalog.url}/v1/relays/${record.id}/call`, {
      tool: "echo",
      arguments: { text: "hi" },
    });
    expect(await called.json()).toMatchObject({ ok: true, result: { content: [{ text: '{"text":"hi"}' }] } });
  });

  it("may reach loopback only while it is itself on loopback", verifies("network.loopback"), async () => {
    await using relay = await startFakeRelay();
    await using open = await start();
    expect(open.loopbackAllowed).toBe(true);
    await using published = await start({ url: "https://catalog.example" });
    expect(published.loopbackAllowed).toBe(false);
    const response = await fetch(`${published.origin}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json", host: "catalog.example" },
      body: JSON.stringify({ url: relay.url }),
    });
    expect(response.ok).toBe(false);
    expect(relay.requests).toEqual([]);
    await response.body?.cancel();
  });

  it("says what is on, never the admin token", async () => {
    await using catalog = await start({
      adminToken: "s3cret-admin",
      allowNetwork: "10.1.0.0/16",
      refresh: "6s",
    });
    const summary = describeCatalog(catalog);
    for (const part of [`${catalog.url}/mcp`, "10.1.0.0/16", "every 6s", "in memory", "openmcp add"]) {
      expect(summary).toContain(part);
    }
    expect(describeCatalog(catalog, { command: "npm run -s openmcp --" })).toContain(
      "  npm run -s openmcp -- find ",
    );
    expect(summary).toMatch(/Admin +on/);
    expect(summary).not.toContain("s3cret-admin");
  });
});

describe("a catalog that can't start", () => {
  it("names the port that is in use, and leaves nothing open", async () => {
    await using catalog = await start();
    const port = new URL(catalog.url).port;
    await expect(start({ port })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(new RegExp(`port ${port} is in use.*--port`)),
    });
  });

  it.each([
    ["a folder that is not there", () => join(folder, "nowhere", "catalog.db")],
    ["a folder in place of a file", () => folder],
  ])("names the database: %s", async (_, path) => {
    await expect(start({ db: path() })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/database ".*" .*(folder|file)/s),
    });
  });

  it("refuses a database of a newer version, untouched", async () => {
    const path = join(folder, "newer.db");
    await (await start({ db: path })).close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 9999");
    database.close();
    await expect(start({ db: path })).rejects.toMatchObject({ code: "schema-too-new" });
  });
});

describe("a stop", () => {
  it("lets a request under way end, takes no new one, and keeps the database", async () => {
    const db = join(folder, "drain.db");
    const catalog = await start({ db });
    const called = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    await using relay = await startFakeRelay({
      async onCall() {
        called.resolve();
        await finish.promise;
        return { content: [{ type: "text", text: "late, but here" }] };
      },
    });
    const registered = await post(`${catalog.url}/v1/relays`, { url: relay.url });
    const { relay: record } = (await registered.json()) as { relay: { id: string } };
    const call = post(`${catalog.url}/v1/relays/${record.id}/call`, { tool: "echo", arguments: {} });
    await called.promise;
    const closed = catalog.close();
    expect(catalog.close()).toBe(closed);
    await expect(fetch(`${catalog.url}/healthz`)).rejects.toThrow();
    finish.resolve();
    const answer = await call;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("late, but here");
    await closed;
    // A clean stop leaves one file: the write-ahead log was merged.
    expect(existsSync(`${db}-wal`)).toBe(false);
    await using again = await start({ db });
    expect((await fetch(`${again.url}/v1/relays/${record.id}`)).status).toBe(200);
  });

  it("cuts what does not end within the drain time", async () => {
    const catalog = await start({}, 50);
    const called = Promise.withResolvers<void>();
    await using relay = await startFakeRelay({
      onCall() {
        called.resolve();
        return new Promise(() => {});
      },
    });
    const registered = await post(`${catalog.url}/v1/relays`, { url: relay.url });
    const { relay: record } = (await registered.json()) as { relay: { id: string } };
    const call = post(`${catalog.url}/v1/relays/${record.id}/call`, { tool: "echo", arguments: {} });
    const cut = expect(call).rejects.toThrow();
    await called.promise;
    await catalog.close();
    await cut;
  });
});

describe("the log", () => {
  it("hides what looks like a credential, and carries the request's id", () => {
    const lines: string[] = [];
    const log = createLog({ level: "info", human: false, write: (line) => void lines.push(line) });
    log.inRequest("r-1", () =>
      log.info({ token: "hunter2", nested: { authorization: "Bearer x" } }, "called"),
    );
    log.debug({}, "not shown");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", message: "called", requestId: "r-1" });
    expect(lines[0]).not.toMatch(/hunter2|Bearer x/);
  });

  it("is a line for a person on a terminal, without control characters", () => {
    const lines: string[] = [];
    const log = createLog({ level: "info", human: true, write: (line) => void lines.push(line) });
    log.warn({ relay: "a\u001b[31m" }, "down\u0007");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}down {2}relay=a \[31m\n$/);
  });
});

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
