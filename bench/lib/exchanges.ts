/** The three exchanges of a look, with `undici.request` and nothing else; every body is read. For the ceilings. */
import { Agent, request } from "undici";

const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 1_000 });
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};

/** The JSON-RPC answer's text. `url`: the endpoint. */
export async function post(url: string, method: string): Promise<string> {
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
  return answer.body.text();
}

/** Of the origin of `url`. */
export async function readDescriptor(url: string): Promise<string> {
  const answer = await request(new URL("/.well-known/openmcp.json", url), { dispatcher });
  return answer.body.text();
}
