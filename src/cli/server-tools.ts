/**
 * All tools of a server that runs now, as it lists them, in whichever era it speaks: of an endpoint by the catalog's own look,
 * or with a credential by the SDK's client; of a command over its standard streams, by the same client.
 */
import { connect, type McpClient } from "../client/index.ts";
import { connect as connectCommand } from "../client/stdio/index.ts";
import { createExchange, createFetch } from "../net/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
  type ToolDefinition,
} from "../spec/index.ts";
import { MAX_TOOL_PAGE_BYTES, MAX_TOOL_PAGES, PROBE_TIMEOUT_MS } from "./limits.ts";
import { lookAround } from "./look-around.ts";
import type { Shell } from "./shell.ts";
import { version } from "./version.ts";

export interface FoundServer {
  /** What it says of itself. */
  readonly server: JsonObject;
  readonly tools: readonly ToolDefinition[];
  /** Null over stdio. */
  readonly endpoint: string | null;
  readonly protocolVersion: string | null;
  readonly notes: readonly string[];
}

interface LookOptions {
  readonly shell: Shell;
  readonly relayToken?: string | undefined;
  readonly allowNetwork?: readonly string[] | undefined;
}

/** @throws OpenMcpError what kept it from the tools, in the words of a look. */
export async function lookAtEndpoint(
  [url = ""]: readonly string[],
  { shell, relayToken, allowNetwork = [] }: LookOptions,
): Promise<FoundServer> {
  const { signal } = shell;
  const timeoutMs = shell.options.timeout ?? PROBE_TIMEOUT_MS;
  if (relayToken === undefined || relayToken === "") {
    const { finding } = await lookAround(url, { signal, allowNetworks: allowNetwork, timeoutMs });
    const { state, error, server, era, tools, notes, toolsTruncated } = finding.verdict;
    if (state !== "online" || tools === null) {
      const code = state === "auth-required" ? "relay-refused" : "relay-unreachable";
      throw new OpenMcpError(
        code,
        `${finding.endpoint} lists no tools (${state}): ${error ?? "no reason given"}`,
        {
          data: { state },
        },
      );
    }
    const cut = toolsTruncated ? ["It may have more tools than these."] : [];
    const said = { name: server?.name ?? null, version: server?.version ?? null };
    return {
      server: said,
      tools,
      endpoint: finding.endpoint,
      protocolVersion: era,
      notes: [...notes, ...cut],
    };
  }
  const net = createExchange(
    { allowLoopback: true, allowNetworks: allowNetwork },
    { userAgent: `openmcp/${version}` },
  );
  await using _net = net;
  await using client = await connect(url, {
    token: relayToken,
    fetch: createFetch(net.exchange, { timeoutMs, maxBodyBytes: MAX_TOOL_PAGE_BYTES }),
    signal,
    timeoutMs,
    degraded: true,
    ...identity,
  });
  return { ...(await told(client, { signal, timeoutMs })), endpoint: url };
}

/** Runs the command, with this environment, until it has told its tools. What it writes to its standard error is seen. */
export async function lookAtCommand(
  [command = "", ...args]: readonly string[],
  { shell }: LookOptions,
): Promise<FoundServer> {
  const { signal } = shell;
  const env = Object.entries(shell.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const limits = { signal, timeoutMs: shell.options.timeout ?? PROBE_TIMEOUT_MS };
  try {
    await using client = await connectCommand(
      { command, args, env: Object.fromEntries(env) },
      { ...limits, stderr: "inherit", ...identity },
    );
    return { ...(await told(client, limits)), endpoint: null };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpenMcpError("relay-unreachable", `"${command}" does not answer as an MCP server: ${reason}`, {
      cause: error,
    });
  }
}

const identity = { name: "openmcp", version };

/** Every page, as it came: the SDK's own `listTools` drops what it does not know. */
async function told(
  client: McpClient,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Omit<FoundServer, "endpoint">> {
  const tools = new Map<string, ToolDefinition>();
  const notes: string[] = [];
  const seen = new Set<JsonValue>();
  let cursor: JsonValue | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES && !seen.has(cursor ?? ""); page += 1) {
    seen.add(cursor ?? "");
    const params: JsonObject = typeof cursor === "string" ? { cursor } : {};
    const answer = await client.request({ method: "tools/list", params }, { signal, timeoutMs });
    for (const tool of Array.isArray(answer.tools) ? (answer.tools as readonly JsonValue[]) : []) {
      if (!isTool(tool)) notes.push("One entry of the tool list has no name and was left out.");
      else if (tools.has(tool.name)) notes.push(`The tool "${tool.name}" is listed more than once.`);
      else tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (typeof cursor !== "string" || cursor === "") break;
  }
  const server = client.serverInfo;
  return {
    server: isJsonObject(server) ? server : {},
    tools: [...tools.values()],
    protocolVersion: client.protocolVersion,
    notes,
  };
}

function isTool(value: JsonValue): value is ToolDefinition {
  return isJsonObject(value) && typeof value.name === "string";
}
