import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import type { ErrorCode } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { ADMIN_TOKEN, type CatalogFixture, json, openCatalog, tool } from "./catalog-fixture.ts";

let catalog: CatalogFixture;
let relay: FakeRelay;
let app: Hono;

beforeAll(async () => {
  catalog = await openCatalog();
  relay = await startFakeRelay({
    descriptor: { mcp: "/mcp", name: "Paper", tags: ["pdf"] },
    tools: [
      tool("pdf_to_text", "Convert a PDF to plain text."),
      { ...tool("typed"), outputSchema: { type: "object" } },
      tool("fails"),
    ],
    onCall: (name, args) => ({
      content: [{ type: "text", text: JSON.stringify(args) }],
      ...(name === "fails" ? { isError: true } : { structuredContent: { name, args } }),
      "x-unknown": { kept: [1, null] },
    }),
  });
  app = restDoor({ context: catalog.context, adminToken: ADMIN_TOKEN });
  await catalog.list("https://offline.example/mcp", {
    online: false,
    verified: false,
    tools: [tool("gone")],
  });
});

afterAll(async () => {
  await relay.close();
  await catalog[Symbol.asyncDispose]();
});

const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return app.request(path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: sent }),
  });
}

async function expectProblem(response: Response, code: ErrorCode, status: number) {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const body = JSON.parse(text);
  expect(body).toMatchObject({ code, status, ok: false });
  for (const key of ["type", "title", "detail", "error"]) expect(body[key]).toEqual(expect.any(String));
  expect(body.error).toBe(body.detail);
  return body;
}

const id = () => relay.origin.replace("http://", "").replace(":", "-");

