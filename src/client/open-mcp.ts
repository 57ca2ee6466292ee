/**
 * Opens the official SDK's client on a Streamable HTTP endpoint, in whichever era it speaks, and gives it a way to end:
 * the SDK's `close()` sends no DELETE, so a legacy session is terminated first. The SDK is loaded when first needed:
 * who reads a catalog over REST never pays for it.
 */
import type { Client } from "@modelcontextprotocol/client";
import { SESSION_END_MS } from "./limits.ts";
import type { Fetch } from "./settings.ts";
import { untilAborted } from "./until-aborted.ts";

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
  /** How the client names itself. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** Rejects with the SDK's own errors; `explainMcp` reads them. */
export async function openMcp(endpoint: string, options: OpenMcpOptions): Promise<McpConnection> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    fetch: options.fetch,
    ...(options.token === undefined
      ? {}
      : { requestInit: { headers: { authorization: `Bearer ${options.token}` } } }),
  });
  const client = new Client(
    { name: options.name ?? "openmcp-client", version: options.version ?? "0.1" },
    { versionNegotiation: { mode: "auto" }, inputRequired: { autoFulfill: false } },
  );
  try {
    // The SDK's own look for the era does not heed the signal; closing ends it.
    const connecting = client.connect(transport, { signal: options.signal, timeout: options.timeoutMs });
    await untilAborted(connecting, options.signal);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  const closeClient = client.close.bind(client);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      if (transport.sessionId !== undefined) await bounded(transport.terminateSession());
      await closeClient();
    })();
    return closing;
  };
  return Object.assign(client, { close, [Symbol.asyncDispose]: close });
}

/** A server that refuses or never answers the DELETE must not hold up the end. */
async function bounded(ending: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SESSION_END_MS);
  });
  await Promise.race([ending.catch(() => undefined), limit]);
  clearTimeout(timer);
}
