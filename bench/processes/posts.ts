/**
 * The ceiling of registering: `undici.request` doing the same exchanges (descriptor, discover, list) with nothing else,
 * 32 at once, reading every body. Takes a list of endpoint URLs, answers the milliseconds it took.
 */
import { Agent, request } from "undici";

const LANES = 32;
const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 1_000 });
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};

async function post(url: string, method: string): Promise<void> {
  const answer = await request(url, {
    dispatcher,
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta } }),
  });
  await answer.body.text();
}

process.on("disconnect", () => process.exit(0));
process.on("message", async (urls: readonly string[]) => {
  const started = performance.now();
  let index = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (index < urls.length) {
        const url = urls[index++] as string;
        const descriptor = await request(new URL("/.well-known/openmcp.json", url), { dispatcher });
        await descriptor.body.text();
        await post(url, "server/discover");
        await post(url, "tools/list");
      }
    }),
  );
  process.send?.({ ms: performance.now() - started });
});
process.send?.({});
