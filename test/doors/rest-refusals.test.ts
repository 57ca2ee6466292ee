import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { json } from "./catalog-fixture.ts";
import { expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

let rest: RestFixture;

beforeAll(async () => {
  rest = await openRest();
  expect((await rest.register()).status).toBe(201);
  await rest.catalog.index();
});

afterAll(() => rest[Symbol.asyncDispose]());

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
    const body = await expectProblem(await rest.app.request(path), "invalid-input", 400);
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
      await expectProblem(await rest.send("POST", "/v1/relays", body), code as ErrorCode, status);
    },
  );

  test("a body of another type is 415", async () => {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    await expectProblem(await rest.send("POST", "/v1/relays", "url=x", type), "unsupported-media-type", 415);
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
    const response = await rest.app.request(path, { method });
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
    await expectProblem(await rest.app.request(path), "not-found", 404);
  });

  test("OPTIONS answers 204; pages of other origins are told of reads only", async () => {
    const reads = await rest.app.request("/v1/relays", { method: "OPTIONS" });
    expect(reads.status).toBe(204);
    expect(reads.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(reads.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    const writes = await rest.app.request("/v1/relays/x/call", { method: "OPTIONS" });
    expect(writes.status).toBe(204);
    expect(writes.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a page of a foreign origin can't write, not even by a request that needs no preflight", async () => {
    const before = (await json(rest.app.request("/v1/relays"))).total;
    const origin = { origin: "https://evil.example", "content-type": "text/plain" };
    await expectProblem(
      await rest.send("POST", "/v1/relays/bulk", "https://a.example", origin),
      "forbidden",
      403,
    );
    await expectProblem(
      await rest.send("POST", `/v1/relays/${rest.id}/refresh`, undefined, origin),
      "forbidden",
      403,
    );
    expect((await json(rest.app.request("/v1/relays"))).total).toBe(before);
  });

  test("a name that is not ours gets nothing but health", async () => {
    const headers = { host: "rebound.example" };
    await expectProblem(await rest.app.request("/v1/relays", { headers }), "forbidden", 403);
    await expectProblem(await rest.app.request("/v1/openapi.json", { headers }), "forbidden", 403);
    await expectProblem(await rest.app.request("/v1/nope", { headers }), "forbidden", 403);
    expect((await rest.app.request("/healthz", { headers })).status).toBe(200);
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
      const response = await rest.app.request(path);
      expect([400, 404]).toContain(response.status);
      const body = await json(response);
      expect(body.ok).toBe(false);
    }
  });

  test("an encoded slash stays inside the id", async () => {
    await rest.catalog.list("https://odd.example/mcp", { id: "a/b c" });
    const one = await rest.app.request("/v1/relays/a%2Fb%20c");
    expect(await json(one)).toMatchObject({ relay: { id: "a/b c" } });
    await rest.catalog.context.store.relays.remove("a/b c", { id: crypto.randomUUID() }, 0);
  });
});
