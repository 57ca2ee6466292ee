/** The official SDK 1.x over streamable HTTP: `sdk1.ts <port> stateful|stateless json|sse`. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const [port, sessions, answers] = process.argv.slice(2);
const enableJsonResponse = answers === "json";

function createMcp(): McpServer {
  const server = new McpServer({ name: "sdk1", version: "1.0.0" });
  server.registerTool(
    "add",
    {
      title: "Add",
      description: "Adds two numbers.",
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool(
    "greet",
    { description: "Greets someone by name.", inputSchema: { name: z.string() } },
    async ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
  );
  return server;
}

const transports = new Map<string, StreamableHTTPServerTransport>();

async function transportFor(request: IncomingMessage): Promise<StreamableHTTPServerTransport> {
  const known = transports.get(String(request.headers["mcp-session-id"]));
  if (known !== undefined) return known;
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse,
    sessionIdGenerator: sessions === "stateful" ? randomUUID : undefined,
    onsessioninitialized: (id) => {
      transports.set(id, transport);
    },
    onsessionclosed: (id) => {
      transports.delete(id);
    },
  });
  await createMcp().connect(transport);
  return transport;
}

createServer((request, response) => {
  if (request.url !== "/mcp") {
    response.writeHead(404).end();
    return;
  }
  void transportFor(request).then((transport) => transport.handleRequest(request, response));
}).listen(Number(port), "127.0.0.1");
