import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import { OpenMcpError } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { ADMIN_TOKEN, json } from "./catalog-fixture.ts";
import { admin, expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

let rest: RestFixture;

beforeAll(async () => {
  rest = await openRest();
});

afterAll(() => rest[Symbol.asyncDispose]());

describe("registering and reading", () => {
  test(
    "POST /v1/relays: 201 the first time, 200 from then on",
    verifies("rest.register", "rest.envelope"),
    async () => {
      const first = await rest.send("POST", "/v1/relays", { url: rest.relay.url });
      expect(first.status).toBe(201);
      const body = await json(first);
      expect(body).toMatchObject({ ok: true, relay: { id: rest.id, online: true, verified: true } });
      expect(body).toMatchObject({ event: "relay.registered", events: ["relay.registered"] });
      expect(body).not.toHaveProperty("created");
      expect(first.headers.get("location")).toBe(`http://127.0.0.1:8790/v1/relays/${rest.id}`);
      const second = await rest.send("POST", "/v1/relays", { url: rest.relay.origin });
      expect(second.status).toBe(200);
      expect(await json(second)).toMatchObject({ ok: true, relay: { id: rest.id }, event: null, events: [] });
      await rest.catalog.index();
    },
  );

  test(
    "the record, its tools, and lists give the stored JSON with ok",
    verifies("rest.get", "rest.envelope"),
    async () => {
      const one = await json(rest.app.request(`/v1/relays/${rest.id}`));
      expect(one).toMatchObject({ ok: true, relay: { id: rest.id, descriptor: { name: "Paper" } } });
      const tools = await json(rest.app.request(`/v1/relays/${rest.id}/tools`));
      expect(tools).toMatchObject({ ok: true, relay: rest.id, online: true });
      expect(tools.tools).toEqual(one.relay.tools);
      const list = await json(rest.app.request("/v1/relays?limit=1"));
      expect(list).toMatchObject({ ok: true, total: 2, nextCursor: expect.any(String) });
      const more = await json(rest.app.request(`/v1/relays?cursor=${encodeURIComponent(list.nextCursor)}`));
      expect([...list.relays, ...more.relays].map((relay: { id: string }) => relay.id).sort()).toEqual(
        [rest.id, "offline.example"].sort(),
      );
      expect(more.nextCursor).toBeNull();
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
    const response = await rest.app.request(`/v1/relays?${query}`);
    expect(await json(response)).toMatchObject({ ok: true, total });
  });

  test("a limit of 500 is the most, and works", async () => {
    expect((await rest.app.request("/v1/relays?limit=500")).status).toBe(200);
  });

  test(
    "GET /v1/tools finds by words, online ones only unless online=0",
    verifies("rest.find", "rest.find-online"),
    async () => {
      const found = await json(rest.app.request("/v1/tools?q=convert+pdf&limit=1"));
      expect(found).toMatchObject({
        ok: true,
        tools: [{ relay: rest.id, name: "pdf_to_text", auth: "unknown" }],
      });
      const gone = async (query: string) => (await json(rest.app.request(`/v1/tools?${query}`))).tools;
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
        `/v1/relays/${rest.id}`,
        `/v1/relays/${rest.id}/tools`,
        "/v1/tools?q=pdf",
        "/v1/openapi.json",
      ]) {
        const whole = await rest.app.request(path, { headers: { origin: "https://elsewhere.example" } });
        expect(whole.status, path).toBe(200);
        const etag = whole.headers.get("etag") as string;
        expect(etag).toMatch(/^"/);
        expect(whole.headers.get("cache-control")).not.toBeNull();
        expect(whole.headers.get("access-control-allow-origin")).toBe("*");
        const again = await rest.app.request(path, { headers: { "if-none-match": `"other", W/${etag}` } });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(etag);
        const head = await rest.app.request(path, { method: "HEAD" });
        expect(head.status).toBe(200);
        expect(await head.text()).toBe("");
        expect(head.headers.get("etag")).toBe(etag);
      }
    },
  );

  test("POST …/refresh looks again and answers the record", verifies("rest.refresh"), async () => {
    const response = await rest.send("POST", `/v1/relays/${rest.id}/refresh`);
    expect(response.status).toBe(200);
    expect(await json(response)).toMatchObject({ ok: true, relay: { id: rest.id }, event: null, events: [] });
  });

  test("what can't be listed is 422 with the evidence", verifies("rest.register-refused"), async () => {
    await using nothing = await startFakeRelay({
      intercept(_seen, response) {
        response.writeHead(404).end("no");
        return true;
      },
    });
    const body = await expectProblem(
      await rest.send("POST", "/v1/relays", { url: nothing.url }),
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
    const response = await rest.send("POST", "/v1/relays/bulk", body, { "content-type": type });
    expect(response.status).toBe(202);
    const taken = await json(response);
    expect(taken).toMatchObject({
      ok: true,
      job: expect.any(String),
      rejected: [{ url: "ftp://b.example" }],
    });
    expect(taken.poll).toBe(`http://127.0.0.1:8790/v1/relays/bulk/${taken.job}`);
    expect(response.headers.get("location")).toBe(taken.poll);
    const job = await json(rest.app.request(new URL(taken.poll).pathname));
    expect(job).toMatchObject({
      ok: true,
      job: { id: taken.job, total: 1, done: 0, finishedAt: null, results: [] },
    });
  });

  test("an unknown job is 404", async () => {
    await expectProblem(await rest.app.request("/v1/relays/bulk/nope"), "not-found", 404);
  });

  test("more than 1,000 at once are refused", async () => {
    const urls = Array.from({ length: 1001 }, (_, at) => `https://r${at}.example/mcp`);
    expect(
      await expectProblem(await rest.send("POST", "/v1/relays/bulk", { urls }), "invalid-input", 400),
    ).toMatchObject({
      field: "urls",
    });
  });
});

describe("the admin", () => {
  test("DELETE wants the credential, and says so", verifies("rest.remove"), async () => {
    await rest.catalog.list("https://doomed.example/mcp");
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: ADMIN_TOKEN }]) {
      const response = await rest.send(
        "DELETE",
        "/v1/relays/doomed.example",
        undefined,
        headers as Record<string, string>,
      );
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      await expectProblem(response, "unauthorized", 401);
    }
    const removed = await rest.send("DELETE", "/v1/relays/doomed.example", undefined, admin);
    expect(await json(removed)).toEqual({ ok: true, removed: "doomed.example" });
    await expectProblem(
      await rest.send("DELETE", "/v1/relays/doomed.example", undefined, admin),
      "not-found",
      404,
    );
  });

  test(
    "without a configured token nobody can, and the answer names the option",
    verifies("rest.admin"),
    async () => {
      const closed = restDoor({ context: rest.catalog.context, adminToken: null });
      const response = await closed.request("/v1/relays/offline.example", {
        method: "DELETE",
        headers: admin,
      });
      expect((await expectProblem(response, "unauthorized", 401)).detail).toContain("--admin-token");
      expect((await rest.app.request("/v1/relays/offline.example")).status).toBe(200);
    },
  );
});