describe("registering and reading", () => {
  test(
    "POST /v1/relays: 201 the first time, 200 from then on",
    verifies("rest.register", "rest.envelope"),
    async () => {
      const first = await send("POST", "/v1/relays", { url: relay.url });
      expect(first.status).toBe(201);
      const body = await json(first);
      expect(body).toMatchObject({ ok: true, relay: { id: id(), online: true, verified: true } });
      expect(body).toMatchObject({ event: "relay.registered", events: ["relay.registered"] });
      expect(body).not.toHaveProperty("created");
      expect(first.headers.get("location")).toBe(`http://127.0.0.1:8790/v1/relays/${id()}`);
      const second = await send("POST", "/v1/relays", { url: relay.origin });
      expect(second.status).toBe(200);
      expect(await json(second)).toMatchObject({ ok: true, relay: { id: id() }, event: null, events: [] });
      await catalog.index();
    },
  );

  test(
    "the record, its tools, and lists give the stored JSON with ok",
    verifies("rest.get", "rest.envelope"),
    async () => {
      const one = await json(app.request(`/v1/relays/${id()}`));
      expect(one).toMatchObject({ ok: true, relay: { id: id(), descriptor: { name: "Paper" } } });
      const tools = await json(app.request(`/v1/relays/${id()}/tools`));
      expect(tools).toMatchObject({ ok: true, relay: id(), online: true });
      expect(tools.tools).toEqual(one.relay.tools);
      const list = await json(app.request("/v1/relays?limit=1"));
      expect(list).toMatchObject({ ok: true, total: 2, nextCursor: expect.any(String) });
      const rest = await json(app.request(`/v1/relays?cursor=${encodeURIComponent(list.nextCursor)}`));
      expect([...list.relays, ...rest.relays].map((relay: { id: string }) => relay.id).sort()).toEqual(
        [id(), "offline.example"].sort(),
      );
      expect(rest.nextCursor).toBeNull();
    },
  );

  test.each([
    ["online=1", 1],
    ["online=true", 1],
    ["online=0", 1],
    ["online=false", 1],
    ["verified=0", 1],
    ["tag=PDF", 1],
    ["q=paper", 1],
    ["q=&tag=&online=&limit=&cursor=&auth=", 2],
    ["auth=unknown", 2],
    ["utm_source=x&page=7&limit=5", 2],
  ])("GET /v1/relays?%s finds %i", verifies("rest.list"), async (query, total) => {
    const response = await app.request(`/v1/relays?${query}`);
    expect(await json(response)).toMatchObject({ ok: true, total });
  });

  test("a limit of 500 is the most, and works", async () => {
    expect((await app.request("/v1/relays?limit=500")).status).toBe(200);
  });

  test(
    "GET /v1/tools finds by words, online ones only unless online=0",
    verifies("rest.find", "rest.find-online"),
    async () => {
      const found = await json(app.request("/v1/tools?q=convert+pdf&limit=1"));
      expect(found).toMatchObject({
        ok: true,
        tools: [{ relay: id(), name: "pdf_to_text", auth: "unknown" }],
      });
      const gone = async (query: string) => (await json(app.request(`/v1/tools?${query}`))).tools;
      expect(await gone("q=gone")).toEqual([]);
      expect(await gone("q=gone&online=0")).toMatchObject([{ relay: "offline.example", online: false }]);
    },
  );

  test(
    "reads carry ETag and Cache-Control and answer 304, HEAD works, any origin may read",
    verifies("rest.conditional", "rest.cors"),
    async () => {
      for (const path of [
        "/v1/relays",
        `/v1/relays/${id()}`,
        `/v1/relays/${id()}/tools`,
        "/v1/tools?q=pdf",
        "/v1/openapi.json",
      ]) {
        const whole = await app.request(path, { headers: { origin: "https://elsewhere.example" } });
        expect(whole.status, path).toBe(200);
        const etag = whole.headers.get("etag") as string;
        expect(etag).toMatch(/^"/);
        expect(whole.headers.get("cache-control")).not.toBeNull();
        expect(whole.headers.get("access-control-allow-origin")).toBe("*");
        const again = await app.request(path, { headers: { "if-none-match": `"other", W/${etag}` } });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(etag);
        const head = await app.request(path, { method: "HEAD" });
        expect(head.status).toBe(200);
        expect(await head.text()).toBe("");
        expect(head.headers.get("etag")).toBe(etag);
      }
    },
  );

  test("POST …/refresh looks again and answers the record", verifies("rest.refresh"), async () => {
    const response = await send("POST", `/v1/relays/${id()}/refresh`);
    expect(response.status).toBe(200);
    expect(await json(response)).toMatchObject({ ok: true, relay: { id: id() }, event: null, events: [] });
  });

  test("what can't be listed is 422 with the evidence", verifies("rest.register-refused"), async () => {
    await using nothing = await startFakeRelay({
      intercept(_seen, response) {
        response.writeHead(404).end("no");
        return true;
      },
    });
    const body = await expectProblem(
      await send("POST", "/v1/relays", { url: nothing.url }),
      "not-listed",
      422,
    );
    expect(body.probe).toMatchObject({ state: "not-mcp", steps: expect.any(Array) });
  });
});

describe("bulk", () => {
  test.each([
    ["JSON", { urls: ["https://a.example/mcp", "ftp://b.example"] }, "application/json"],
    ["lines", "# mine\r\nhttps://a.example/mcp\n\n  ftp://b.example \n", "text/plain; charset=utf-8"],
  ])("takes %s, answers a job to poll", async (_form, body, type) => {
    const response = await send("POST", "/v1/relays/bulk", body, { "content-type": type });
    expect(response.status).toBe(202);
    const taken = await json(response);
    expect(taken).toMatchObject({
      ok: true,
      job: expect.any(String),
      rejected: [{ url: "ftp://b.example" }],
    });
    expect(taken.poll).toBe(`http://127.0.0.1:8790/v1/relays/bulk/${taken.job}`);
    expect(response.headers.get("location")).toBe(taken.poll);
    const job = await json(app.request(new URL(taken.poll).pathname));
    expect(job).toMatchObject({
      ok: true,
      job: { id: taken.job, total: 1, done: 0, finishedAt: null, results: [] },
    });
  });

  test("an unknown job is 404", async () => {
    await expectProblem(await app.request("/v1/relays/bulk/nope"), "not-found", 404);
  });

  test("more than 1,000 at once are refused", async () => {
    const urls = Array.from({ length: 1001 }, (_, at) => `https://r${at}.example/mcp`);
    expect(
      await expectProblem(await send("POST", "/v1/relays/bulk", { urls }), "invalid-input", 400),
    ).toMatchObject({
      field: "urls",
    });
  });
});

describe("calling", () => {
  test("…/call gives the whole result, unknown keys too", verifies("rest.call"), async () => {
    const response = await send("POST", `/v1/relays/${id()}/call`, {
      tool: "pdf_to_text",
      arguments: { a: 1 },
    });
    expect(response.status).toBe(200);
    const body = await json(response);
    expect(body).toMatchObject({ ok: true, relay: id(), tool: "pdf_to_text" });
    expect(body.result["x-unknown"]).toEqual({ kept: [1, null] });
    expect(Object.keys(body).sort()).toEqual(["ok", "relay", "result", "tool"]);
  });

  test("a tool's own failure is an answer: ok is false, the result whole", async () => {
    const response = await send("POST", `/v1/relays/${id()}/call`, { tool: "fails" });
    expect(response.status).toBe(200);
    expect(await json(response)).toMatchObject({ ok: false, result: { isError: true, "x-unknown": {} } });
  });

  test(
    "…/tools/:tool is bare: structured content where the tool declares it, else the whole result",
    verifies("rest.call-bare"),
    async () => {
      const typed = await send("POST", `/v1/relays/${id()}/tools/typed`, { a: [1] });
      expect(await json(typed)).toEqual({ name: "typed", args: { a: [1] } });
      const untyped = await send("POST", `/v1/relays/${id()}/tools/pdf_to_text`);
      expect(await json(untyped)).toMatchObject({ content: [{ text: "{}" }], "x-unknown": {} });
      const failed = await send("POST", `/v1/relays/${id()}/tools/fails`, {});
      expect(await expectProblem(failed, "tool-error", 422)).toMatchObject({ result: { isError: true } });
    },
  );

  test("the credential reaches the relay from body or header, and no answer repeats it", async () => {
    relay.update({ token: "s3cret" });
    try {
      const path = `/v1/relays/${id()}/call`;
      const refused = await send("POST", path, { tool: "typed", token: "wr0ng" });
      expect(JSON.stringify(await expectProblem(refused, "relay-refused", 502))).not.toContain("wr0ng");
      const inBody = await send("POST", path, { tool: "typed", token: "s3cret" });
      const inHeader = await send(
        "POST",
        path,
        { tool: "typed" },
        { "x-relay-authorization": "Bearer s3cret" },
      );
      const bare = await send(
        "POST",
        `/v1/relays/${id()}/tools/typed`,
        {},
        { "x-relay-authorization": "bearer s3cret" },
      );
      for (const response of [inBody, inHeader, bare]) {
        expect(response.status).toBe(200);
        expect(await response.text()).not.toContain("s3cret");
      }
      const before = relay.requests.length;
      for (const header of ["s3cret", "Basic s3cret", "Bearer", "Bearer s3cret twice"]) {
        const odd = await send("POST", path, { tool: "typed" }, { "x-relay-authorization": header });
        const body = await expectProblem(odd, "invalid-input", 400);
        expect(body.field).toBe("X-Relay-Authorization");
        expect(JSON.stringify(body)).not.toContain("s3cret");
      }
      expect(relay.requests.length).toBe(before);
      expect(JSON.stringify(catalog.log)).not.toMatch(/s3cret|wr0ng/);
    } finally {
      relay.update({ token: undefined } as never);
    }
  });

  test("the caller's own headers don't go upstream", verifies("call.headers-afresh"), async () => {
    const before = relay.requests.length;
    const headers = { authorization: "Bearer mine", cookie: "a=b", "x-forwarded-for": "1.2.3.4" };
    await send("POST", `/v1/relays/${id()}/call`, { tool: "typed" }, headers);
    const seen = relay.requests.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    for (const { headers: sent } of seen) {
      expect(sent).not.toHaveProperty("authorization");
      expect(sent).not.toHaveProperty("cookie");
      expect(sent).not.toHaveProperty("x-forwarded-for");
    }
  });

  test("a relay that is down is 502", verifies("rest.call-errors"), async () => {
    await catalog.list("http://127.0.0.1:9/mcp", { id: "down.example" });
    const response = await send("POST", "/v1/relays/down.example/call", { tool: "echo" });
    expect([502, 422]).toContain(response.status);
    await catalog.context.store.relays.remove("down.example", { id: crypto.randomUUID() }, 0);
  });
});

describe("the admin", () => {
  test("DELETE wants the credential, and says so", verifies("rest.remove"), async () => {
    await catalog.list("https://doomed.example/mcp");
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: ADMIN_TOKEN }]) {
      const response = await send(
        "DELETE",
        "/v1/relays/doomed.example",
        undefined,
        headers as Record<string, string>,
      );
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      await expectProblem(response, "unauthorized", 401);
    }
    const removed = await send("DELETE", "/v1/relays/doomed.example", undefined, admin);
    expect(await json(removed)).toEqual({ ok: true, removed: "doomed.example" });
    await expectProblem(
      await send("DELETE", "/v1/relays/doomed.example", undefined, admin),
      "not-found",
      404,
    );
  });

  test(
    "without a configured token nobody can, and the answer names the option",
    verifies("rest.admin"),
    async () => {
      const closed = restDoor({ context: catalog.context, adminToken: null });
      const response = await closed.request("/v1/relays/offline.example", {
        method: "DELETE",
        headers: admin,
      });
      expect((await expectProblem(response, "unauthorized", 401)).detail).toContain("--admin-token");
      expect((await app.request("/v1/relays/offline.example")).status).toBe(200);
    },
  );
});

