/** The server that both sides of bench/kit.ts serve: one small tool, as a person would write it with the SDK. */
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

export function greetServer(): McpServer {
  const mcp = new McpServer({ name: "greet", version: "1.0.0" });
  mcp.registerTool(
    "greet",
    { description: "Greets someone.", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }),
  );
  return mcp;
}
