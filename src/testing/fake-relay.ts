/**
 * A scriptable MCP relay over plain node:http for tests and benchmarks: every era, transport and oddity by option.
 * It is no MCP server to build on; that is the kit's and the SDK's work. It checks what it is sent only as far as a
 * test may want to see a client fail: headers of the modern era, the session of the legacy one, the bearer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DESCRIPTOR_PATH, type JsonObject } from "../spec/index.ts";
import { createFakeMcp, type FakeAnswer } from "./fake-mcp.ts";
import type { FakeRelayOptions, SeenRequest } from "./fake-relay-script.ts";

export interface FakeRelay extends AsyncDisposable {
  /** The MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Sessions opened and not deleted. */
  readonly openSessions: ReadonlySet<string>;
  /** Changes the script from the next request on. */
  update(options: Partial<FakeRelayOptions>): void;
  /** Idempotent; ends open connections. */
  close(): Promise<void>;
}

/** Starts a relay; resolves when it listens. `host`, `port` and `path` stay as they were started. */
export async function startFakeRelay(options: FakeRelayOptions = {}): Promise<FakeRelay> {
  let script = options;
  const path = options.path ?? "/mcp";
  const requests: SeenRequest[] = [];
  const mcp = createFakeMcp();
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen: SeenRequest = {
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: request.headers as SeenRequest["headers"],
      body: await readBody(request),
    };
    requests.push(seen);
    const now = script;
    if (now.delayMs !== undefined && now.delayMs > 0) await pause(now.delayMs);
    if (now.intercept !== undefined && (await now.intercept(seen, response))) return;
    const pathname = seen.path.split("?")[0];
    if (pathname === path) {
      write(response, await mcp.answer(seen, now), now.answer ?? "json");
    } else if (pathname === DESCRIPTOR_PATH && (seen.method === "GET" || seen.method === "HEAD")) {
      writeDescriptor(response, now.descriptor ?? null);
    } else {
      write(response, { status: 404, text: "not found" }, "json");
    }
  }

  const origin = await new Promise<string>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", () => {
      const address = server.address() as AddressInfo;
      resolve(`http://${address.address}:${address.port}`);
    });
  });

  let closing: Promise<void> | null = null;
  function close(): Promise<void> {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  }

  return {
    url: `${origin}${path}`,
    origin,
    requests,
    openSessions: mcp.sessions,
    update(changes) {
      script = { ...script, ...changes };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The whole body as UTF-8 text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? (chunks[0] as Buffer).toString() : Buffer.concat(chunks).toString();
}

function write(response: ServerResponse, answer: FakeAnswer, form: "json" | "sse"): void {
  const headers: Record<string, string> = { ...answer.headers };
  let body = answer.text ?? "";
  if (answer.message !== undefined) {
    body = JSON.stringify(answer.message);
    const stream = form === "sse" && answer.status === 200;
    headers["content-type"] = stream ? "text/event-stream" : "application/json";
    if (stream) body = `event: message\ndata: ${body}\n\n`;
  } else if (body !== "") {
    headers["content-type"] = "text/plain; charset=utf-8";
  }
  headers["content-length"] = String(Buffer.byteLength(body));
  response.writeHead(answer.status, headers).end(body);
}

function writeDescriptor(response: ServerResponse, descriptor: JsonObject | string | null): void {
  if (descriptor === null) {
    write(response, { status: 404, text: "not found" }, "json");
    return;
  }
  const body = typeof descriptor === "string" ? descriptor : JSON.stringify(descriptor);
  response
    .writeHead(200, { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) })
    .end(body);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
