/** `openmcp connect`, held by the official SDK's stdio clients of both generations to real servers of both. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startScene } from "../client/real-catalog.ts";
import { type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";
import { main, runCli, spawnCli } from "./run-cli.ts";

const script = fileURLToPath(new URL("../client/asking-process.ts", import.meta.url));
let folder: string;
const servers = new Map<1 | 2, ServerProcess>();
const recorded = async (generation: 1 | 2) => readFile(join(folder, `record-${generation}`), "utf8");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-connect-"));
  await Promise.all(
    ([1, 2] as const).map(async (generation) => {
      const env = {
        RECORD: join(folder, `record-${generation}`),
        TOKEN: generation === 1 ? "s3cret-token" : "",
      };
      if (env.TOKEN === "") delete (env as { TOKEN?: string }).TOKEN;
      servers.set(
        generation,
        await startProcess({ args: (port) => [script, String(generation), String(port)], env: () => env }),
      );
    }),
  );
});
afterAll(async () => {
  for (const server of servers.values()) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const commandFor = (...target: readonly string[]) => ({
  command: process.execPath,
  args: [main, "connect", ...target],
  env: { PATH: "/usr/bin:/bin", OPENMCP_RELAY_TOKEN: "s3cret-token", NODE_NO_WARNINGS: "1" },
  stderr: "pipe" as const,
});
const urlOf = (generation: 1 | 2) => servers.get(generation)?.url as string;

interface Caller extends AsyncDisposable {
  // biome-ignore lint/suspicious/noExplicitAny: two generations of one client, of which the common part is used.
  readonly client: any;
  readonly stderr: () => string;
}

const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const sampled = { model: "m", role: "assistant" as const, content: { type: "text" as const, text: "it" } };

const callers = {
  "1.x": async (command: ReturnType<typeof commandFor>): Promise<Caller> => {
    const client = new OldClient({ name: "old", version: "1" }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { size: 5 } }));
    client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///here" }] }));
    const transport = new OldTransport(command);
    const stderr = heard(transport.stderr);
    await client.connect(transport);
    return { client, stderr, [Symbol.asyncDispose]: () => client.close() };
  },
  "2.x": async (command: ReturnType<typeof commandFor>): Promise<Caller> => {
    const client = new NewClient(
      { name: "new", version: "1" },
      { capabilities, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { size: 5 } }));
    client.setRequestHandler("sampling/createMessage", () => sampled);
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///here" }] }));
    const transport = new NewTransport(command);
    const stderr = heard(transport.stderr);
    await client.connect(transport);
    return { client, stderr, [Symbol.asyncDispose]: () => client.close() };
  },
};

function heard(
  stream: { on(event: "data", listener: (chunk: Buffer) => void): unknown } | null,
): () => string {
  const parts: Buffer[] = [];
  stream?.on("data", (chunk) => parts.push(chunk));
  return () => Buffer.concat(parts).toString("utf8");
}

describe.each(["1.x", "2.x"] as const)("the official stdio client %s", (name) => {
  it.each([1, 2] as const)(
    "has a whole server of the generation %s",
    verifies("bridge.stdio"),
    async (generation) => {
      await using caller = await callers[name](commandFor(urlOf(generation)));
      const { client } = caller;
      expect(client.getServerVersion()).toMatchObject({ name: `asking-${generation}` });
      expect((await client.listTools()).tools.map((tool: { name: string }) => tool.name)).toContain("steps");
      expect((await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).content).toMatchObject([
        { text: "3" },
      ]);
      expect((await client.callTool({ name: "ask", arguments: {} })).content).toMatchObject([
        { text: 'accept {"size":5}' },
      ]);
      expect(await client.callTool({ name: "fail", arguments: {} })).toMatchObject({ isError: true });
      // The clients themselves drop progress that comes with the answer; the frames are held in the test below.
      const stop = new AbortController();
      const options = { signal: stop.signal };
      const call = { name: "hang", arguments: {} };
      const hanging =
        name === "1.x" ? client.callTool(call, undefined, options) : client.callTool(call, options);
      const failed = expect(hanging).rejects.toThrow();
      await vi.waitFor(async () => expect(await recorded(generation)).toContain("hang"));
      stop.abort();
      await failed;
      await vi.waitFor(async () => expect(await recorded(generation)).toContain("cancelled"));
      if (generation === 1) {
        expect((await client.callTool({ name: "sample", arguments: {} })).content).toMatchObject([
          { text: '{"type":"text","text":"it"}' },
        ]);
        expect((await client.callTool({ name: "roots", arguments: {} })).content).toMatchObject([
          { text: '[{"uri":"file:///here"}]' },
        ]);
        expect((await client.readResource({ uri: "note://one" })).contents[0].text).toBe("1");
      }
      expect(caller.stderr()).not.toContain("s3cret");
    },
  );
});

it(
  "gives pushes on, and begins a session that was forgotten anew",
  verifies("bridge.stdio", "bridge.session"),
  async () => {
    await using caller = await callers["1.x"](commandFor(urlOf(1)));
    const told: unknown[] = [];
    caller.client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }: { params: { data: unknown } }) => void told.push(params.data),
    );
    await caller.client.callTool({ name: "tell", arguments: {} });
    await vi.waitFor(() => expect(told).toEqual(["told"]));
    await fetch(new URL("/forget", urlOf(1)));
    expect((await caller.client.callTool({ name: "add", arguments: { a: 4, b: 4 } })).content).toMatchObject([
      { text: "8" },
    ]);
    await caller.client.callTool({ name: "tell", arguments: {} });
    await vi.waitFor(() => expect(told).toEqual(["told", "told"]));
    expect(caller.stderr()).toContain("a new one was begun");
  },
);

const frames = (...messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "echo", version: "1" } },
};

it.each([1, 2] as const)(
  "answers what is piped into it, progress in its order, and ends with its input (%s)",
  verifies("bridge.stdio", "bridge.session"),
  async (generation) => {
    const steps = {
      id: "two",
      method: "tools/call",
      params: { name: "steps", arguments: {}, _meta: { progressToken: 9 } },
    };
    const stdin = frames(initialize, { method: "notifications/initialized" }, steps, {
      id: 3,
      method: "ping",
    });
    // A process of its own once: that it ends, and how, is its own.
    const { code, stdout, stderr } = await (generation === 1
      ? spawnCli(["connect", urlOf(1)], { env: { OPENMCP_RELAY_TOKEN: "s3cret-token" }, stdin })
      : runCli(["connect", urlOf(2), "--relay-token", "s3cret-token"], { stdin }));
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages[0]).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-11-25", serverInfo: { name: `asking-${generation}` } },
    });
    const others = messages.filter(({ id }) => id !== 1 && id !== 3);
    expect(others.map(({ id, params }) => id ?? params.progress)).toEqual([1, 2, 3, "two"]);
    expect(others[0].params.progressToken).toBe(9);
    expect(messages.find(({ id }) => id === 3)).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
    expect(stderr).not.toContain("s3cret");
  },
);

describe("a way that is barred", () => {
  it.each([
    ["nothing listens there", () => "http://127.0.0.1:1/mcp", /127\.0\.0\.1:1/],
    ["no endpoint is there", () => new URL("/other", urlOf(1)).href, /404/],
    ["a credential is missing", () => urlOf(1), /wants a credential/],
  ])(
    "is the host's answer when %s",
    verifies("bridge.stdio", "bridge.credentials"),
    async (_title, url, words) => {
      const argv = ["connect", url(), "--header", ["X-Key: $", "{SECRET}"].join("")];
      const options = { env: { SECRET: "hunter2" }, stdin: frames(initialize) };
      const { code, stdout, stderr } = await runCli(argv, options);
      expect(code).toBe(0);
      const answer = JSON.parse(stdout);
      expect(answer).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
      expect(answer.error.message).toMatch(words);
      expect(stdout + stderr).not.toContain("hunter2");
    },
  );

  it(
    "is told before anything starts when the command line is wrong",
    verifies("bridge.credentials"),
    async () => {
      const unset = await runCli(["connect", urlOf(2), "--header", ["X-Key: $", "{NOT_SET}"].join("")]);
      expect([unset.code, unset.stdout]).toEqual([2, ""]);
      expect(unset.stderr).toContain("NOT_SET");
      const inUrl = await runCli(["connect", "https://me:hunter2@a.example/mcp"]);
      expect(inUrl.code).toBe(2);
      expect(inUrl.stderr).not.toContain("hunter2");
    },
  );
});

it(
  "without arguments reaches every relay of the catalog, and by its id one",
  verifies("bridge.catalog"),
  async () => {
    await using scene = await startScene();
    const whole = { ...commandFor(), args: [main, "--catalog", scene.url, "connect"] };
    await using caller = await callers["2.x"](whole);
    const { tools } = await caller.client.listTools();
    expect(tools.map((tool: { name: string }) => tool.name)).toContain("call_tool");
    const { relay: weather } = (
      await caller.client.callTool({ name: "register_relay", arguments: { url: scene.weather.url } })
    ).structuredContent;
    const called = await caller.client.callTool({
      name: "call_tool",
      arguments: { relay: weather.id, tool: "forecast", arguments: { city: "Bern" } },
    });
    expect(JSON.stringify(called)).toContain("Bern");
    await using one = await callers["1.x"]({
      ...commandFor(),
      args: [main, "--catalog", scene.url, "connect", weather.id],
    });
    expect((await one.client.listTools()).tools.map((tool: { name: string }) => tool.name)).toContain(
      "forecast",
    );
    const asked = scene.weather.requests.length;
    await using through = await callers["2.x"]({
      ...commandFor(),
      args: [main, "--catalog", scene.url, "connect", weather.id, "--through"],
    });
    expect((await through.client.listTools()).tools.map((tool: { name: string }) => tool.name)).toContain(
      "forecast",
    );
    const loops = scene.weather.requests.slice(asked).map(({ headers }) => headers["cdn-loop"]);
    expect(new Set(loops)).toEqual(new Set([new URL(scene.url).host]));
  },
);

it("goes through a catalog to a relay of it only, and with no headers that would stay behind", async () => {
  await using scene = await startScene();
  const listed = await fetch(`${scene.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: scene.weather.url }),
  });
  const { relay } = (await listed.json()) as { relay: { id: string } };
  const asked = scene.weather.requests.length;
  for (const [rest, said] of [
    [["https://a.example/mcp"], "name it by its id"],
    [[], "name it by its id"],
    [[relay.id, "--header", "X-Key: 1"], "no header of yours"],
  ] as const) {
    const refused = await runCli(["--catalog", scene.url, "connect", ...rest, "--through"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(said)]);
  }
  expect(scene.weather.requests).toHaveLength(asked);
});
