/** Listed relays as the official clients of both lines have them through a catalog: all of MCP, in both eras, over sockets. */
import { join } from "node:path";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as schemas from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../../src/kit/index.ts";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { strangeKit } from "../explorer/strange-server.ts";
import { type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";

const script = join(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

let everything: ServerProcess;
let kit: Listening;
let catalog: RunningCatalog;

beforeAll(async () => {
  [everything, kit, catalog] = await Promise.all([
    startProcess({ args: () => [script, "streamableHttp"], env: (port) => ({ PORT: String(port) }) }),
    strangeKit().listen(),
    startCatalog(parseServeOptions({ port: "0", db: ":memory:", refresh: "off", logLevel: "silent" })),
  ]);
});

afterAll(async () => {
  await Promise.all([everything?.[Symbol.asyncDispose](), kit?.close(), catalog?.close()]);
});

/** Lists a server; gives its endpoint through the catalog. */
async function through(url: string): Promise<URL> {
  const answer = await fetch(`${catalog.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const { relay } = (await answer.json()) as { relay: { id: string } };
  return new URL(`${catalog.url}/v1/relays/${relay.id}/mcp`);
}

const answers = {
  elicitation: { action: "accept", content: { name: "Ada Lovelace" } },
  sampling: { role: "assistant", content: { type: "text", text: "Forty-two." }, model: "a person" },
} as const;
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };

describe("a server of the older era with everything, through the catalog", () => {
  it(
    "by the client of line 1: a session from its opening to its end",
    verifies("passage.whole", "passage.sessions"),
    async () => {
      const client = new Client1({ name: "test", version: "1" }, { capabilities });
      const told: string[] = [];
      const updated = Promise.withResolvers<string>();
      client.setRequestHandler(schemas.ElicitRequestSchema, () => answers.elicitation);
      client.setRequestHandler(schemas.CreateMessageRequestSchema, () => answers.sampling);
      client.setRequestHandler(schemas.ListRootsRequestSchema, () => ({ roots: [] }));
      client.setNotificationHandler(schemas.LoggingMessageNotificationSchema, ({ method }) => {
        told.push(method);
      });
      client.setNotificationHandler(schemas.ResourceUpdatedNotificationSchema, ({ params }) =>
        updated.resolve(params.uri),
      );
      const transport = new Http1(await through(everything.url));
      await client.connect(transport as never);
      expect(transport.sessionId).toBeTruthy();

      const { resources } = await client.listResources();
      const uri = resources[0]?.uri ?? "";
      expect((await client.readResource({ uri })).contents).toHaveLength(1);
      expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toContain("args-prompt");
      const { messages } = await client.getPrompt({ name: "args-prompt", arguments: { city: "Bern" } });
      expect(JSON.stringify(messages)).toContain("Bern");
      const completed = await client.complete({
        ref: { type: "ref/prompt", name: "completable-prompt" },
        argument: { name: "department", value: "E" },
      });
      expect(completed.completion.values).toContain("Engineering");

      const elicited = await client.callTool({ name: "trigger-elicitation-request", arguments: {} });
      expect(JSON.stringify(elicited)).toContain("Ada Lovelace");
      const sampled = await client.callTool({
        name: "trigger-sampling-request",
        arguments: { prompt: "What is 6 times 7?" },
      });
      expect(JSON.stringify(sampled)).toContain("Forty-two.");

      await client.setLoggingLevel("debug");
      await client.subscribeResource({ uri });
      await client.callTool({ name: "toggle-subscriber-updates", arguments: {} });
      expect(await updated.promise).toBe(uri);
      await client.unsubscribeResource({ uri });
      await client.callTool({ name: "toggle-subscriber-updates", arguments: {} });

      const progress: number[] = [];
      const stop = new AbortController();
      const long = client.callTool(
        { name: "trigger-long-running-operation", arguments: { duration: 60, steps: 600 } },
        undefined,
        {
          signal: stop.signal,
          onprogress: ({ progress: done }) => {
            progress.push(done);
            if (progress.length === 2) stop.abort("enough");
          },
        },
      );
      await expect(long).rejects.toThrow("enough");
      expect(progress).toEqual([1, 2]);

      const session = transport.sessionId ?? "";
      await transport.terminateSession();
      await client.close();
      const after = await fetch(await through(everything.url), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "mcp-session-id": session,
          "mcp-protocol-version": "2025-11-25",
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
      // It is the relay's own answer, in its own words.
      expect(after.status).toBeGreaterThanOrEqual(400);
      expect(after.headers.get("content-type")).toBe("application/json");
    },
  );

  it("by the client of line 2, which finds the era for itself", verifies("passage.whole"), async () => {
    const client = new Client2(
      { name: "test", version: "1" },
      { capabilities, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", () => answers.elicitation);
    const transport = new Http2(await through(everything.url));
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
    const elicited = await client.callTool({ name: "trigger-elicitation-request", arguments: {} });
    expect(JSON.stringify(elicited)).toContain("Ada Lovelace");
    await transport.terminateSession();
    await client.close();
  });
});

describe("a relay of the kit, through the catalog", () => {
  it("in the modern era: it asks, and a subscription is a stream", verifies("passage.whole"), async () => {
    const client = new Client2(
      { name: "test", version: "1" },
      { capabilities, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", () => answers.elicitation);
    await client.connect(new Http2(await through(kit.url)));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(JSON.stringify(await client.callTool({ name: "asks", arguments: {} }))).toContain(
      "Hello, Ada Lovelace!",
    );
    expect(JSON.stringify(await client.readResource({ uri: "strange://text" }))).toContain(
      "So it is written.",
    );
    expect((await client.getPrompt({ name: "greet" })).messages).toHaveLength(1);
    const subscription = await client.listen({ resourceSubscriptions: ["strange://text"] });
    await subscription.close();
    await client.close();
  });

  it("in the older era", verifies("passage.whole"), async () => {
    const client = new Client1({ name: "test", version: "1" }, { capabilities });
    await client.connect(new Http1(await through(kit.url)) as never);
    expect(JSON.stringify(await client.readResource({ uri: "strange://text" }))).toContain(
      "So it is written.",
    );
    expect((await client.getPrompt({ name: "greet" })).messages).toHaveLength(1);
    await client.close();
  });
});

it(
  "a relay through two catalogs is one, and a circle of them is broken",
  verifies("passage.circle"),
  async () => {
    const there = await through(kit.url);
    const client = new Client2({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await using other = await startCatalog(
      parseServeOptions({ port: "0", db: ":memory:", refresh: "off", logLevel: "silent" }),
    );
    const listed = await fetch(`${other.url}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: there.href }),
    });
    const { relay } = (await listed.json()) as { relay: { id: string } };
    await client.connect(new Http2(new URL(`${other.url}/v1/relays/${relay.id}/mcp`)));
    expect((await client.getPrompt({ name: "greet" })).messages).toHaveLength(1);
    await client.close();
    const round = await fetch(there, {
      method: "POST",
      headers: { "content-type": "application/json", "cdn-loop": `x.example, ${new URL(catalog.url).host}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(round.status).toBe(422);
    expect(await round.json()).toMatchObject({ code: "blocked" });
  },
);

it("a token is the relay's alone, and its challenge comes back", verifies("passage.headers"), async () => {
  await using gated = await startFakeRelay({
    token: "s3cret-of-mine",
    descriptor: { mcp: "/mcp", name: "Gated", auth: { kind: "bearer" } },
  });
  const url = await through(gated.url);
  const open = async (headers: Record<string, string>) => {
    const client = new Client2({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new Http2(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  };
  await expect(open({})).rejects.toThrow();
  await expect(open({ authorization: "Bearer s3cret-of-mine" })).rejects.toThrow();
  expect(await open({ "x-relay-authorization": "Bearer s3cret-of-mine" })).toHaveLength(1);
  const refused = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringMatching(/^Bearer /),
  ]);
  const numbers = await (await fetch(`${catalog.url}/metrics`)).text();
  expect(numbers).toMatch(/openmcp_relay_passages_total\{method="POST",outcome="answered"\} [1-9]/);
  expect(numbers).toContain('route="/v1/relays/:id/mcp"');
  expect(numbers).not.toMatch(/s3cret|127\.0\.0\.1-/);
});
