/** The MCP door over real sockets, spoken to by the official clients of both lines and by hand. */
import type { ServerResponse } from "node:http";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/spec/index.ts";
import { type FakeRelay, type SeenRequest, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import {
  type CatalogFixture,
  json,
  openCatalog,
  type ServedCatalog,
  serveDoors,
  tool,
} from "./catalog-fixture.ts";

const MODERN = "2026-07-28";
/** Content of a kind that no SDK knows, keys that none keeps, and a result's own `_meta`. */
const ODD_RESULT = {
  content: [
    { type: "text", text: "hello", "x-inner": { deep: [null] } },
    { type: "hologram", payload: 1 },
  ],
  structuredContent: { a: [1, { b: null }] },
  "x-unknown": { kept: true },
  _meta: { "relay.example/trace": "t-1" },
};

/** Answers a call with exactly this result; the fake relay would add what its era demands. */
function answerCall(seen: SeenRequest, response: ServerResponse, result: object): boolean {
  const message = seen.body === "" ? {} : JSON.parse(seen.body);
  if (message.method !== "tools/call") return false;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  return true;
}

let catalog: CatalogFixture;
let served: ServedCatalog;
let relay: FakeRelay;
let id: string;

beforeAll(async () => {
  catalog = await openCatalog();
  served = await serveDoors(catalog.context);
  relay = await startFakeRelay({
    descriptor: { mcp: "/mcp", name: "Paper", auth: { kind: "bearer", url: "https://get.example/a-token" } },
    tools: [tool("echo", "Says it again."), tool("odd", "Answers oddly."), tool("fails", "Fails always.")],
    intercept: (seen, response) =>
      seen.body.includes('"name":"odd"') && answerCall(seen, response, ODD_RESULT),
    onCall: (name, args): JsonObject => {
      const content = [{ type: "text", text: JSON.stringify(args) }];
      return name === "fails" ? { content, isError: true } : { content };
    },
  });
  id = relay.origin.replace("http://", "").replace(":", "-");
  const registered = await fetch(`${served.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: relay.url }),
  });
  expect(registered.status).toBe(201);
  await catalog.list("https://offline.example/mcp", { online: false, verified: false });
  await catalog.index();
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await relay.close();
  await catalog[Symbol.asyncDispose]();
});

interface Caller extends AsyncDisposable {
  listTools(): Promise<{ tools: { name: string; inputSchema: JsonObject; annotations?: JsonObject }[] }>;
  call(
    name: string,
    args: object,
    options?: { onprogress?: (progress: object) => void; signal?: AbortSignal },
    // biome-ignore lint/suspicious/noExplicitAny: results of many shapes.
  ): Promise<any>;
  instructions(): string | undefined;
  era(): string | undefined;
}

async function sdk2(mode: "auto" | "legacy"): Promise<Caller> {
  const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(new URL(`${served.url}/mcp`)));
  return {
    listTools: () => client.listTools() as never,
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options as never),
    instructions: () => client.getInstructions(),
    era: () => client.getNegotiatedProtocolVersion(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function sdk1(): Promise<Caller> {
  const client = new LegacyClient({ name: "test", version: "1" });
  const transport = new LegacyTransport(new URL(`${served.url}/mcp`));
  await client.connect(transport as never);
  return {
    listTools: () => client.listTools() as never,
    call: (name, args, options) =>
      client.callTool({ name, arguments: { ...args } }, undefined, options as never),
    instructions: () => client.getInstructions(),
    era: () => transport.protocolVersion,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const clients = [
  ["SDK 2, modern", () => sdk2("auto"), MODERN],
  ["SDK 2, legacy", () => sdk2("legacy"), "2025-11-25"],
  ["SDK 1", sdk1, "2025-11-25"],
] as const;

describe.each(clients)("%s", (_name, open, era) => {
  test(
    "meets the catalog in its era, with the tools of wire.md and a word of advice",
    verifies("mcp.both-eras"),
    async () => {
      await using client = await open();
      expect(client.era()).toBe(era);
      expect(client.instructions()).toContain("find_tool");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "find_tool",
        "call_tool",
        "list_relays",
        "get_relay",
        "register_relay",
        "refresh_relay",
      ]);
      const inputs = Object.fromEntries(
        tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties as object)]),
      );
      expect(inputs).toEqual({
        find_tool: ["q", "limit", "maxTokens", "online", "tag", "auth"],
        call_tool: ["relay", "tool", "arguments", "token"],
        list_relays: ["q", "tag", "online", "verified", "auth", "limit", "cursor"],
        get_relay: ["id"],
        register_relay: ["url"],
        refresh_relay: ["id"],
      });
      expect(tools.find(({ name }) => name === "find_tool")?.annotations).toMatchObject({
        readOnlyHint: true,
      });
      expect(tools.find(({ name }) => name === "call_tool")?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      });
    },
  );

  test(
    "gets each answer as structured content and as the same JSON text, and in its declared form",
    verifies("mcp.tools"),
    async () => {
      await using client = await open();
      await client.listTools(); // So that the client checks results against the output schemas.
      const answers = {
        find_tool: await client.call("find_tool", { q: "says again" }),
        list_relays: await client.call("list_relays", { q: "paper", online: true, limit: 1 }),
        get_relay: await client.call("get_relay", { id }),
        register_relay: await client.call("register_relay", { url: relay.url }),
        refresh_relay: await client.call("refresh_relay", { id }),
      };
      for (const [name, answer] of Object.entries(answers)) {
        expect(answer.isError, `${name}: ${answer.content[0].text}`).toBeUndefined();
        expect(answer.content).toHaveLength(1);
        expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
      }
      expect(answers.find_tool.structuredContent.tools[0]).toMatchObject({
        relay: id,
        name: "echo",
        auth: "bearer",
      });
      expect(answers.list_relays.structuredContent).toEqual({
        relays: [
          expect.objectContaining({
            id,
            name: "Paper",
            mcp: relay.url,
            auth: "bearer",
            tools: ["echo", "odd", "fails"],
          }),
        ],
        total: 1,
        nextCursor: null,
      });
      expect(answers.get_relay.structuredContent.relay).toMatchObject({ id, online: true, verified: true });
      expect(Object.keys(answers.register_relay.structuredContent)).toEqual(["relay"]);
      expect(answers.refresh_relay.structuredContent).toMatchObject({ relay: { id }, changed: false });
    },
  );

  test("calls a relay's tool", async () => {
    await using client = await open();
    const result = await client.call("call_tool", { relay: id, tool: "echo", arguments: { text: "hi" } });
    expect(JSON.parse(result.content[0].text)).toEqual({ text: "hi" });
    const failed = await client.call("call_tool", { relay: id, tool: "fails" });
    expect(failed).toMatchObject({ isError: true, content: [{ text: "{}" }] });
  });

  test("is told what to do next when something fails", verifies("mcp.failures"), async () => {
    await using client = await open();
    await client.listTools();
    const cases: [string, object, string, RegExp][] = [
      ["get_relay", { id: "nope.example" }, "not-found", /list_relays or find_tool/],
      ["get_relay", {}, "invalid-input", /"id"/],
      ["find_tool", { q: "" }, "invalid-input", /"q"/],
      ["list_relays", { limit: 0 }, "invalid-input", /"limit"/],
      ["call_tool", { relay: "nope.example", tool: "x" }, "not-found", /list_relays or find_tool/],
      ["call_tool", { relay: id, tool: "nope" }, "not-found", /get_relay/],
      ["call_tool", { relay: id, tool: "echo", arguments: [] }, "invalid-input", /"arguments"/],
      ["register_relay", { url: "ftp://a.example" }, "invalid-input", /"url"/],
    ];
    for (const [name, args, code, words] of cases) {
      const result = await client.call(name, args);
      expect(result.isError, name).toBe(true);
      expect(result.content[0].text).toMatch(words);
      expect(JSON.parse(result.content[1].text)).toMatchObject({ code });
      expect(result).not.toHaveProperty("structuredContent");
    }
  });

  test(
    "is asked for a credential, passes it, and never sees it again",
    verifies("call.token-unkept"),
    async () => {
      relay.update({ token: "s3cret" });
      try {
        await using client = await open();
        const refused = await client.call("call_tool", { relay: id, tool: "echo", token: "wr0ng" });
        expect(refused.isError).toBe(true);
        expect(refused.content[0].text).toMatch(/Ask the user for a credential/);
        const passed = await client.call("call_tool", { relay: id, tool: "echo", token: "s3cret" });
        expect(passed.isError).toBeUndefined();
        expect(JSON.stringify([refused, passed, catalog.log])).not.toMatch(/s3cret|wr0ng/);
      } finally {
        relay.update({ token: undefined } as never);
      }
    },
  );

  test("an unknown tool of ours is a protocol error that names the known ones", async () => {
    await using client = await open();
    await expect(client.call("nope", {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("find_tool, call_tool"),
    });
  });

  test("sees the progress of a call while it runs", async () => {
    await using slow = await startFakeRelay({ answer: "sse", tools: [tool("slow")] });
    const slowId = await register(slow);
    slow.update({
      intercept(seen, response) {
        const message = seen.body === "" ? {} : JSON.parse(seen.body);
        if (message.method !== "tools/call") return false;
        const progressToken = message.params._meta?.progressToken;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const say = (data: object) =>
          response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...data })}\n\n`);
        for (const progress of [1, 2]) {
          say({
            method: "notifications/progress",
            params: { progressToken, progress, total: 2, message: `step ${progress}` },
          });
        }
        say({
          id: message.id,
          result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
        });
        response.end();
        return true;
      },
    });
    await using client = await open();
    const seen: object[] = [];
    const result = await client.call(
      "call_tool",
      { relay: slowId, tool: "slow" },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(result.content[0].text).toBe("done");
    expect(seen).toEqual([
      { progress: 1, total: 2, message: "step 1" },
      { progress: 2, total: 2, message: "step 2" },
    ]);
  });

  test("a call that is given up is given up at the relay too", async () => {
    await using stuck = await startFakeRelay({ tools: [tool("stuck")] });
    const stuckId = await register(stuck);
    const arrived = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    stuck.update({
      intercept(seen, response) {
        if (!seen.body.includes('"tools/call"')) return false;
        response.once("close", () => dropped.resolve());
        arrived.resolve();
        return true;
      },
    });
    await using client = await open();
    const stop = new AbortController();
    const call = client.call("call_tool", { relay: stuckId, tool: "stuck" }, { signal: stop.signal });
    await arrived.promise;
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow();
    await client[Symbol.asyncDispose]();
    await dropped.promise;
  });
});

