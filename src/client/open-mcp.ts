/**
 * Opens the official SDK's client on a Streamable HTTP endpoint, in whichever era it speaks, for this room's own use: a catalog's MCP
 * endpoint, and looks. `connect` is for callers. The SDK is loaded when first needed: who reads a catalog over REST never pays for it.
 */
import type { Client } from "@modelcontextprotocol/client";
import { shake } from "./session/handshake.ts";
import { httpLink } from "./session/http-link.ts";
import type { Fetch } from "./settings.ts";

/** The SDK's client, connected; `close()` is idempotent and ends a legacy session. */
export type McpConnection = Client & AsyncDisposable;

export interface OpenMcpOptions {
  /** Sent as `Authorization: Bearer`, to the endpoint's origin only. */
  readonly token?: string | undefined;
  readonly fetch: Fetch;
  /** For the handshake. */
  readonly signal: AbortSignal;
  /** Milliseconds, for the handshake. */
  readonly timeoutMs: number;
}

/** Rejects with the SDK's own errors; `explainMcp` reads them. */
export async function openMcp(endpoint: string, options: OpenMcpOptions): Promise<McpConnection> {
  const link = await httpLink(endpoint, options);
  const client = await shake(link, {
    info: { name: "openmcp-client", version: "0.1" },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  }).catch(async (error: unknown) => {
    await link.close().catch(() => undefined);
    throw error;
  });
  const closeClient = client.close.bind(client);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= link.close().then(closeClient);
    return closing;
  };
  return Object.assign(client, { close, [Symbol.asyncDispose]: close });
}
