/**
 * A URL behind the page's endpoint: requests go on as they came, without what a browser adds to say who it is; so CORS is no obstacle.
 * The network policy is that of a person at a terminal.
 */
import { createExchange, createFetch } from "../../net/index.ts";
import { isOpenMcpError } from "../../spec/index.ts";
import { version } from "../version.ts";
import { EXCHANGE_MS, MAX_ANSWER_BYTES } from "./limits.ts";
import type { Upstream } from "./upstream.ts";

/** Of the connection, or of the browser; `sec-*` too. */
const NOT_PASSED = new Set([
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "cookie",
  "host",
  "keep-alive",
  "origin",
  "pragma",
  "referer",
  "te",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

/** What an MCP client reads of an answer. */
const PASSED_BACK = [
  "allow",
  "cache-control",
  "content-type",
  "mcp-protocol-version",
  "mcp-session-id",
  "retry-after",
  "www-authenticate",
];

export function createUrlUpstream(
  url: string,
  { allowNetworks }: { readonly allowNetworks: readonly string[] },
): Upstream {
  const net = createExchange(
    { allowLoopback: true, allowNetworks },
    { userAgent: `openmcp/${version} (inspect)` },
  );
  const fetch = createFetch(net.exchange, { timeoutMs: EXCHANGE_MS, maxBodyBytes: MAX_ANSWER_BYTES });
  return {
    async fetch(request) {
      const headers = new Headers();
      for (const [name, value] of request.headers) {
        if (!NOT_PASSED.has(name) && !name.startsWith("sec-")) headers.set(name, value);
      }
      const body = request.method === "POST" ? await request.text() : undefined;
      try {
        const answer = await fetch(url, {
          method: request.method,
          headers,
          signal: request.signal,
          ...(body === undefined ? {} : { body }),
        });
        const back = new Headers();
        for (const name of PASSED_BACK) {
          const value = answer.headers.get(name);
          if (value !== null) back.set(name, value);
        }
        return new Response(answer.body, { status: answer.status, headers: back });
      } catch (error) {
        if (!isOpenMcpError(error)) throw error;
        const told = { jsonrpc: "2.0", id: null, error: { code: -32_000, message: error.message } };
        return Response.json(told, { status: 502 });
      }
    },
    [Symbol.asyncDispose]: () => net.close(),
  };
}
