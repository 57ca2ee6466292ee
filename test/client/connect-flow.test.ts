/** The connect flow over HTTP, on real servers of both of the official SDK's generations. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ConnectError, connect, open } from "../../src/client/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";

const script = fileURLToPath(new URL("asking-process.ts", import.meta.url));
const failure = (promise: Promise<unknown>): Promise<ConnectError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error) => error as ConnectError,
  );
const start = (generation: 1 | 2, env: Record<string, string>) =>
  startProcess({ args: (port) => [script, String(generation), String(port)], env: () => env });

let folder: string;
let record: string;
let legacy: ServerProcess;
let modern: ServerProcess;
let guarded: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-flow-"));
  record = join(folder, "record");
  [legacy, modern, guarded] = await Promise.all([
    start(1, { RECORD: record }),
    start(2, {}),
    start(1, { TOKEN: "mine" }),
  ]);
});
afterAll(async () => {
  await Promise.all([legacy, modern, guarded].map((server) => server?.[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});
const recorded = async () => (await readFile(record, "utf8")).trim().split("\n");

describe("the older era", () => {
  it(
    "has its stream of pushes open before the first call",
    verifies("connect.barrier", "connect.notifications"),
    async () => {
      await using client = await connect(legacy.url);
      expect(client).toMatchObject({
        era: "legacy",
        protocolVersion: "2025-11-25",
        instructions: "Ask away.",
      });
      expect(await recorded()).toContain("GET");
      const first = client.notifications[Symbol.asyncIterator]();
      const second = client.notifications[Symbol.asyncIterator]();
      await client.callTool({ name: "tell" });
      for (const reader of [first, second]) {
        expect((await reader.next()).value).toMatchObject({
          method: "notifications/message",
          params: { data: "told" },
          missed: 0,
        });
      }
      await client.close();
      expect(await first.next()).toEqual({ value: undefined, done: true });
    },
  );

  it("ends its session by DELETE", verifies("connect.close-session"), async () => {
    const client = await connect(legacy.url);
    await client.close();
    expect((await recorded()).at(-1)).toBe("DELETE");
  });

  it(
    "asks back through the handlers that are declared, and is told when nobody answers",
    verifies("connect.contract", "connect.unhandled"),
    async () => {
      await using asked = await connect(legacy.url, {
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        handlers: {
          elicitation: () => {
            throw new Error("no hands");
          },
          sampling: () => ({ model: "m", role: "assistant", content: { type: "text", text: "it" } }),
          roots: () => ({ roots: [{ uri: "file:///here" }] }),
        },
      });
      expect((await asked.callTool({ name: "sample" })).content).toEqual([
        { type: "text", text: '{"type":"text","text":"it"}' },
      ]);
      expect((await asked.callTool({ name: "roots" })).content).toMatchObject([
        { text: '[{"uri":"file:///here"}]' },
      ]);
      const threw = await asked.callTool({ name: "ask" });
      expect(threw).toMatchObject({ isError: true });
      await using silent = await connect(legacy.url);
      const refused = await silent.callTool({ name: "ask" });
      expect(JSON.stringify(refused)).toMatch(/-32601|does not support/);
      expect((await silent.callTool({ name: "add", arguments: { a: 2, b: 2 } })).content).toMatchObject([
        { text: "4" },
      ]);
    },
  );

  it("begins a session that the server forgot anew, once", verifies("connect.session-lost"), async () => {
    await using client = await connect(legacy.url);
    const reader = client.notifications[Symbol.asyncIterator]();
    await fetch(new URL("/forget", legacy.url));
    const both = await Promise.all([
      client.callTool({ name: "add", arguments: { a: 1, b: 1 } }),
      client.callTool({ name: "add", arguments: { a: 2, b: 1 } }),
    ]);
    expect(both.map(({ content }) => content)).toMatchObject([[{ text: "2" }], [{ text: "3" }]]);
    await client.callTool({ name: "tell" });
    expect((await reader.next()).value).toMatchObject({ method: "notifications/message" });
  });

  it(
    "that refuses its stream is a failure, or degraded where that will do",
    verifies("connect.barrier"),
    async () => {
      await using relay = await startFakeRelay({
        era: "legacy",
        session: true,
        tools: [{ name: "ping", inputSchema: { type: "object" } }],
        intercept: ({ method }, response) => {
          if (method !== "GET") return false;
          response.writeHead(500).end();
          return true;
        },
      });
      expect(await failure(connect(relay.url))).toMatchObject({
        stage: "connect/transport",
        data: { status: 500 },
      });
      await using client = await connect(relay.url, { degraded: true });
      expect((await client.listTools()).tools).toHaveLength(1);
      expect(relay.openSessions.size).toBe(1);
    },
  );
});

it(
  "in the newer era has no session, asks in rounds, and hears what it listens for",
  verifies("connect.contract", "connect.eras"),
  async () => {
    await using client = await connect(modern.url, {
      capabilities: { elicitation: {} },
      handlers: { elicitation: () => ({ action: "accept", content: { size: 3 } }) },
    });
    expect(client).toMatchObject({ era: "modern", protocolVersion: "2026-07-28" });
    expect((await client.callTool({ name: "ask" })).content).toMatchObject([{ text: 'accept {"size":3}' }]);
    await using _listening = await client.listen();
    await using plain = await connect(modern.url);
    const round = await plain
      .request({ method: "tools/call", params: { name: "ask", arguments: {} } })
      .catch((error: ConnectError) => error.stage);
    expect(round).not.toBe("aborted");
  },
);

it("tells a refusal by its challenge, whatever the era", verifies("connect.auth"), async () => {
  expect(await failure(connect(guarded.url))).toMatchObject({
    stage: "auth",
    code: "relay-refused",
    data: {
      status: 401,
      challenge: { scheme: "Bearer", scope: "read", resourceMetadata: "http://a.example/m" },
    },
  });
  await using client = await connect(guarded.url, { headers: { authorization: "Bearer mine" } });
  expect(client.era).toBe("legacy");
});

it("tells what is no MCP endpoint, no address and no answer apart", verifies("connect.errors"), async () => {
  expect(await failure(connect(new URL("/other", legacy.url)))).toMatchObject({
    stage: "connect/not-mcp",
    data: { status: 404 },
  });
  expect((await failure(connect(new URL("/other", legacy.url)))).message).toContain("/mcp");
  expect(await failure(connect("http://127.0.0.1:1/mcp"))).toMatchObject({ stage: "connect/transport" });
  expect(await failure(connect("http://a:b@127.0.0.1:1/mcp"))).toMatchObject({ code: "invalid-input" });
  await using silent = await startFakeRelay({ intercept: () => true });
  expect(await failure(connect(silent.url, { timeoutMs: 60 }))).toMatchObject({ stage: "connect/timeout" });
  await using garbled = await startFakeRelay({
    intercept: (_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("{oops");
      return true;
    },
  });
  expect(await failure(connect(garbled.url))).toMatchObject({ stage: "connect/decode" });
});

it(
  "takes any transport of the SDK, and reads notifications in bounded memory",
  verifies("connect.notifications"),
  async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: "inside", version: "1.0.0" }, { capabilities: { logging: {} } });
    await server.connect(theirs);
    await using opened = await open(ours);
    await using client = await opened.initialize(
      { name: "mine", version: "1.0.0" },
      { protocolVersion: "2025-11-25" },
    );
    const slow = client.notifications[Symbol.asyncIterator]();
    for (let count = 0; count < 1_010; count += 1) {
      await server.server.sendLoggingMessage({ level: "info", data: count });
    }
    await vi.waitFor(async () => expect(await client.ping()).toBeUndefined());
    expect((await slow.next()).value).toMatchObject({ missed: 10, params: { data: 10 } });
    expect((await slow.next()).value).toMatchObject({ missed: 0, params: { data: 11 } });
  },
);
