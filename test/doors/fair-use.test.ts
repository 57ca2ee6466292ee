/** Over a budget, as each door says it: REST with 429 and headers, MCP with a result that an agent can act on. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CatalogContext } from "../../src/catalog/index.ts";
import { mcpDoor } from "../../src/doors/mcp/index.ts";
import { restDoor } from "../../src/doors/rest/index.ts";
import type { ClientOf } from "../../src/http/index.ts";
import { verifies } from "../requirements.ts";
import { ADMIN_TOKEN, type CatalogFixture, json, openCatalog, tool } from "./catalog-fixture.ts";
import { expectProblem } from "./rest-fixture.ts";

const rule = { perMinute: 6, burst: 2 };
const budgets = { register: rule, bulk: rule, refresh: rule, call: rule, subscribe: rule };
/** A stand-in for the socket: who calls is what the adapter hands on. */
const clientOf: ClientOf = (_request, env) => (env as { client?: string } | undefined)?.client ?? null;
const stranger = { client: "192.0.2.1" };

let catalog: CatalogFixture;
let context: CatalogContext;
beforeEach(async () => {
  catalog = await openCatalog();
  context = { ...catalog.context, budgets };
  await catalog.list("https://offline.example/mcp", { online: false, tools: [tool("gone")] });
});
afterEach(() => catalog[Symbol.asyncDispose]());

describe("REST", () => {
  function rest(env: object = stranger) {
    const app = restDoor({ context, adminToken: ADMIN_TOKEN, clientOf });
    return (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      app.request(
        path,
        {
          method: "POST",
          headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        env,
      );
  }
  const hook = { url: "https://hook.example/" };

  it(
    "answers 429 with Retry-After, the budget and the sentence",
    verifies("rest.over-rate", "fair.headers"),
    async () => {
      const post = rest();
      const first = await post("/v1/webhooks", hook);
      expect(first.status).toBe(201);
      expect(first.headers.get("ratelimit-policy")).toBe('"subscribe";q=2;w=20');
      expect(first.headers.get("ratelimit")).toBe('"subscribe";r=1;t=10');
      expect((await post("/v1/webhooks", hook)).headers.get("ratelimit")).toBe('"subscribe";r=0;t=20');
      const refused = await post("/v1/webhooks", hook);
      expect(refused.headers.get("retry-after")).toBe("10");
      expect(refused.headers.get("ratelimit")).toBe('"subscribe";r=0;t=20');
      expect(refused.headers.get("access-control-expose-headers")).toContain("RateLimit-Policy");
      const problem = await expectProblem(refused, "rate-limited", 429);
      expect(problem).toMatchObject({ retryAfterSeconds: 10, budget: { name: "subscribe", ...rule } });
      expect(problem.detail).toContain("try again in 10 s");
    },
  );

  it("says what is left on failures that were paid for too", async () => {
    const missing = await rest()("/v1/relays/none/refresh");
    expect(missing.status).toBe(404);
    expect(missing.headers.get("ratelimit")).toBe('"refresh";r=1;t=10');
  });

  it("counts both forms of a call as calls", async () => {
    const post = rest();
    expect((await post("/v1/relays/none/call", { tool: "t" })).status).toBe(404);
    expect((await post("/v1/relays/none/tools/t", {})).status).toBe(404);
    expect((await post("/v1/relays/none/tools/t", {})).status).toBe(429);
    expect((await post("/v1/relays/none/call", { tool: "t" })).status).toBe(429);
  });

  it("limits neither reads, nor the admin, nor whom nobody names", verifies("fair.free"), async () => {
    const post = rest();
    for (let round = 0; round < 3; round += 1) await post("/v1/relays/none/refresh");
    expect((await post("/v1/relays/none/refresh")).status).toBe(429);
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    expect((await post("/v1/relays/none/refresh", undefined, { authorization })).status).toBe(404);
    expect((await post("/v1/relays/none/refresh", undefined, { authorization: "Bearer wrong" })).status).toBe(
      429,
    );
    const free = await rest({})("/v1/relays/none/refresh");
    expect([free.status, free.headers.get("ratelimit")]).toEqual([404, null]);
    const app = restDoor({ context, adminToken: null, clientOf });
    for (let round = 0; round < 10; round += 1) {
      expect((await app.request("/v1/relays", {}, stranger)).status).toBe(200);
    }
  });

  it("says in its document which routes may answer 429", async () => {
    const app = restDoor({ context, adminToken: null });
    const { paths } = await json(app.request("/v1/openapi.json"));
    const limited = Object.entries<Record<string, { responses: object }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => Object.hasOwn(responses, "429"))
        .map(([method]) => `${method} ${path}`),
    );
    expect(limited.sort()).toEqual([
      "post /v1/relays",
      "post /v1/relays/bulk",
      "post /v1/relays/{id}/call",
      "post /v1/relays/{id}/refresh",
      "post /v1/relays/{id}/tools/{tool}",
      "post /v1/webhooks",
      "post /v1/webhooks/{id}/deliveries/{delivery}/redeliver",
      "post /v1/webhooks/{id}/test",
    ]);
  });
});

describe("MCP", () => {
  it.each([
    ["2025-11-25", {}],
    [
      "2026-07-28",
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "refresh_relay" },
    ],
  ])(
    "in %s answers a result with isError that says when to try again",
    verifies("fair.mcp"),
    async (version, headers) => {
      await using door = mcpDoor({ context, clientOf });
      const call = async (env: object, args: object = { id: "none" }) => {
        const meta =
          version === "2025-11-25"
            ? {}
            : {
                _meta: {
                  "io.modelcontextprotocol/protocolVersion": version,
                  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
                  "io.modelcontextprotocol/clientCapabilities": {},
                },
              };
        const response = await door.fetch(
          new Request("http://127.0.0.1:8790/mcp", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
              ...headers,
            },
            body: JSON.stringify({
              jsonrpc: "2.0",
              id: 1,
              method: "tools/call",
              params: { name: "refresh_relay", arguments: args, ...meta },
            }),
          }),
          env,
        );
        const text = await response.text();
        const data = /^data: ?(\{.*)$/m.exec(text)?.[1] ?? text;
        const { result } = JSON.parse(data);
        expect(result?.isError, text).toBe(true);
        return result.content.map((part: { text: string }) => part.text) as string[];
      };
      for (let round = 0; round < 2; round += 1) expect((await call(stranger))[1]).toContain('"not-found"');
      const [sentence, details = ""] = await call(stranger);
      expect(sentence).toMatch(/budget "refresh" .*try again in 10 s\. Wait as long as the answer says/);
      expect(JSON.parse(details)).toMatchObject({ code: "rate-limited", retryAfterSeconds: 10 });
      expect((await call({ client: "192.0.2.2" }))[1]).toContain('"not-found"');
      expect((await call({}))[1]).toContain('"not-found"');
    },
  );
});
