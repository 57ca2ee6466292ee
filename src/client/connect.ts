/**
 * From a server to a client that is ready, in one call or in two (docs/connect.md): an MCP endpoint's URL, a pair of streams, or any
 * transport of the official SDK; a command is `openmcp/client/stdio`'s. The caller's credential goes to the server and nowhere else
 * (OpenMCP 0.1 "The client", 3).
 */
import type { ClientCapabilities, Transport } from "@modelcontextprotocol/client";
import { READ_TIMEOUT_MS } from "./limits.ts";
import { type Answerers, assertContract } from "./session/answering.ts";
import { httpLink, readEndpoint } from "./session/http-link.ts";
import { transportLink } from "./session/link.ts";
import { type UninitializedClient, uninitialized } from "./session/open.ts";
import type { McpClient } from "./session/ready-client.ts";
import { isStreams, type Streams, streamLink } from "./session/stream-link.ts";
import type { Fetch } from "./settings.ts";

/** What can be connected to from anywhere. */
export type ConnectTarget = string | URL | Streams | Transport;

export interface OpenOptions {
  /** URL only: the caller's credential, sent as `Authorization: Bearer` to the endpoint's origin only. */
  readonly token?: string | undefined;
  /** URL only: sent with every request, to the endpoint's origin only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** URL only; default `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** URL only: go on when the server refuses the stream of its pushes, which an older one opens by GET. */
  readonly degraded?: boolean | undefined;
}

export interface ConnectOptions extends OpenOptions {
  /** For the handshake; calls take their own. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the handshake; default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How this client names itself to the server. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** What is declared to the server: `sampling`, `elicitation` and `roots` each want their handler. */
  readonly capabilities?: ClientCapabilities | undefined;
  readonly handlers?: Answerers | undefined;
  /** The one version to offer; absent: 2026-07-28, else 2025-11-25. */
  readonly protocolVersion?: string | undefined;
}

/**
 * Connects in the era that the server speaks. Rejects with `ConnectError`, whose `stage` says where it failed; with TypeError and
 * `invalid-input`, before anything is opened, for what is no target or breaks the contract of capabilities.
 *
 * @example
 * ```ts
 * import { connect } from "openmcp/client";
 *
 * await using relay = await connect("https://relay.example/mcp", { token: "mine" });
 * const { tools } = await relay.listTools();
 * const result = await relay.callTool({ name: tools[0]?.name ?? "", arguments: {} });
 * ```
 */
export async function connect(target: ConnectTarget, options: ConnectOptions = {}): Promise<McpClient> {
  assertContract(options);
  const opened = await open(target, options);
  return opened.initialize(infoOf(options), options);
}

/**
 * The way to a server, and nothing said yet: `initialize` is the only thing to do with it, once.
 *
 * @example
 * ```ts
 * import { open } from "openmcp/client";
 *
 * const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
 * await using opened = await open({ readable, writable });
 * const client = await opened.initialize({ name: "mine", version: "1.0.0" }, { capabilities: {} });
 * ```
 */
export async function open(target: ConnectTarget, options: OpenOptions = {}): Promise<UninitializedClient> {
  if (typeof target === "string" || target instanceof URL) {
    const endpoint = readEndpoint(target);
    const make = () =>
      httpLink(endpoint, {
        ...options,
        fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      });
    return uninitialized(await make(), { again: make, defaultMs: READ_TIMEOUT_MS });
  }
  if (typeof target !== "object" || target === null) {
    throw new TypeError("Name a server: a URL, a pair of streams or a transport.");
  }
  const link = isStreams(target) ? streamLink(target) : transportLink(target);
  return uninitialized(link, { again: null, defaultMs: READ_TIMEOUT_MS });
}

/** @internal */
export function infoOf({ name, version }: Pick<ConnectOptions, "name" | "version">) {
  return { name: name ?? "openmcp-client", version: version ?? "0.1" };
}