async function register(other: FakeRelay): Promise<string> {
  const response = await fetch(`${served.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: other.url }),
  });
  const { relay: record } = (await response.json()) as { relay: { id: string } };
  return record.id;
}

describe("by hand", () => {
  const rpc = (method: string, params: JsonObject = {}, number: number | string = 7) => ({
    jsonrpc: "2.0",
    id: number,
    method,
    params,
  });

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${served.url}/mcp`, {
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
        modern("tools/call", { name: "call_tool", arguments: { relay: id, tool: "odd" } }),
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
      rpc("tools/call", { name: "call_tool", arguments: { relay: id, tool: "odd" } }),
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
    const listId = await register(lists);
    const params = { name: "call_tool", arguments: { relay: listId, tool: "list" } };
    expect((await json(modern("tools/call", params))).result.structuredContent).toEqual([1, 2]);
    const { result } = await event(await post(rpc("tools/call", params)));
    expect(result.structuredContent).toEqual({ result: [1, 2] });
  });

  test("a relay that asks for more input is told of, not passed on half", async () => {
    await using asking = await startFakeRelay({
      tools: [tool("ask")],
      intercept: (seen, response) =>
        answerCall(seen, response, { resultType: "input_required", requestState: "abc" }),
    });
    const params = { name: "call_tool", arguments: { relay: await register(asking), tool: "ask" } };
    const { result } = await json(modern("tools/call", params));
    expect(result).toMatchObject({ isError: true, resultType: "complete" });
    expect(result.content[0].text).toMatch(/connect to the relay itself/);
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
        const response = await fetch(`${served.url}/mcp`, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe("POST, OPTIONS");
        expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
      }
    },
  );

  test("many streams at once are each answered to their own request", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const args = { relay: id, tool: "echo", arguments: { number } };
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
      const preflight = await fetch(`${served.url}/mcp`, { method: "OPTIONS", headers: { origin } });
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
    expect(catalog.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});
