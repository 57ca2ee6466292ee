/** What the tests stand on is held against the official clients: a fake relay that drifts from MCP would prove nothing. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import {
  type FakeRelayOptions,
  farmAddress,
  startFakeFarm,
  startFakeRelay,
} from "../../src/testing/index.ts";

const tools = [1, 2, 3].map((n) => ({ name: `tool_${n}`, inputSchema: { type: "object" } }));

describe("a fake relay", () => {
  it.each<FakeRelayOptions>([
    { era: "legacy" },
    { era: "legacy", session: true },
    { era: "legacy", session: true, answer: "sse" },
    { era: "both", answer: "sse" },
  ])("is an MCP server to the SDK 1.x client: %j", async (options) => {
    await using relay = await startFakeRelay({ ...options, tools });
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(relay.url));
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools).toEqual(tools);
    expect(await client.callTool({ name: "tool_2", arguments: { a: 1 } })).toMatchObject({
      content: [{ type: "text", text: '{"a":1}' }],
    });
    expect(relay.openSessions.size).toBe(options.session === true ? 1 : 0);
    await transport.terminateSession();
    await client.close();
    expect(relay.openSessions.size).toBe(0);
  });

  it.each<FakeRelayOptions>([{ era: "modern" }, { era: "modern", answer: "sse" }, { era: "both" }])(
    "is one to the SDK 2.x client: %j",
    async (options) => {
      await using relay = await startFakeRelay({ ...options, tools });
      const client = new ModernClient(
        { name: "test", version: "1" },
        { versionNegotiation: { mode: "auto" } },
      );
      await client.connect(new ModernTransport(new URL(relay.url)));
      expect((await client.listTools()).tools).toEqual(tools);
      expect(await client.callTool({ name: "tool_2", arguments: {} })).toMatchObject({
        content: [{ type: "text", text: "{}" }],
      });
      await client.close();
      const methods = relay.requests.map((seen) => seen.headers["mcp-method"] ?? "none");
      expect(methods).toContain("server/discover");
      expect(methods).not.toContain("initialize");
    },
  );

  it("pages, gates, serves a descriptor and follows a changed script", async () => {
    await using relay = await startFakeRelay({
      era: "legacy",
      tools,
      pageSize: 2,
      token: "t",
      descriptor: { mcp: "/mcp" },
    });
    const list = (cursor?: string) =>
      fetch(relay.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/list",
          params: cursor ? { cursor } : {},
        }),
      });
    const gated = await list();
    expect([gated.status, gated.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    relay.update({ token: undefined });
    expect(await (await list()).json()).toMatchObject({
      result: { tools: tools.slice(0, 2), nextCursor: "2" },
    });
    expect(await (await list("2")).json()).toMatchObject({ result: { tools: tools.slice(2) } });
    const descriptor = await fetch(`${relay.origin}/.well-known/openmcp.json`);
    expect(await descriptor.json()).toEqual({ mcp: "/mcp" });
    expect(relay.requests.map((seen) => seen.method)).toEqual(["POST", "POST", "POST", "GET"]);
  });

  it("ends open connections when it closes", async () => {
    const relay = await startFakeRelay({ intercept: () => true });
    const hanging = expect(fetch(relay.url)).rejects.toThrow();
    await expect.poll(() => relay.requests.length).toBe(1);
    await relay.close();
    await relay.close();
    await hanging;
  });
});

describe("a farm", () => {
  it("gives each relay an address, a descriptor and tools of its own", async () => {
    await using farm = await startFakeFarm(300, { tools: (index) => [{ name: `t${index}` }] });
    expect(new Set(farm.urls).size).toBe(300);
    const url = farm.urls[299] as string;
    const answer = await fetch(url, {
      method: "POST",
      body: '{"jsonrpc":"2.0","id":"x","method":"tools/list"}',
    });
    expect(await answer.json()).toMatchObject({ id: "x", result: { tools: [{ name: "t299" }] } });
    const descriptor = await fetch(new URL("/.well-known/openmcp.json", url));
    expect(await descriptor.json()).toMatchObject({ mcp: "/mcp", name: "Relay 299" });
  });

  it("has 60,000 distinct loopback addresses, none that ends in 0 or 255", () => {
    const addresses = Array.from({ length: 60_000 }, (_, index) => farmAddress(index));
    expect(new Set(addresses).size).toBe(60_000);
    expect(
      addresses.filter((address) => !/^127\.\d+\.\d+\.\d+$/.test(address) || /\.(0|255)$/.test(address)),
    ).toEqual([]);
  });
});
