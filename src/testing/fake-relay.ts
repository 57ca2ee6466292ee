/**
 * A scriptable MCP relay over plain node:http for tests and benchmarks: every era, transport and oddity by option.
 * It is no MCP server to build on; that is the kit's and the SDK's work.
 */
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
  /** When set, MCP requests without this bearer get 401 with a challenge. */
  readonly token?: string;
  /** The result of `tools/call`; default echoes the arguments as text. */
  readonly onCall?: (name: string, args: JsonObject) => JsonObject | Promise<JsonObject>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface FakeRelay extends AsyncDisposable {
  /** The MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Changes the script from the next request on. */
  update(options: Partial<FakeRelayOptions>): void;
  /** Idempotent; ends open connections. */
  close(): Promise<void>;
}

export async function startFakeRelay(_options: FakeRelayOptions = {}): Promise<FakeRelay> {
  throw new Error("to be written first");
}
