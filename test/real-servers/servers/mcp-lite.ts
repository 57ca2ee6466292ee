/** mcp-lite on Hono: `mcp-lite.ts <port> [stateful]`. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import { z } from "zod";

const [port, sessions] = process.argv.slice(2);
const mcp = new McpServer({
  name: "mcp-lite",
  version: "1.0.0",
  schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
});
mcp.tool("add", {
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: { sum: a + b },
  }),
});
mcp.tool("greet", {
  description: "Greets someone by name.",
  inputSchema: z.object({ name: z.string() }),
  handler: ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
});
const transport = new StreamableHttpTransport(
  sessions === "stateful" ? { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 100 }) } : {},
);
const handle = transport.bind(mcp);
const app = new Hono();
app.all("/mcp", (context) => handle(context.req.raw));
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" });
