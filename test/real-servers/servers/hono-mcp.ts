/** The transport of @hono/mcp under a server of the SDK 1.x: `hono-mcp.ts <port>`. */
import { StreamableHTTPTransport } from "@hono/mcp";
import { serve } from "@hono/node-server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Hono } from "hono";
import { z } from "zod";

const port = Number(process.argv[2]);

function createMcp(): McpServer {
  const server = new McpServer({ name: "hono-mcp", version: "1.0.0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  server.registerTool(
    "greet",
    { description: "Greets someone by name.", inputSchema: { name: z.string() } },
    async ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
  );
  return server;
}

const app = new Hono();
app.all("/mcp", async (context) => {
  const transport = new StreamableHTTPTransport();
  await createMcp().connect(transport);
  return transport.handleRequest(context);
});
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" });
