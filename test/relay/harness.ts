/** For the tests of relay/: a real exchange, and servers that break every rule by hand. Sockets on loopback only. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { createExchange } from "../../src/net/index.ts";
import type { AskOptions, CallOptions, ToolCall } from "../../src/relay/index.ts";
import { callTool, look } from "../../src/relay/index.ts";
import type { EndpointVerdict, JsonObject } from "../../src/spec/index.ts";

const net = createExchange({ allowLoopback: true, allowNetworks: [] });
afterAll(() => net.close());

export const { exchange } = net;

export interface Heard {
  readonly http: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** Of the JSON-RPC message, where the body is one. */
  readonly method: string;
  readonly id: number | string | undefined;
  readonly params: JsonObject;
}

export type Respond = (heard: Heard, response: ServerResponse) => void | Promise<void>;

export interface OddServer extends AsyncDisposable {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** Methods of what came in, HTTP methods where there was no message. */
  readonly methods: readonly string[];
}

/** A server that answers every request by `respond`; `/mcp` is its URL, though it does not look at paths. */
export async function serve(respond: Respond): Promise<OddServer> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = await bodyOf(request);
      const message = parse(text);
      const one: Heard = {
        http: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        text,
        method: typeof message.method === "string" ? message.method : "",
        id: message.id as number | undefined,
        params: (message.params ?? {}) as JsonObject,
      };
      heard.push(one);
      await respond(one, response);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    heard,
    get methods() {
      return heard.map(({ method, http }) => (method === "" ? http : method));
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends JSON. */
export function json(response: ServerResponse, body: unknown, { status = 200, headers = {} } = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Sends a result with the id that was asked with. */
export function result(
  { id }: Heard,
  response: ServerResponse,
  value: unknown,
  extra: JsonObject = {},
): void {
  json(response, { jsonrpc: "2.0", id, result: value, ...extra });
}

/** Sends an error with the id that was asked with. */
export function error(
  { id }: Heard,
  response: ServerResponse,
  code: number,
  { status = 200, data = undefined as unknown, message = "no" } = {},
): void {
  json(
    response,
    { jsonrpc: "2.0", id: id ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } },
    { status },
  );
}

/** A well-behaved legacy server save for what `over` answers itself (by returning true). */
export function legacy(
  tools: readonly unknown[],
  over: (heard: Heard, response: ServerResponse) => boolean | undefined = () => false,
): Respond {
  return (heard, response) => {
    if (over(heard, response) === true) return;
    if (heard.http !== "POST") response.writeHead(405).end();
    else if (heard.method === "initialize") {
      result(heard, response, {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "odd", version: "1.2.3" },
      });
    } else if (heard.id === undefined) response.writeHead(202).end();
    else if (heard.method === "tools/list") result(heard, response, { tools });
    else if (heard.method === "tools/call")
      result(heard, response, { content: [{ type: "text", text: "done" }] });
    else error(heard, response, -32601);
  };
}

/** A well-behaved modern server save for what `over` answers itself. */
export function modern(
  tools: readonly unknown[],
  over: (heard: Heard, response: ServerResponse) => boolean | undefined = () => false,
): Respond {
  return (heard, response) => {
    if (over(heard, response) === true) return;
    const meta = { "io.modelcontextprotocol/serverInfo": { name: "odd", version: "2.0.0" } };
    const complete = { resultType: "complete", _meta: meta };
    if (heard.http !== "POST") response.writeHead(405).end();
    else if (heard.headers["mcp-protocol-version"] !== "2026-07-28") {
      error(heard, response, -32022, { status: 400, data: { supported: ["2026-07-28"] } });
    } else if (heard.method === "server/discover") {
      result(heard, response, {
        ...complete,
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      });
    } else if (heard.method === "tools/list") {
      result(heard, response, { ...complete, tools, ttlMs: 0, cacheScope: "private" });
    } else if (heard.method === "tools/call") {
      result(heard, response, { ...complete, content: [{ type: "text", text: "done" }] });
    } else error(heard, response, -32601, { status: 404 });
  };
}

export function tool(name: string, more: JsonObject = {}): JsonObject {
  return { name, inputSchema: { type: "object" }, ...more };
}

export function lookAt(url: string, options: Partial<AskOptions> = {}): Promise<EndpointVerdict> {
  return look(url, { exchange, now: Date.now, timeoutMs: 10_000, ...options });
}

export function callAt(url: string, call: Partial<ToolCall> = {}, options: Partial<CallOptions> = {}) {
  return callTool(
    url,
    { tool: "echo", arguments: {}, ...call },
    { exchange, now: Date.now, hints: null, timeoutMs: 10_000, ...options },
  );
}

export function names(verdict: EndpointVerdict): readonly string[] | undefined {
  return verdict.tools?.map(({ name }) => name);
}

/** Resolves when `condition` holds; for what nobody waits for. */
export async function eventually(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("it never came true");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
