/** Relays that mean harm or are broken in earnest, one script each. What must come of each is in hostile-relays.test.ts. */
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { DESCRIPTOR_PATH, type ToolDefinition } from "../../src/spec/index.ts";
import type { FakeRelayOptions, SeenRequest } from "../../src/testing/index.ts";

const MIB = 1024 * 1024;
const gigabyte = gzippedGigabyte();
const good: readonly ToolDefinition[] = [{ name: "fine", inputSchema: { type: "object" } }];

type Intercept = NonNullable<FakeRelayOptions["intercept"]>;

/** Takes over the descriptor. */
function onDescriptor(serve: (response: ServerResponse) => void): Intercept {
  return (seen, response) => {
    if (seen.path !== DESCRIPTOR_PATH) return false;
    serve(response);
    return true;
  };
}

/** Takes over every POST to the endpoint. */
function onPost(serve: (response: ServerResponse, seen: SeenRequest) => void): Intercept {
  return (seen, response) => {
    if (seen.method !== "POST") return false;
    serve(response, seen);
    return true;
  };
}

/** Takes over one method, both eras. */
function onMethod(
  method: string,
  serve: (response: ServerResponse, id: unknown, seen: SeenRequest) => void,
): Intercept {
  return (seen, response) => {
    if (seen.method !== "POST") return false;
    const message = JSON.parse(seen.body) as { method: string; id?: unknown };
    if (message.method !== method) return false;
    serve(response, message.id, seen);
    return true;
  };
}

function json(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "application/json" });
}

/** Writes for as long as someone reads. */
function endlessly(response: ServerResponse, chunk: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

/** One character a second, for ever. */
function trickle(response: ServerResponse, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    response.write(text[at % text.length] as string);
    at += 1;
  }, 1_000);
  response.once("close", () => clearInterval(timer));
}

function gzippedGigabyte(): Buffer {
  // Members of one gzip stream may follow each other (RFC 1952 section 2.2): one string, 64 times 16 MiB long.
  const member = gzipSync(Buffer.alloc(16 * MIB, "x"));
  return Buffer.concat([
    gzipSync('{"jsonrpc":"2.0","mcp":"/mcp","pad":"'),
    ...Array.from({ length: 64 }, () => member),
  ]);
}

function rpc(id: unknown, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export const hostileRelays = {
  "a descriptor of 10 MB": {
    tools: good,
    descriptor: JSON.stringify({ mcp: "/mcp", name: "Big", description: "x".repeat(10 * MIB) }),
  },
  "a descriptor without end": {
    tools: good,
    intercept: onDescriptor((response) => endlessly(json(response), '{"mcp":"/mcp",'.padEnd(65_536, " "))),
  },
  "a descriptor at one byte a second": {
    tools: good,
    intercept: onDescriptor((response) => trickle(json(response), '{"mcp":"/mcp"}')),
  },
  "a descriptor that is a gzip bomb": {
    tools: good,
    intercept: onDescriptor((response) =>
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gigabyte),
    ),
  },
  "a descriptor nested 100,000 deep": {
    tools: good,
    descriptor: `{"mcp":"/mcp","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  },
  "answers without end": {
    intercept: onPost((response) => endlessly(json(response), `{"jsonrpc":"2.0",${" ".repeat(65_536)}`)),
  },
  "an event stream without end": {
    intercept: onPost((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      endlessly(response, `: ${"x".repeat(65_536)}\n\n`);
    }),
  },
  "answers at one byte a second": {
    intercept: onPost((response) => trickle(json(response), " ")),
  },
  silence: {
    intercept: onPost(() => {}),
  },
  "answers that are gzip bombs": {
    intercept: onPost((response) =>
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gigabyte),
    ),
  },
  "a cut connection": {
    intercept: onPost((response) => response.destroy()),
  },
  "a flood of headers": {
    intercept: onPost((response) => {
      response.writeHead(200, { "x-flood": "y".repeat(10 * MIB) }).end("{}");
    }),
  },
  "cursors that loop": {
    tools: good,
    intercept: onMethod("tools/list", (response, id) =>
      json(response).end(rpc(id, { tools: good, nextCursor: "again", resultType: "complete" })),
    ),
  },
  "cursors without end": {
    intercept: onMethod("tools/list", (response, id, seen) => {
      const cursor = (JSON.parse(seen.body) as { params?: { cursor?: string } }).params?.cursor ?? "0";
      const tools = [{ name: `tool_${cursor}`, inputSchema: { type: "object" } }];
      json(response).end(rpc(id, { tools, nextCursor: String(Number(cursor) + 1), resultType: "complete" }));
    }),
  },
  "100,000 tools": {
    tools: Array.from({ length: 100_000 }, (_, index) => ({ name: `t${index}` })),
  },
  "names that are HTML": {
    tools: [
      { name: '<script>alert("x")</script>', description: '"><img src=x onerror=alert(1)>', inputSchema: {} },
      { name: "javascript:alert(1)", inputSchema: {} },
    ],
    serverInfo: { name: "<b>bold</b>", version: "1" },
  },
  "a name of 5,000 characters": {
    tools: [{ name: "n".repeat(5_000), inputSchema: { type: "object" } }, ...good],
  },
  "tools nested 100,000 deep": {
    intercept: onMethod("tools/list", (response, id) =>
      json(response).end(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"deep","inputSchema":` +
          `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}]}}`,
      ),
    ),
  },
  "the same tool 1,000 times": {
    tools: [...Array.from({ length: 1_000 }, () => good[0] as ToolDefinition), { name: "other" }],
  },
  "ids that don't match": {
    intercept: onPost((response) => json(response).end(rpc("someone else's", { tools: good }))),
  },
  "requests of its own before the answer": {
    answer: "sse",
    intercept: onMethod("tools/list", (response, id) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      // The server's own id may well be the client's too: only a response counts.
      const ask = { jsonrpc: "2.0", id, method: "sampling/createMessage", params: {} };
      const note = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "…" } };
      for (const message of [ask, note]) response.write(`data: ${JSON.stringify(message)}\n\n`);
      response.end(`data: ${rpc(id, { tools: good, resultType: "complete" })}\n\n`);
    }),
  },
  "a redirect to a private address": {
    intercept: onPost((response) => response.writeHead(307, { location: "http://10.0.0.1/mcp" }).end()),
  },
  "a redirect to the metadata address": {
    intercept: (seen, response) => {
      if (seen.path === DESCRIPTOR_PATH) response.writeHead(404).end();
      else response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end();
      return true;
    },
  },
  "a redirect in circles": {
    intercept: onPost((response, seen) => response.writeHead(307, { location: seen.path }).end()),
  },
} satisfies Record<string, FakeRelayOptions>;

export type HostileRelay = keyof typeof hostileRelays;

/** Those that waste time and nothing else: with the real limits each would hold a test for up to a minute. */
export const timeWasters: readonly HostileRelay[] = [
  "a descriptor at one byte a second",
  "answers at one byte a second",
  "silence",
];
