/**
 * `look` and `callTool` against servers that others wrote, in this process: the official SDK of both lines, @hono/mcp and
 * mcp-lite. Every one is asked cold, called with what the look remembers, and called with nothing remembered.
 * test/real-servers starts more of them, as processes, behind a whole catalog.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPTransport } from "@hono/mcp";
import { getRequestListener } from "@hono/node-server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { McpServer as LiteServer, StreamableHttpTransport as LiteTransport } from "mcp-lite";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CallProgress } from "../../src/relay/index.ts";
import { callAt, eventually, lookAt, names } from "./harness.ts";

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly sessions?: ReadonlyMap<string, unknown>;
}

async function run(listener: RequestListener, sessions?: ReadonlyMap<string, unknown>): Promise<Running> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    ...(sessions === undefined ? {} : { sessions }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function oldServer(): OldServer {
  const server = new OldServer({ name: "sdk1", version: "1.0.0" });
  const inputSchema = { a: z.number(), b: z.number() };
  server.registerTool(
    "add",
    { title: "Add", description: "Adds.", inputSchema, outputSchema: { sum: z.number() } },
    async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool(
    "slow",
    { description: "Tells how far it is.", inputSchema: {} },
    async (_, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress, total: 3 },
        });
      }
      return { content: [{ type: "text", text: "done" }] };
    },
  );
  return server;
}

function sdk1(stateful: boolean, enableJsonResponse: boolean): Promise<Running> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  async function transportFor(request: IncomingMessage): Promise<StreamableHTTPServerTransport> {
    const known = transports.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known;
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse,
      sessionIdGenerator: stateful ? randomUUID : undefined,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await oldServer().connect(transport);
    return transport;
  }
  return run((request, response) => {
    void transportFor(request).then((transport) => transport.handleRequest(request, response));
  }, transports);
}

function sdk2(legacy: "reject" | undefined): Promise<Running> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "sdk2", version: "2.0.0" });
      const inputSchema = z.object({ a: z.number().int().meta({ "x-mcp-header": "A" }), b: z.number() });
      server.registerTool(
        "add",
        { title: "Add", description: "Adds.", inputSchema, outputSchema: z.object({ sum: z.number() }) },
        async ({ a, b }) => ({
          content: [{ type: "text", text: String(a + b) }],
          structuredContent: { sum: a + b },
        }),
      );
      server.registerTool(
        "slow",
        { description: "Tells how far it is.", inputSchema: z.object({}) },
        async (_, context) => {
          const progressToken = context.mcpReq._meta?.progressToken;
          for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
            await context.mcpReq.notify({
              method: "notifications/progress",
              params: { progressToken, progress, total: 3 },
            });
          }
          return { content: [{ type: "text", text: "done" }] };
        },
      );
      return server;
    },
    legacy === undefined ? {} : { legacy },
  );
  const listener = toNodeHandler(handler);
  return run((request, response) => void listener(request, response));
}

function honoMcp(): Promise<Running> {
  const app = new Hono();
  app.all("/mcp", async (context) => {
    const transport = new StreamableHTTPTransport();
    await oldServer().connect(transport);
    return transport.handleRequest(context);
  });
  return run(getRequestListener(app.fetch));
}

function mcpLite(): Promise<Running> {
  const mcp = new LiteServer({
    name: "lite",
    version: "1.0.0",
    schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
  });
  mcp.tool("add", {
    description: "Adds.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    handler: ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  });
  const handle = new LiteTransport().bind(mcp);
  return run(getRequestListener((request) => handle(request)));
}

describe.each([
  { name: "SDK 1.x, stateful, JSON", start: () => sdk1(true, true), era: "2025-11-25", progress: 0 },
  { name: "SDK 1.x, stateful, SSE", start: () => sdk1(true, false), era: "2025-11-25", progress: 3 },
  { name: "SDK 1.x, stateless, JSON", start: () => sdk1(false, true), era: "2025-11-25", progress: 0 },
  { name: "SDK 1.x, stateless, SSE", start: () => sdk1(false, false), era: "2025-11-25", progress: 3 },
  { name: "SDK 2.x, both eras", start: () => sdk2(undefined), era: "2026-07-28", progress: 3 },
  { name: "SDK 2.x, modern only", start: () => sdk2("reject"), era: "2026-07-28", progress: 3 },
  { name: "@hono/mcp", start: honoMcp, era: "2025-11-25", progress: 3 },
  { name: "mcp-lite", start: mcpLite, era: "2025-03-26", progress: null },
])("$name", ({ start, era, progress }) => {
  it("is looked at and called", async () => {
    await using server = await start();
    const verdict = await lookAt(server.url);
    expect(verdict.error).toBeNull();
    expect(verdict).toMatchObject({ state: "online", era, notes: [], toolsTruncated: false });
    expect(names(verdict)).toEqual(progress === null ? ["add"] : ["add", "slow"]);

    const definition = verdict.tools?.[0] ?? null;
    const sum = { kind: "result", result: { structuredContent: { sum: 5 } } };
    const add = { tool: "add", arguments: { a: 2, b: 3 } };
    expect(await callAt(server.url, add, { hints: verdict.hints, definition })).toMatchObject({
      ...sum,
      hints: null,
    });
    expect(await callAt(server.url, add, { hints: null })).toMatchObject({
      ...sum,
      hints: { era: verdict.hints?.era },
    });
    expect(await callAt(server.url, { tool: "none" }, { hints: verdict.hints })).toSatisfy(
      ({ kind, result }) => kind === "rpc-error" || result.isError === true,
    );

    if (progress !== null) {
      const seen: CallProgress[] = [];
      const slow = await callAt(
        server.url,
        { tool: "slow" },
        { hints: verdict.hints, onProgress: (one) => seen.push(one) },
      );
      expect(slow).toMatchObject({ kind: "result" });
      expect(seen).toEqual([1, 2, 3].slice(0, progress).map((step) => ({ progress: step, total: 3 })));
    }
    await eventually(() => (server.sessions?.size ?? 0) === 0);
  });
});
