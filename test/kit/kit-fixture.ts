/** Raw requests to a served relay, as a client of either era sends them, and the official clients behind one small interface. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonObject } from "../../src/spec/index.ts";

export type Headers = Readonly<Record<string, string>>;

export interface Asked {
  readonly method: string;
  readonly params?: JsonObject;
  readonly headers?: Headers;
  readonly id?: number;
}

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** A request of the modern era. */
export function askModern(
  url: string,
  { method, params = {}, headers = {}, id = 7 }: Asked,
): Promise<Response> {
  const version = "2026-07-28";
  const prefix = "io.modelcontextprotocol/";
  const _meta = {
    [`${prefix}protocolVersion`]: version,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name: "hand", version: "1" },
    ...(params._meta as object | undefined),
  };
  return fetch(url, {
    method: "POST",
    headers: {
      ...JSON_HEADERS,
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
  });
}

/** A request of the legacy era; `headers` have the session's id. */
export function askLegacy(
  url: string,
  { method, params = {}, headers = {}, id = 7 }: Asked,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
}

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "hand", version: "1" },
};

/** Opens a session; gives the headers that go on with it. */
export async function openSession(url: string, headers: Headers = {}): Promise<Headers> {
  const response = await askLegacy(url, { method: "initialize", params: HELLO, headers });
  const text = await response.text();
  const id = response.headers.get("mcp-session-id");
  if (id === null) throw new Error(`no session: ${response.status} ${text}`);
  const own = { ...headers, "mcp-session-id": id };
  await fetch(url, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...own },
    body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  });
  return own;
}

/** The one message of an answer, plain or streamed. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
export async function message(response: Response | Promise<Response>): Promise<any> {
  const text = await (await response).text();
  const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return JSON.parse(data ?? text);
}

/** What both lines of the official client do. */
export interface OfficialClient extends AsyncDisposable {
  // biome-ignore lint/suspicious/noExplicitAny: each line has types of its own.
  readonly client: any;
  close(): Promise<void>;
}

export const officialClients = {
  async "1.x"(url: string, headers: Headers = {}): Promise<OfficialClient> {
    const client = new LegacyClient({ name: "legacy", version: "1" }, { capabilities: { elicitation: {} } });
    const transport = new LegacyTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport as never);
    const close = async (): Promise<void> => {
      await transport.terminateSession();
      await client.close();
    };
    return { client, close, [Symbol.asyncDispose]: close };
  },
  async "2.x legacy"(url: string, headers: Headers = {}): Promise<OfficialClient> {
    const client = new ModernClient({ name: "modern", version: "1" }, {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: "legacy" },
    } as never);
    const transport = new ModernTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport);
    const close = async (): Promise<void> => {
      await transport.terminateSession();
      await client.close();
    };
    return { client, close, [Symbol.asyncDispose]: close };
  },
  async "2.x modern"(url: string, headers: Headers = {}): Promise<OfficialClient> {
    const client = new ModernClient({ name: "modern", version: "1" }, {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: "auto" },
    } as never);
    await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }));
    const close = (): Promise<void> => client.close();
    return { client, close, [Symbol.asyncDispose]: close };
  },
};

export const clientNames = Object.keys(officialClients) as (keyof typeof officialClients)[];