describe("health and failure", () => {
  test("GET /healthz says what is served, /readyz that it can be", verifies("rest.health"), async () => {
    expect(await json(rest.app.request("/healthz"))).toEqual({
      ok: true,
      version: "0.1.0",
      relays: 2,
      online: 1,
    });
    expect(await json(rest.app.request("/readyz"))).toEqual({ ok: true, parts: { store: "ok" } });
  });

  test("not ready is 503 and names the part, without the reason", async () => {
    const door = restDoor({
      context: {
        ...rest.catalog.context,
        store: {
          ...rest.catalog.context.store,
          check: () => Promise.reject(new Error("disk /var/secret is full")),
        },
      },
      adminToken: null,
    });
    const response = await door.request("/readyz");
    expect(response.headers.get("retry-after")).toBe("5");
    const problem = await expectProblem(response, "unavailable", 503);
    expect(problem.parts).toEqual({ store: "unavailable" });
    expect(JSON.stringify(problem)).not.toContain("secret");
  });

  test("a store that fails is 503 with an id, and only the log names its file", async () => {
    const { context, log } = rest.catalog;
    const full = new OpenMcpError("unavailable", 'The disk under "/var/secret.db" is full; make room.', {
      data: { part: "store" },
    });
    const relays = { ...context.store.relays, getJson: () => Promise.reject(full) };
    const door = restDoor({
      context: { ...context, store: { ...context.store, relays } },
      adminToken: null,
    });
    const problem = await expectProblem(await door.request("/v1/relays/a.example"), "unavailable", 503);
    expect(JSON.stringify(problem)).not.toContain("secret");
    expect(problem.requestId).toEqual(expect.any(String));
    expect(log.at(-1)).toMatchObject({ fields: { err: full, requestId: problem.requestId } });
  });

  test("a failure of ours is 500 with an id, and only the log has its words", async () => {
    const broken = {
      ...rest.catalog.context,
      clock: {
        ...rest.catalog.context.clock,
        now: () => {
          throw new Error("clock hunter2 stopped");
        },
      },
    };
    const door = restDoor({ context: broken, adminToken: ADMIN_TOKEN });
    const response = await door.request("/v1/relays/offline.example", { method: "DELETE", headers: admin });
    const body = await expectProblem(response, "internal", 500);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    const line = rest.catalog.log.find(({ fields }) => fields.requestId === body.requestId);
    expect(line).toMatchObject({ level: "error", fields: { err: { message: "clock hunter2 stopped" } } });
  });
});
