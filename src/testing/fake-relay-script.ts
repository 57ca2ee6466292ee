/** What a fake relay is told to be, and what it keeps of each request; fake-relay.ts runs it, fake-mcp.ts speaks for it. */
import type { ServerResponse } from "node:http";
import type { JsonObject, ToolDefinition } from "../spec/index.ts";

export interface FakeRelayOptions {
  /** Default 127.0.0.1; any 127.0.0.0/8 address. */
  readonly host?: string;
  readonly port?: number;
  /** Endpoint path; default `/mcp`. */
  readonly path?: string;
  /** Default `both`. */
  readonly era?: "modern" | "legacy" | "both";
  /** Legacy only: open an `Mcp-Session-Id`; default false. */
  readonly session?: boolean;
  /** Default `json`. */
  readonly answer?: "json" | "sse";
  /** Served at `/.well-known/openmcp.json`: an object, a raw text, or null for 404 (default). */
  readonly descriptor?: JsonObject | string | null;
  readonly tools?: readonly ToolDefinition[];
  /** Tools a page; default all on one. */
  readonly pageSize?: number;
  /** Milliseconds before every answer. */
  readonly delayMs?: number;
  /** Modern only: milliseconds for which a list says that it holds; default 0. */
  readonly ttlMs?: number;
  /** When set, MCP requests without this bearer get 401 with a challenge. */
  readonly token?: string | undefined;
  /** The result of `tools/call`; default echoes the arguments as text. */
  readonly onCall?: ((name: string, args: JsonObject) => JsonObject | Promise<JsonObject>) | undefined;
  /** What the relay calls itself; default `fake-relay` 1.0.0. */
  readonly serverInfo?: JsonObject;
  /**
   * Answers a request by hand, before any rule of the relay: for servers that break the rules.
   * True when it took the request (it may never answer it), false to let the relay go on.
   */
  readonly intercept?:
    | ((seen: SeenRequest, response: ServerResponse) => boolean | Promise<boolean>)
    | undefined;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}
