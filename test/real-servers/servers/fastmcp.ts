/** fastmcp over its HTTP stream: `fastmcp.ts <port> [stateless]`. */
import { FastMCP } from "fastmcp";
import { z } from "zod";

const [port, mode] = process.argv.slice(2);
const server = new FastMCP({ name: "fastmcp", version: "1.0.0" });
server.addTool({
  name: "add",
  description: "Adds two numbers.",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
server.addTool({
  name: "greet",
  description: "Greets someone by name.",
  parameters: z.object({ name: z.string() }),
  execute: async ({ name }) => `Hello, ${name}!`,
});
await server.start({
  transportType: "httpStream",
  httpStream: { port: Number(port), host: "127.0.0.1", stateless: mode === "stateless" },
});
