/**
 * Real MCP servers, each a process of its own, through a real catalog process: registered, listed with every tool,
 * one tool called through REST, MCP and the command line. docs/real-servers.md holds what each gave;
 * `UPDATE_DOCS=1 vitest run test/real-servers` writes it anew.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RelayRecord } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { realServers } from "./real-servers.ts";
import { type ServerProcess, startProcess } from "./start-process.ts";
import { documentTable, type TableRow, tableOf } from "./table.ts";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "src", "cli", "main.ts");
const page = join(root, "docs", "real-servers.md");
const run = promisify(execFile);

let catalog: ServerProcess;
let agent: Client;
const rows: TableRow[] = [];

beforeAll(async () => {
  catalog = await startProcess({
    args: (port) => [main, "serve", "--port", String(port), "--db", ":memory:", "--refresh", "off"],
    path: "",
  });
  agent = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${catalog.url}/mcp`)));
});

afterAll(async () => {
  await agent?.close();
  await catalog?.[Symbol.asyncDispose]();
});

describe.each(realServers)("$name", (server) => {
  let fixture: ServerProcess;
  let id: string;

  beforeAll(async () => {
    fixture = await startProcess(server);
  });
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
  });

  it(
    "is registered as what it is, with every tool",
    verifies("probe.both-eras", "rest.register"),
    async () => {
      const started = performance.now();
      const { status, body } = await post("/v1/relays", { url: fixture.url });
      const ms = Math.round(performance.now() - started);
      expect(body.error ?? null).toBeNull();
      expect(status).toBe(201);
      const relay = body.relay as RelayRecord;
      id = relay.id;
      expect(relay).toMatchObject({ online: true, verified: false, toolsFrom: "relay", lastError: null });
      expect(relay.probe).toMatchObject({ state: "online", transport: "streamable-http", era: server.era });
      expect(relay.tools).toHaveLength(server.tools);
      expect(relay.tools.map((tool) => tool.name)).toContain(server.call.tool);
      if (server.era !== "2026-07-28") expect(await opensSession(fixture.url)).toBe(server.session);
      rows.push({
        server: server.name,
        era: server.era,
        transport: relay.probe.transport ?? "",
        session: server.session,
        tools: relay.tools.length,
        ms,
      });
      const listed = await (await fetch(`${catalog.url}/v1/relays/${id}/tools`)).json();
      expect(listed).toMatchObject({ ok: true, relay: id, online: true, tools: relay.tools });
    },
  );

  it("answers a call through REST", verifies("rest.call"), async () => {
    const { status, body } = await post(`/v1/relays/${id}/call`, {
      tool: server.call.tool,
      arguments: server.call.arguments,
    });
    expect(body).toMatchObject({ ok: true, relay: id, tool: server.call.tool });
    expect(status).toBe(200);
    expect(textOf(body.result)).toBe(server.call.text);
  });

  it("answers a call through MCP", verifies("mcp.tools"), async () => {
    const result = await agent.callTool({
      name: "call_tool",
      arguments: { relay: id, tool: server.call.tool, arguments: server.call.arguments },
    });
    expect(textOf(result)).toBe(server.call.text);
  });

  it("answers a call from the command line", async () => {
    const { stdout } = await run(process.execPath, [
      main,
      "call",
      id,
      server.call.tool,
      JSON.stringify(server.call.arguments),
      "--catalog",
      catalog.url,
    ]);
    expect(stdout).toContain(server.call.text);
  });
});

it(
  "a server of the old HTTP+SSE transport is recognised, and not listed",
  verifies("probe.sse-recognised"),
  async () => {
    await using old = await startProcess({
      args: () => [join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "sse"],
      env: (port) => ({ PORT: String(port) }),
      path: "/sse",
    });
    const { status, body } = await post("/v1/relays", { url: old.url });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "not-listed", probe: { state: "wrong-transport" } });
  },
);

it("is what docs/real-servers.md says", async () => {
  expect(rows).toHaveLength(realServers.length);
  const text = await readFile(page, "utf8");
  if (process.env.UPDATE_DOCS === "1") await writeFile(page, documentTable(text, rows));
  expect(tableOf(await readFile(page, "utf8"))).toEqual(rows.map(({ ms: _, ...stable }) => stable));
});

async function post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${catalog.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function textOf(result: unknown): string | undefined {
  const { content } = result as { content?: { type: string; text?: string }[] };
  return content?.find((block) => block.type === "text")?.text;
}

/** Whether the endpoint opens a session; only the older era has any. */
async function opensSession(url: string): Promise<boolean> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  await response.body?.cancel();
  return response.headers.has("mcp-session-id");
}
