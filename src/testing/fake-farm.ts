/**
 * Many fake relays in one process, each on its own loopback address of one port, for benchmarks and tests of scale.
 * Answers are made once for each relay and sent as bytes, so that a farm in a process of its own is no bottleneck.
 * Modern era by default; it checks nothing it is sent, and keeps no log.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { DESCRIPTOR_PATH, type JsonObject, type ToolDefinition } from "../spec/index.ts";
import { FARM_LISTENERS } from "./limits.ts";

export interface FakeFarmOptions {
  /** Of relay `index`; default one `echo` tool. */
  readonly tools?: (index: number) => readonly ToolDefinition[];
  /** The descriptor of relay `index`; null for 404. Default `{openmcp, mcp: "/mcp", name}`. */
  readonly descriptor?: (index: number) => JsonObject | null;
  readonly era?: "modern" | "legacy";
  /** Index of the first relay: farms in several processes together number one row. Default 0. */
  readonly first?: number;
  /** Default: one the system picks. */
  readonly port?: number;
  /** Milliseconds before a `tools/call` is answered; default 0. */
  readonly callDelayMs?: number;
  /** Milliseconds before anything else is answered; default 0. */
  readonly delayMs?: number;
  /** Sent with each descriptor, lower-case names; one with an `etag` answers 304 to who has it. */
  readonly descriptorHeaders?: Readonly<Record<string, string>>;
}

export interface FakeFarm extends AsyncDisposable {
  /** Endpoint URLs, by index. */
  readonly urls: readonly string[];
  readonly port: number;
  /** Requests answered so far. */
  readonly answered: number;
  /** Changes what is answered from now on. */
  update(options: Pick<FakeFarmOptions, "delayMs" | "callDelayMs">): void;
  close(): Promise<void>;
}

/**
 * Starts `count` relays, 127.1.0.1 and on. One listener an address: a single one on 0.0.0.0 would open the farm to the
 * network. Costs a file descriptor each, so one process holds at most `FARM_LISTENERS`; start several for more.
 */
export async function startFakeFarm(count: number, given: FakeFarmOptions = {}): Promise<FakeFarm> {
  let options = given;
  if (count > FARM_LISTENERS) {
    throw new RangeError(`${count} relays in one process; at most ${FARM_LISTENERS}: start several farms`);
  }
  const first = options.first ?? 0;
  const bodies = new Map<string, RelayBodies>();
  let answered = 0;
  const http = createServer((request, response) => {
    answered += 1;
    const relay = bodies.get(request.socket.localAddress ?? "");
    if (relay === undefined) response.writeHead(404).end();
    else if (request.method === "POST") void answerPost(request, response, { relay, options });
    else after(options.delayMs, () => answerGet(request, response, { relay, options }));
  });
  http.keepAliveTimeout = 5_000;

  // An http server that never listens itself does not count its connections.
  const sockets = new Set<Socket>();
  const listeners: Server[] = [];
  const urls: string[] = [];
  let port = options.port ?? 0;
  for (let index = first; index < first + count; index += 1) {
    const address = farmAddress(index);
    const listener = createSocketServer((socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      http.emit("connection", socket);
    });
    await new Promise<void>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen({ port, host: address, backlog: 128 }, resolve);
    });
    port = (listener.address() as AddressInfo).port;
    listeners.push(listener);
    urls.push(`http://${address}:${port}/mcp`);
    bodies.set(address, relayBodies(index, options));
  }

  let closing: Promise<void> | null = null;
  function close(): Promise<void> {
    closing ??= (async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
    })();
    return closing;
  }

  return {
    urls,
    port,
    update(changes) {
      options = { ...options, ...changes };
    },
    get answered() {
      return answered;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The loopback address of relay `index`: 127.1.0.1 and on, never one that ends in 0 or 255. */
export function farmAddress(index: number): string {
  const last = (index % 254) + 1;
  const rest = Math.floor(index / 254);
  return `127.${1 + (rest >> 8)}.${rest & 255}.${last}`;
}

interface RelayBodies {
  readonly descriptor: Buffer | null;
  readonly era: "modern" | "legacy";
  /** JSON of a result without its last brace. */
  readonly discover: string;
  readonly list: string;
}

const NOT_FOUND = Buffer.from("not found");
const FARM_TOOLS: readonly ToolDefinition[] = [
  { name: "echo", description: "Says it again.", inputSchema: { type: "object" } },
];
const META = { "io.modelcontextprotocol/serverInfo": { name: "fake-farm", version: "1.0.0" } };
const CACHE = { resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: META };
const CALLED = JSON.stringify({
  content: [{ type: "text", text: "done" }],
  resultType: "complete",
  _meta: META,
});

function relayBodies(index: number, options: FakeFarmOptions): RelayBodies {
  const descriptor =
    options.descriptor === undefined
      ? { openmcp: "0.1", mcp: "/mcp", name: `Relay ${index}`, auth: { kind: "none" } }
      : options.descriptor(index);
  const tools = options.tools?.(index) ?? FARM_TOOLS;
  const era = options.era ?? "modern";
  return {
    descriptor: descriptor === null ? null : Buffer.from(JSON.stringify(descriptor)),
    era,
    discover: JSON.stringify(
      era === "modern"
        ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...CACHE }
        : { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "fake-farm" } },
    ),
    list: JSON.stringify(era === "modern" ? { tools, ...CACHE } : { tools }),
  };
}

function answerGet(
  request: IncomingMessage,
  response: ServerResponse,
  { relay, options }: { readonly relay: RelayBodies; readonly options: FakeFarmOptions },
): void {
  const headers = options.descriptorHeaders ?? {};
  if (request.url !== DESCRIPTOR_PATH || relay.descriptor === null) send(response, 404, NOT_FOUND);
  else if (headers.etag !== undefined && request.headers["if-none-match"] === headers.etag) {
    response.writeHead(304, headers).end();
  } else send(response, 200, relay.descriptor, headers);
}

async function answerPost(
  request: IncomingMessage,
  response: ServerResponse,
  to: { readonly relay: RelayBodies; readonly options: FakeFarmOptions },
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += (chunk as Buffer).toString("latin1");
  const { relay, options } = to;
  // Reading the whole message would cost more than answering it; a catalog's own requests have these two near the top.
  const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1];
  const method = /"method":"([^"]+)"/.exec(body)?.[1];
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const opening = relay.era === "modern" ? "server/discover" : "initialize";
  if (method === opening) after(options.delayMs, () => sendResult(response, id, relay.discover));
  else if (method === "tools/list") after(options.delayMs, () => sendResult(response, id, relay.list));
  else if (method === "tools/call") after(options.callDelayMs, () => sendResult(response, id, CALLED));
  else {
    const error = `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"method not found"}}`;
    send(response, relay.era === "modern" ? 404 : 200, Buffer.from(error));
  }
}

function sendResult(response: ServerResponse, id: string, result: string): void {
  send(response, 200, Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}`));
}

function send(
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": String(body.length),
      ...headers,
    })
    .end(body);
}

function after(ms: number | undefined, work: () => void): void {
  if (ms === undefined || ms === 0) work();
  else setTimeout(work, ms);
}
