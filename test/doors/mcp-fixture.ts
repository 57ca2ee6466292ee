/**
 * A catalog behind a socket with one relay of three tools, for the MCP door's tests, and the official clients of both
 * lines behind one small interface.
 */
import type { ServerResponse } from "node:http";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonObject } from "../../src/spec/index.ts";
import { type FakeRelay, type SeenRequest, startFakeRelay } from "../../src/testing/index.ts";
import { type CatalogFixture, json, openCatalog, serveDoors, tool } from "./catalog-fixture.ts";

/** Content of a kind that no SDK knows, keys that none keeps, and a result's own `_meta`. */
export const ODD_RESULT = {
  content: [
    { type: "text", text: "hello", "x-inner": { deep: [null] } },
    { type: "hologram", payload: 1 },
  ],
  structuredContent: { a: [1, { b: null }] },
  "x-unknown": { kept: true },
  _meta: { "relay.example/trace": "t-1" },
};

/** Answers a call with exactly this result, or this text of one; the fake relay would add what its era demands. */
export function answerCall(seen: SeenRequest, response: ServerResponse, result: object | string): boolean {
  const message = seen.body === "" ? {} : JSON.parse(seen.body);
  if (message.method !== "tools/call") return false;
  const text = typeof result === "string" ? result : JSON.stringify(result);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`);
  return true;
}

export interface Posted {
  readonly method: string;
  readonly params?: JsonObject;
  /** Put into the envelope of the modern era, and into `_meta` as it is in the legacy one. */
  readonly meta?: JsonObject;
  readonly signal?: AbortSignal;
}

/** One request of the modern era, with all that it demands. */
export function postModern(url: string, { method, params = {}, meta, signal }: Posted): Promise<Response> {
  const version = "2026-07-28";
  const prefix = "io.modelcontextprotocol/";
  const _meta = {
    [`${prefix}protocolVersion`]: version,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name: "hand", version: "1" },
    ...meta,
  };
  const headers = {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
  };
  return post(url, { body: { method, params: { ...params, _meta } }, headers, signal });
}

/** One request of the legacy era, without a handshake: the door keeps no session. */
export function postLegacy(url: string, { method, params = {}, meta, signal }: Posted): Promise<Response> {
  const _meta = meta === undefined ? {} : { _meta: meta };
  return post(url, { body: { method, params: { ...params, ..._meta } }, headers: {}, signal });
}

function post(
  url: string,
  request: {
    readonly body: object;
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...request.headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, ...request.body }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
}

/** The messages of an answer that is an event stream, in order. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
export async function events(response: Response): Promise<any[]> {
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) =>
    JSON.parse(data as string),
  );
}

export interface McpFixture extends AsyncDisposable {
  readonly catalog: CatalogFixture;
  /** Base URL of the catalog. */
  readonly url: string;
  readonly relay: FakeRelay;
  /** The relay's id. */
  readonly id: string;
  /** Registers another relay; gives its id. */
  register(other: FakeRelay): Promise<string>;
}

export async function openMcp(): Promise<McpFixture> {
  const catalog = await openCatalog();
  const served = await serveDoors(catalog.context);
  const relay = await startFakeRelay({
    descriptor: { mcp: "/mcp", name: "Paper", auth: { kind: "bearer", url: "https://get.example/a-token" } },
    tools: [tool("echo", "Says it again."), tool("odd", "Answers oddly."), tool("fails", "Fails always.")],
    intercept: (seen, response) =>
      seen.body.includes('"name":"odd"') && answerCall(seen, response, ODD_RESULT),
    onCall: (name, args): JsonObject => {
      const content = [{ type: "text", text: JSON.stringify(args) }];
      return name === "fails" ? { content, isError: true } : { content };
    },
  });

  async function register(other: FakeRelay): Promise<string> {
    const request = fetch(`${served.url}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: other.url }),
    });
    return (await json(request)).relay.id;
  }

  const id = await register(relay);
  await catalog.list("https://offline.example/mcp", { online: false, verified: false });
  await catalog.index();
  return {
    catalog,
    url: served.url,
    relay,
    id,
    register,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await relay.close();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

export interface Caller extends AsyncDisposable {
  listTools(): Promise<{ tools: { name: string; inputSchema: JsonObject; annotations?: JsonObject }[] }>;
  call(
    name: string,
    args: object,
    options?: { onprogress?: (progress: object) => void; signal?: AbortSignal },
    // biome-ignore lint/suspicious/noExplicitAny: results of many shapes.
  ): Promise<any>;
  instructions(): string | undefined;
  era(): string | undefined;
}

/** The 2.x client; `auto` meets the catalog in the modern era. */
export async function sdk2(url: string, mode: "auto" | "legacy"): Promise<Caller> {
  const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(new URL(`${url}/mcp`)));
  return {
    listTools: () => client.listTools() as never,
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options as never),
    instructions: () => client.getInstructions(),
    era: () => client.getNegotiatedProtocolVersion(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The 1.x client. */
export async function sdk1(url: string): Promise<Caller> {
  const client = new LegacyClient({ name: "test", version: "1" });
  const transport = new LegacyTransport(new URL(`${url}/mcp`));
  await client.connect(transport as never);
  return {
    listTools: () => client.listTools() as never,
    call: (name, args, options) =>
      client.callTool({ name, arguments: { ...args } }, undefined, options as never),
    instructions: () => client.getInstructions(),
    era: () => transport.protocolVersion,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
