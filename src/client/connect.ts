/**
 * Going direct: from an endpoint to a connected MCP client, with the caller's own credential (OpenMCP 0.1 "The client", 3).
 * The catalog sees neither the calls nor the credential. What comes back is the official SDK's client.
 */
import { OpenMcpError } from "../spec/index.ts";
import { deadline } from "./deadline.ts";
import { explainMcp } from "./explain-mcp.ts";
import { READ_TIMEOUT_MS } from "./limits.ts";
import { type McpConnection, openMcp } from "./open-mcp.ts";
import type { Fetch } from "./settings.ts";

export interface ConnectOptions {
  /** The caller's credential for the relay: sent as `Authorization: Bearer`, to the endpoint's origin only. */
  readonly token?: string;
  /** Default `globalThis.fetch`. */
  readonly fetch?: Fetch;
  /** For the handshake; requests on the connection take their own. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the handshake; default 30 s. */
  readonly timeoutMs?: number;
  /** How this client names itself to the relay. */
  readonly name?: string;
  readonly version?: string;
}

/**
 * Connects to a relay's MCP endpoint in the era it speaks (2026-07-28, else `initialize`).
 * Rejects with `OpenMcpError`: `relay-refused`, `relay-unreachable`, `relay-timeout`, `relay-error`, `aborted`, `invalid-input`.
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
export async function connect(endpoint: string | URL, options: ConnectOptions = {}): Promise<McpConnection> {
  const url = String(endpoint);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new OpenMcpError("invalid-input", `An endpoint is an http or https URL, not "${url}".`, {
      data: { field: "endpoint" },
    });
  }
  const limit = deadline(
    { base: url, signal: options.signal ?? new AbortController().signal, timeoutMs: options.timeoutMs },
    { defaultMs: READ_TIMEOUT_MS },
  );
  try {
    return await openMcp(url, {
      token: options.token,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      signal: limit.signal,
      timeoutMs: limit.timeoutMs,
      name: options.name,
      version: options.version,
    });
  } catch (error) {
    const explained = limit.explain(error, (cause) => relayError(url, cause));
    if (explained.code !== "timeout") throw explained;
    throw new OpenMcpError("relay-timeout", explained.message, { data: explained.data, cause: error });
  }
}

function relayError(url: string, error: unknown): OpenMcpError {
  const failure = explainMcp(error);
  switch (failure.kind) {
    case "refused":
      return new OpenMcpError(
        "relay-refused",
        `${url} wants a credential, or refused the one given (${failure.status}). Pass yours as \`token\`.`,
        { data: { status: failure.status }, cause: error },
      );
    case "rpc":
      return new OpenMcpError("relay-error", failure.rpc.message, {
        data: { rpc: failure.rpc },
        cause: error,
      });
    case "timeout":
      return new OpenMcpError("relay-timeout", `${url} gave no answer in time.`, { cause: error });
    case "aborted":
      return new OpenMcpError("aborted", "The request was ended before its answer.", { cause: error });
    case "not-mcp":
      return new OpenMcpError(
        "relay-unreachable",
        `${url} answers${failure.status === null ? "" : ` (${failure.status})`}, but not as MCP. Does the URL include the endpoint's path, such as /mcp?`,
        { data: { status: failure.status }, cause: error },
      );
    case "unreachable":
      return new OpenMcpError(
        "relay-unreachable",
        `No relay answers at ${url}${failure.reason === null ? "" : ` (${failure.reason})`}.`,
        { data: { reason: failure.reason }, cause: error },
      );
  }
}
