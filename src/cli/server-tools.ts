/**
 * All tools of a server that runs now, as it lists them, in whichever era it speaks: of an endpoint by the catalog's own look,
 * or with a credential by the SDK's client; of a command over its standard streams, by the same client.
 */
import type { Client, StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { connect } from "../client/index.ts";
import { createExchange, createFetch } from "../net/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
  type ToolDefinition,
} from "../spec/index.ts";
import { ERA_TIMEOUT_MS, MAX_TOOL_PAGE_BYTES, MAX_TOOL_PAGES, PROBE_TIMEOUT_MS } from "./limits.ts";
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
  });
  return { ...(await told(client, { signal, timeoutMs })), endpoint: url };
}

/**
 * Runs the command, with this environment, until it has told its tools. What it writes to its standard error is seen. One that ends at
 * the newer protocol's first request, as servers of older SDKs may, is started once more and spoken to in the older.
 */
export async function lookAtCommand(
  [command = "", ...args]: readonly string[],
  { shell }: LookOptions,
): Promise<FoundServer> {
  const { signal } = shell;
  const env = Object.entries(shell.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const process = { command, args, env: Object.fromEntries(env), stderr: "inherit" as const };
  const limits = { signal, timeoutMs: shell.options.timeout ?? PROBE_TIMEOUT_MS };
  try {
    return await askCommand(process, { ...limits, mode: "auto" }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isErrno(error)) throw error;
      return askCommand(process, { ...limits, mode: "legacy" });
    });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpenMcpError("relay-unreachable", `"${command}" does not answer as an MCP server: ${reason}`, {
      cause: error,
    });
  }
}

/** It was not even started: there is no such file, or it may not be run. */
function isErrno(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

interface CommandLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly mode: "auto" | "legacy";
}

async function askCommand(
  process: StdioServerParameters,
  { signal, timeoutMs, mode }: CommandLimits,
): Promise<FoundServer> {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  // For a subclass the SDK looks for the era in this process and not in a second one, which nothing could end.
  const transport = new (class extends StdioClientTransport {})(process);
  const probe = { timeoutMs: Math.min(timeoutMs, ERA_TIMEOUT_MS) };
  const client = new Client({ name: "openmcp", version }, { versionNegotiation: { mode, probe } });
  const stop = (): void => void transport.close().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    return { ...(await told(client, { signal, timeoutMs })), endpoint: null };
  } finally {
    signal.removeEventListener("abort", stop);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}

/** Every page, as it came: the SDK's own `listTools` drops what it does not know. */
async function told(
  client: Client,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Omit<FoundServer, "endpoint">> {
  const tools = new Map<string, ToolDefinition>();
  const notes: string[] = [];
  const seen = new Set<JsonValue>();
  let cursor: JsonValue | undefined;
  for (let page = 0; page < MAX_TOOL_PAGES && !seen.has(cursor ?? ""); page += 1) {
    seen.add(cursor ?? "");
    const params = typeof cursor === "string" ? { cursor } : {};
    const answer = await client.request({ method: "tools/list", params }, anyObject, {
      signal,
      timeout: timeoutMs,
    });
    for (const tool of Array.isArray(answer.tools) ? (answer.tools as readonly JsonValue[]) : []) {
      if (!isTool(tool)) notes.push("One entry of the tool list has no name and was left out.");
      else if (tools.has(tool.name)) notes.push(`The tool "${tool.name}" is listed more than once.`);
      else tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (typeof cursor !== "string" || cursor === "") break;
  }
  const server = client.getServerVersion();
  return {
    server: isJsonObject(server) ? server : {},
    tools: [...tools.values()],
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
    notes,
  };
}

function isTool(value: JsonValue): value is ToolDefinition {
  return isJsonObject(value) && typeof value.name === "string";
}

/** Any JSON object, untouched (the Standard Schema interface). */
const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "openmcp",
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: "the result is not a JSON object" }] },
  },
};
