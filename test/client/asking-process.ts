/**
 * A server that uses what the protocol has, as a process of its own: `asking-process.ts <1|2> <stdio|port>`. 1 is the official SDK 1.x
 * (2025-11-25, a session and pushes over HTTP), 2 the SDK 2.x (2026-07-28; the older era only over stdio).
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer as FirstServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [generation, where = "stdio"] = process.argv.slice(2);
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
/** What happened here, for a test to read: one word a line. */
const record = (word: string): void => {
  if (process.env.RECORD !== undefined) appendFileSync(process.env.RECORD, `${word}\n`);
};
const size = { type: "object" as const, properties: { size: { type: "number" as const } } };

function first(): FirstServer {
  const server = new FirstServer(
    { name: "asking-1", version: "1.0.0" },
    { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: "Ask away." },
  );
  server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) =>
    text(String(a + b)),
  );
  server.registerTool("ask", {}, async ({ requestId }) => {
    const { action, content } = await server.server.elicitInput(
      { message: "How large?", requestedSchema: size },
      { relatedRequestId: requestId },
    );
    return text(`${action} ${JSON.stringify(content ?? null)}`);
  });
  server.registerTool("sample", {}, async () => {
    const answer = await server.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "Say it." } }],
      maxTokens: 10,
    });
    return text(JSON.stringify(answer.content));
  });
  server.registerTool("roots", {}, async () => text(JSON.stringify((await server.server.listRoots()).roots)));
  server.registerTool("steps", {}, async ({ _meta, sendNotification }) => {
    for (const progress of [1, 2, 3]) {
      const progressToken = _meta?.progressToken;
      if (progressToken === undefined) break;
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3 },
      });
    }
    return text("done");
  });
  server.registerTool("tell", {}, async () => {
    await server.server.sendLoggingMessage({ level: "info", data: "told" });
    return text("told");
  });
  server.registerTool("hang", {}, async ({ signal }) => {
    record("hang");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    record("cancelled");
    return text("never read");
  });
  server.registerTool("fail", {}, () => ({ ...text("It broke."), isError: true }));
  server.registerTool("env", {}, () =>
    text(JSON.stringify({ path: process.env.PATH, secret: process.env.SECRET })),
  );
  server.registerTool("die", {}, () => process.exit(7));
  server.registerResource("note", "note://one", {}, (uri) => ({ contents: [{ uri: uri.href, text: "1" }] }));
  return server;
}

function second(): McpServer {
  const server = new McpServer(
    { name: "asking-2", version: "2.0.0" },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
    text(String(a + b)),
  );
  server.registerTool("ask", {}, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, "size");
    if (answer !== undefined) return text(`accept ${JSON.stringify(answer)}`);
    return inputRequired({
      inputRequests: { size: inputRequired.elicit({ message: "How large?", requestedSchema: size }) },
    });
  });
  server.registerTool("steps", {}, async ({ mcpReq }) => {
    const progressToken = (mcpReq._meta as { progressToken?: string | number } | undefined)?.progressToken;
    for (const progress of [1, 2, 3]) {
      if (progressToken === undefined) break;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3 },
      });
    }
    return text("done");
  });
  server.registerTool("hang", {}, async ({ mcpReq }) => {
    record("hang");
    await new Promise<void>((resolve) =>
      mcpReq.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    record("cancelled");
    return text("never read");
  });
  server.registerTool("fail", {}, () => ({ ...text("It broke."), isError: true }));
  return server;
}

record("start");
process.on("exit", () => record("exit"));
if (where === "stdio") {
  if (generation === "1") await first().connect(new StdioServerTransport());
  else serveStdio(second);
} else {
  const modern = toNodeHandler(createMcpHandler(second, { legacy: "reject" }));
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  createServer((request, response) => {
    void (async () => {
      record(`${request.method}`);
      if (request.url === "/forget") {
        sessions.clear();
        response.end();
        return;
      }
      if (request.url !== "/mcp") {
        response.writeHead(404).end("<h1>nothing here</h1>");
        return;
      }
      if (
        process.env.TOKEN !== undefined &&
        request.headers.authorization !== `Bearer ${process.env.TOKEN}`
      ) {
        response.writeHead(401, {
          "www-authenticate": 'Bearer scope="read", resource_metadata="http://a.example/m"',
        });
        response.end();
        return;
      }
      if (generation === "2") return modern(request, response);
      const id = request.headers["mcp-session-id"];
      const known = sessions.get(String(id));
      if (id !== undefined && known === undefined) {
        response.writeHead(404, { "content-type": "application/json" });
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
        return;
      }
      if (known !== undefined) return known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (opened) => void sessions.set(opened, transport),
        onsessionclosed: (closed) => void sessions.delete(closed),
      });
      await first().connect(transport);
      await transport.handleRequest(request, response);
    })();
  }).listen(Number(where), "127.0.0.1");
}