describe("requests that are wrong", () => {
  test.each([
    ["/v1/relays?limit=abc", "limit"],
    ["/v1/relays?limit=-1", "limit"],
    ["/v1/relays?limit=0", "limit"],
    ["/v1/relays?limit=501", "limit"],
    ["/v1/relays?limit=1.5", "limit"],
    ["/v1/relays?limit=1e2", "limit"],
    ["/v1/relays?limit=0x10", "limit"],
    ["/v1/relays?limit=1&limit=2", "limit"],
    ["/v1/relays?online=maybe", "online"],
    ["/v1/relays?online=2", "online"],
    ["/v1/relays?verified=yes", "verified"],
    ["/v1/relays?auth=magic", "auth"],
    ["/v1/relays?cursor=made-up", "cursor"],
    ["/v1/tools", "q"],
    ["/v1/tools?q=", "q"],
    ["/v1/tools?q=%20", "q"],
    ["/v1/tools?q=x&limit=101", "limit"],
    ["/v1/tools?q=x&maxTokens=many", "maxTokens"],
    ["/v1/tools?q=x&online=si", "online"],
  ])("GET %s names %s", verifies("rest.bad-input"), async (path, field) => {
    const body = await expectProblem(await app.request(path), "invalid-input", 400);
    expect(body.field).toBe(field);
    expect(body.detail).toContain(field);
  });

  test.each([
    ["not JSON", "{", 400, "invalid-input"],
    ["not an object", "[1]", 400, "invalid-input"],
    ["null", "null", 400, "invalid-input"],
    ["no url", "{}", 400, "invalid-input"],
    ["a number", '{"url":1}', 400, "invalid-input"],
    ["no URL", '{"url":"::"}', 400, "invalid-input"],
    ["nothing", "", 400, "invalid-input"],
    ["deep", `{"url":${"[".repeat(100_000)}`, 400, "invalid-input"],
    ["big", `"${"x".repeat(5 * 1024 * 1024)}"`, 413, "too-large"],
  ])(
    "POST /v1/relays with %s",
    verifies("rest.bad-input", "rest.too-large"),
    async (_name, body, status, code) => {
      await expectProblem(await send("POST", "/v1/relays", body), code as ErrorCode, status);
    },
  );

  test("a body of another type is 415", async () => {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    await expectProblem(await send("POST", "/v1/relays", "url=x", type), "unsupported-media-type", 415);
  });

  test.each([
    ["PUT", "/v1/relays", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/v1/relays", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/v1/relays/x", "GET, HEAD, DELETE, OPTIONS"],
    ["GET", "/v1/relays/x/call", "POST, OPTIONS"],
    ["HEAD", "/v1/relays/x/call", "POST, OPTIONS"],
    ["POST", "/v1/tools", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/openapi.json", "GET, HEAD, OPTIONS"],
    ["POST", "/healthz", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 and allows %s", verifies("rest.unknown-route"), async (method, path, allow) => {
    const response = await app.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    if (method !== "HEAD") await expectProblem(response, "method-not-allowed", 405);
  });

  test.each([
    "/v1",
    "/v1/",
    "/v1/relays/",
    "/v1/nope",
    "/v2/relays",
    "/v1/relays/x/nope",
    "/v1/relays/a/b/c",
  ])("GET %s is 404", verifies("rest.unknown-route"), async (path) => {
    await expectProblem(await app.request(path), "not-found", 404);
  });

  test("OPTIONS answers 204; pages of other origins are told of reads only", async () => {
    const reads = await app.request("/v1/relays", { method: "OPTIONS" });
    expect(reads.status).toBe(204);
    expect(reads.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(reads.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    const writes = await app.request("/v1/relays/x/call", { method: "OPTIONS" });
    expect(writes.status).toBe(204);
    expect(writes.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a page of a foreign origin can't write, not even by a request that needs no preflight", async () => {
    const before = (await json(app.request("/v1/relays"))).total;
    const origin = { origin: "https://evil.example", "content-type": "text/plain" };
    await expectProblem(await send("POST", "/v1/relays/bulk", "https://a.example", origin), "forbidden", 403);
    await expectProblem(
      await send("POST", `/v1/relays/${id()}/refresh`, undefined, origin),
      "forbidden",
      403,
    );
    expect((await json(app.request("/v1/relays"))).total).toBe(before);
  });

  test("a name that is not ours gets nothing but health", async () => {
    const headers = { host: "rebound.example" };
    await expectProblem(await app.request("/v1/relays", { headers }), "forbidden", 403);
    await expectProblem(await app.request("/v1/openapi.json", { headers }), "forbidden", 403);
    await expectProblem(await app.request("/v1/nope", { headers }), "forbidden", 403);
    expect((await app.request("/healthz", { headers })).status).toBe(200);
  });

  test.each([
    "%",
    "%zz",
    "%E0%A4%A",
    "%00",
    "..%2f..%2fetc",
    "%2e%2e",
    "%F0%9F%92%A9",
    "a".repeat(5000),
    "__proto__",
    "%3Cscript%3E",
  ])("the id %s is safe", async (odd) => {
    for (const path of [`/v1/relays/${odd}`, `/v1/relays/${odd}/tools`, `/v1/relays/bulk/${odd}`]) {
      const response = await app.request(path);
      expect([400, 404]).toContain(response.status);
      const body = await json(response);
      expect(body.ok).toBe(false);
    }
  });

  test("an encoded slash stays inside the id", async () => {
    await catalog.list("https://odd.example/mcp", { id: "a/b c" });
    const one = await app.request("/v1/relays/a%2Fb%20c");
    expect(await json(one)).toMatchObject({ relay: { id: "a/b c" } });
    await catalog.context.store.relays.remove("a/b c", { id: crypto.randomUUID() }, 0);
  });
});

describe("health and failure", () => {
  test("GET /healthz says what is served, /readyz that it can be", verifies("rest.health"), async () => {
    expect(await json(app.request("/healthz"))).toEqual({
      ok: true,
      version: "0.1.0",
      relays: 2,
      online: 1,
    });
    expect(await json(app.request("/readyz"))).toEqual({ ok: true });
  });

  test("not ready is 503, without the reason", async () => {
    const door = restDoor({
      context: catalog.context,
      adminToken: null,
      ready: async () => {
        throw new Error("disk /var/secret is full");
      },
    });
    const response = await door.request("/readyz");
    expect(response.headers.get("retry-after")).toBe("5");
    expect(JSON.stringify(await expectProblem(response, "unavailable", 503))).not.toContain("secret");
  });

  test("a failure of ours is 500 with an id, and only the log has its words", async () => {
    const broken = {
      ...catalog.context,
      clock: {
        ...catalog.context.clock,
        now: () => {
          throw new Error("clock hunter2 stopped");
        },
      },
    };
    const door = restDoor({ context: broken, adminToken: ADMIN_TOKEN });
    const response = await door.request("/v1/relays/offline.example", { method: "DELETE", headers: admin });
    const body = await expectProblem(response, "internal", 500);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    const line = catalog.log.find(({ fields }) => fields.requestId === body.requestId);
    expect(line).toMatchObject({ level: "error", fields: { err: { message: "clock hunter2 stopped" } } });
  });
});
