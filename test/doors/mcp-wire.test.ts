/** The MCP door by hand: what is on the wire that no client shows. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { json, tool } from "./catalog-fixture.ts";
import { answerCall, type McpFixture, ODD_RESULT, openMcp } from "./mcp-fixture.ts";

const MODERN = "2026-07-28";

let mcp: McpFixture;

beforeAll(async () => {
  mcp = await openMcp();
});

afterAll(() => mcp[Symbol.asyncDispose]());

const rpc = (method: string, params: JsonObject = {}, number: number | string = 7) => ({
  jsonrpc: "2.0",
  id: number,
  method,
  params,
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${mcp.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** One request of the modern era, with all that it demands. */
const modern = (method: string, params: JsonObject = {}) =>
  post(
    rpc(method, {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "hand", version: "1" },
      },
    }),
    {
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
    },
  );

/** The message of an SSE answer with one. */
const event = async (response: Response) =>
  JSON.parse(/^data: (.*)$/m.exec(await response.text())?.[1] as string);

test(
  "the relay's result comes untouched in the modern era, with what that era demands beside it",
  verifies("mcp.call-untouched"),
  async () => {
    const { result } = await json(
      modern("tools/call", { name: "call_tool", arguments: { relay: mcp.id, tool: "odd" } }),
    );
    const { _meta, resultType, ...rest } = result;
    const { _meta: theirs, ...expected } = ODD_RESULT;
    expect(rest).toEqual(expected);
    expect(resultType).toBe("complete");
    expect(_meta).toMatchObject(theirs);
  },
);

test("the relay's result comes untouched in the legacy era", verifies("mcp.call-untouched"), async () => {
  const response = await post(
    rpc("tools/call", { name: "call_tool", arguments: { relay: mcp.id, tool: "odd" } }),
  );
  const { result, id: answered } = await event(response);
  expect(answered).toBe(7);
  expect(result).toMatchObject(ODD_RESULT);
});

test("structured content that is no object comes in the form a legacy client can read", async () => {
  await using lists = await startFakeRelay({
    tools: [tool("list")],
    intercept: (seen, response) => answerCall(seen, response, { content: [], structuredContent: [1, 2] }),
  });
  const listId = await mcp.register(lists);
  const params = { name: "call_tool", arguments: { relay: listId, tool: "list" } };
  expect((await json(modern("tools/call", params))).result.structuredContent).toEqual([1, 2]);
  const { result } = await event(await post(rpc("tools/call", params)));
  expect(result.structuredContent).toEqual({ result: [1, 2] });
});

test("a `_meta` that is no object keeps no caller waiting", verifies("mcp.call-untouched"), async () => {
  let given: unknown = null;
  await using serialised = await startFakeRelay({
    tools: [tool("nulls")],
    intercept: (seen, response) => answerCall(seen, response, { content: [], _meta: given as null, a: null }),
  });
  const params = {
    name: "call_tool",
    arguments: { relay: await mcp.register(serialised), tool: "nulls" },
  };
  for (given of [null, 5, "x", [], true]) {
    const legacy = await event(await post(rpc("tools/call", params)));
    expect(legacy.result).toEqual({ content: [], a: null });
    const { result } = await json(modern("tools/call", params));
    expect(result).toMatchObject({ content: [], a: null, _meta: expect.any(Object) });
    expect(Array.isArray(result._meta)).toBe(false);
  }
});

test("a failure spells URLs and ids as they are", async () => {
  const said = async (name: string, args: JsonObject) =>
    (await event(await post(rpc("tools/call", { name, arguments: args })))).result.content[0].text;
  expect(await said("register_relay", { url: "http://127.0.0.1:1/mcp" })).toMatch(/^http:\/\/127/);
  expect(await said("get_relay", { id: "x" })).toMatch(/^No relay "x"/);
});

test("only /mcp is the endpoint", async () => {
  for (const [path, status] of [
    ["/mcp", 200],
    ["/mcp/", 200],
    ["/mcp?a=b", 200],
    ["/mcp/x", 404],
    ["/mcp//", 404],
  ] as const) {
    const response = await fetch(`${mcp.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(rpc("ping")),
    });
    expect([path, response.status]).toEqual([path, status]);
    await response.text();
  }
});

test("a connection that the caller wants closed after the answer is closed, also after a stream", async () => {
  const { hostname, port } = new URL(mcp.url);
  const body = JSON.stringify(rpc("ping"));
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: ${hostname}:${port}`,
    "Connection: close",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  await once(socket, "end");
  socket.destroy();
  expect(answer).toMatch(/^connection: close\r$/im);
});

test("lists may be kept for an hour by anyone, and come in one order", async () => {
  const first = await json(modern("tools/list"));
  expect(first.result).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" });
  expect(await json(modern("tools/list"))).toEqual(first);
  const discovered = (await json(modern("server/discover"))).result;
  expect(discovered).toMatchObject({ supportedVersions: [MODERN], capabilities: { tools: {} } });
  expect(discovered._meta["io.modelcontextprotocol/serverInfo"]).toMatchObject({
    name: "openmcp",
    title: "Test catalog",
    version: "0.1.0",
  });
});

test(
  "no session is opened, and GET and DELETE have nothing to answer",
  verifies("mcp.both-eras"),
  async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "hand", version: "1" },
    };
    const opened = await post(rpc("initialize", params));
    expect(opened.headers.get("mcp-session-id")).toBeNull();
    expect((await event(opened)).result).toMatchObject({ protocolVersion: "2025-06-18" });
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(`${mcp.url}/mcp`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST, OPTIONS");
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
    }
  },
);

test("many streams at once are each answered to their own request", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const args = { relay: mcp.id, tool: "echo", arguments: { number } };
      return event(await post(rpc("tools/call", { name: "call_tool", arguments: args }, number)));
    }),
  );
  answers.forEach((answer, number) => {
    expect(answer.id).toBe(number);
    expect(JSON.parse(answer.result.content[0].text)).toEqual({ number });
  });
});

test.each([
  ["not JSON", "{", {}, 400, -32700],
  ["nothing", "", {}, 400, -32700],
  ["too deep", "[".repeat(10_000), {}, 400, -32700],
  ["another type", "{}", { "content-type": "text/plain" }, 415, -32000],
  ["too big", `"${"x".repeat(5 * 1024 * 1024)}"`, {}, 413, -32000],
  ["a foreign page", "{}", { origin: "https://evil.example" }, 403, -32000],
  ["an opaque origin", "{}", { origin: "null" }, 403, -32000],
])("%s is refused as JSON-RPC", async (_name, body, headers, status, code) => {
  const response = await post(body, headers as Record<string, string>);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  if (status === 403) expect(response.headers.get("access-control-allow-origin")).toBeNull();
});

test.each(["[]", "null", "1", '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":1}', '[{"jsonrpc":"2.0"}]'])(
  "%s is JSON but no JSON-RPC",
  async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  },
);

test(
  "a page of this machine may use a local catalog, preflight included",
  verifies("mcp.origin"),
  async () => {
    const origin = "http://localhost:6274";
    const preflight = await fetch(`${mcp.url}/mcp`, { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/MCP-Protocol-Version/);
    const response = await post(rpc("ping"), { origin });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("vary")).toContain("Origin");
    expect(await event(response)).toMatchObject({ id: 7, result: {} });
  },
);

test("nothing was an error of ours", () => {
  expect(mcp.catalog.log.filter(({ level }) => level === "error")).toEqual([]);
});
