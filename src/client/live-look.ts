/**
 * A look at an endpoint through the official SDK's client, for discovery where there is no catalog's look: in a browser, say. It reads
 * what the SDK reads; a server that breaks the protocol is `protocol-error` here, where a catalog may still read it. Bounded in time
 * and pages; carries no credential.
 */
import type { Ask, LiveAnswer } from "../discovery/index.ts";
import {
  anyObject,
  isJsonObject,
  OpenMcpError,
  type ProbeState,
  type ToolDefinition,
} from "../spec/index.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { deadline } from "./deadline.ts";
import { explainMcp, type McpFailure } from "./explain-mcp.ts";
import { LOOK_TIMEOUT_MS, MAX_BODY_BYTES, MAX_LOOK_PAGES } from "./limits.ts";
import { type McpConnection, openMcp } from "./open-mcp.ts";
import type { Fetch } from "./settings.ts";

export function createLook(fetch: Fetch, timeoutMs: number = LOOK_TIMEOUT_MS): Ask {
  return async (endpoint, { signal }) => {
    const started = Date.now();
    const stop = signal ?? new AbortController().signal;
    const limit = deadline({ base: endpoint, signal: stop, timeoutMs }, { defaultMs: timeoutMs });
    try {
      const client = await openMcp(endpoint, {
        fetch: boundedFetch(fetch, MAX_BODY_BYTES),
        signal: limit.signal,
        timeoutMs,
      });
      try {
        return { ...(await running(client, limit)), latencyMs: Date.now() - started };
      } finally {
        await client.close();
      }
    } catch (error) {
      if (stop.aborted) throw new OpenMcpError("aborted", "the look was given up", { cause: error });
      return failed(endpoint, limit.signal.aborted ? { kind: "timeout" } : explainMcp(error));
    }
  };
}

async function running(
  client: McpConnection,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<LiveAnswer> {
  const tools = new Map<string, ToolDefinition>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "tools/list", params }, anyObject, {
      signal,
      timeout: timeoutMs,
    });
    for (const tool of Array.isArray(page.tools) ? page.tools : []) {
      if (!isJsonObject(tool) || typeof tool.name !== "string" || tool.name === "") continue;
      if (!tools.has(tool.name)) tools.set(tool.name, tool as ToolDefinition);
    }
    cursor = typeof page.nextCursor === "string" && !seen.has(page.nextCursor) ? page.nextCursor : undefined;
    if (cursor !== undefined) seen.add(cursor);
    pages += 1;
  } while (cursor !== undefined && pages < MAX_LOOK_PAGES);
  const server = client.getServerVersion();
  const era = client.getNegotiatedProtocolVersion() ?? null;
  return {
    ...nothingKnown,
    state: "online",
    era,
    transport: "streamable-http",
    httpStatus: 200,
    server: { name: server?.name ?? null, version: server?.version ?? null, protocolVersion: era },
    tools: [...tools.values()],
    toolsTruncated: cursor !== undefined,
  };
}

const nothingKnown: LiveAnswer = {
  state: "unreachable",
  era: null,
  transport: null,
  httpStatus: null,
  latencyMs: null,
  server: null,
  tools: null,
  toolsTruncated: false,
  notes: [],
  error: null,
  challenge: null,
};

function failed(endpoint: string, failure: McpFailure): LiveAnswer {
  const told = (state: ProbeState, error: string, httpStatus: number | null = null): LiveAnswer => ({
    ...nothingKnown,
    state,
    httpStatus,
    error,
  });
  switch (failure.kind) {
    case "refused":
      return told("auth-required", "It wants a credential before it says anything.", failure.status);
    case "rpc":
      return told("protocol-error", `It answers MCP with an error: ${failure.rpc.message}`);
    case "not-mcp":
      return told("not-mcp", "It answers, but not as MCP.", failure.status);
    case "timeout":
      return told("timeout", "It gave no answer in time.");
    case "aborted":
    case "unreachable": {
      const reason = failure.kind === "unreachable" && failure.reason !== null ? ` (${failure.reason})` : "";
      return told(
        "unreachable",
        `Nothing that may be read from here answers at ${new URL(endpoint).origin}${reason}.`,
      );
    }
  }
}
