/** The official SDK 2.x: `sdk2.ts <port> both|modern`. Its handler serves 2026-07-28, and the older era unless told not to. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const [port, eras] = process.argv.slice(2);

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: "sdk2", version: "2.0.0" });
    server.registerTool(
      "add",
      {
        title: "Add",
        description: "Adds two numbers.",
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.object({ sum: z.number() }),
      },
      async ({ a, b }) => ({
        content: [{ type: "text", text: String(a + b) }],
        structuredContent: { sum: a + b },
      }),
    );
    server.registerTool(
      "greet",
      { description: "Greets someone by name.", inputSchema: z.object({ name: z.string() }) },
      async ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
    );
    return server;
  },
  eras === "modern" ? { legacy: "reject" } : {},
);
const answer = toNodeHandler(handler);

createServer((request, response) => {
  if (request.url === "/mcp") void answer(request, response);
  else response.writeHead(404).end();
}).listen(Number(port), "127.0.0.1");
