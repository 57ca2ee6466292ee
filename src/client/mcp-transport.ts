/**
 * The catalog over its own MCP endpoint (wire.md "MCP, at /mcp"): which tool each method calls. Connects when first used.
 * Bulk registration, imports, removal, changing peers and looking at a subscription have no tool, so they are `unsupported-transport` here.
 */
import {
  anyObject,
  type CallToolInput,
  type ErrorCode,
  errorCodes,
  FAILURE_META_KEY,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
  type RelayRecord,
} from "../spec/index.ts";
import {
  notACatalogs,
  readFound,
  readPeers,
  readProbed,
  readRegistered,
  readRelay,
  readSummaryList,
  toolsOf,
} from "./answers.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { deadline } from "./deadline.ts";
import { explainMcp } from "./explain-mcp.ts";
import { MAX_BODY_BYTES, READ_TIMEOUT_MS, RELAY_TIMEOUT_MS } from "./limits.ts";
import { type McpConnection, openMcp } from "./open-mcp.ts";
import type { ClientSettings, RequestOptions } from "./settings.ts";
import type { CatalogTransport } from "./transport.ts";
import { catalogUnreachable } from "./unreachable.ts";
import { untilAborted } from "./until-aborted.ts";
import { readSubscribed } from "./webhook-answers.ts";

/** MCP 2026-07-28, the envelope of each request; the SDK, which would name it, is not loaded for this. */
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

export function createMcpTransport(settings: ClientSettings): CatalogTransport {
  const endpoint = `${settings.base}/mcp`;
  let connecting: Promise<McpConnection> | undefined;

  /** One connection for all calls; a failed one is not kept. One caller's signal ends its own waiting, not the others'. */
  function connection(signal: AbortSignal): Promise<McpConnection> {
    connecting ??= openMcp(endpoint, {
      token: settings.token,
      fetch: boundedFetch(settings.fetch, MAX_BODY_BYTES),
      signal: settings.signal,
      timeoutMs: settings.timeoutMs ?? READ_TIMEOUT_MS,
    }).catch((error) => {
      connecting = undefined;
      throw error;
    });
    return untilAborted(connecting, signal);
  }

  async function callTool(
    tool: string,
    args: JsonObject,
    options: RequestOptions & { readonly slow?: boolean; readonly round?: CallRound },
  ): Promise<JsonObject> {
    const limit = deadline(settings, {
      ...options,
      defaultMs: options.slow ? RELAY_TIMEOUT_MS : READ_TIMEOUT_MS,
    });
    const { signal, timeoutMs } = limit;
    try {
      const client = await connection(signal);
      return await client.request(
        { method: "tools/call", params: { name: tool, arguments: args, ...roundParams(options.round) } },
        anyObject,
        {
          signal,
          timeout: timeoutMs,
          allowInputRequired: true,
        },
      );
    } catch (error) {
      throw limit.explain(error, (cause) => catalogError(settings.base, cause));
    }
  }

  /** A tool whose answer is the catalog's own. */
  async function ask(tool: string, args: object, options: RequestOptions & { readonly slow?: boolean } = {}) {
    const result = await callTool(tool, args as JsonObject, options);
    if (result.isError === true) throw refusal(result);
    return contentOf(result);
  }

  return {
    kind: "mcp",
    async list(input, options) {
      return readSummaryList(await ask("list_relays", input, options));
    },
    // The tool lists summaries; the records are asked for one by one.
    async records(input, options) {
      const { relays, nextCursor } = readSummaryList(await ask("list_relays", input, options));
      const records: RelayRecord[] = [];
      for (const { id } of relays) records.push(readRelay(await ask("get_relay", { id }, options)).relay);
      return { relays: records, nextCursor };
    },
    async get(input, options) {
      return readRelay(await ask("get_relay", input, options));
    },
    async tools(input, options) {
      return toolsOf(readRelay(await ask("get_relay", input, options)).relay);
    },
    openapi: () => Promise.reject(unsupported("openapi")),
    async find(input, options) {
      return readFound(await ask("find_tool", input, options));
    },
    async call(input, options) {
      const { inputResponses, requestState, clientCapabilities, ...args } = input;
      const result = await callTool("call_tool", args as JsonObject, {
        ...options,
        slow: true,
        round: { inputResponses, requestState, clientCapabilities },
      });
      // The relay's own result comes untouched, its `isError` too; only what the catalog marks as its own is thrown.
      const failure = failureOf(result);
      if (failure !== null) throw errorOf(failure);
      return { relay: input.relay, tool: input.tool, result };
    },
    async register(input, options) {
      return readRegistered(await ask("register_relay", input, { ...options, slow: true }), {
        created: null,
      });
    },
    async refresh(input, options) {
      return readProbed(await ask("refresh_relay", input, { ...options, slow: true }));
    },
    remove: () => Promise.reject(unsupported("remove")),
    bulk: () => Promise.reject(unsupported("bulk")),
    bulkJob: () => Promise.reject(unsupported("bulkJob")),
    importRelays: () => Promise.reject(unsupported("importRelays")),
    imports: () => Promise.reject(unsupported("imports")),
    importJob: () => Promise.reject(unsupported("importJob")),
    importResults: () => Promise.reject(unsupported("importResults")),
    cancelImport: () => Promise.reject(unsupported("cancelImport")),
    claims: () => Promise.reject(unsupported("claims")),
    changes: () => Promise.reject(unsupported("changes")),
    // biome-ignore lint/correctness/useYield: it refuses when it is first asked, as the others do.
    async *watch() {
      throw unsupported("watch");
    },
    history: () => Promise.reject(unsupported("history")),
    async peers(_input, options) {
      return readPeers(await ask("list_peers", {}, options));
    },
    addPeer: () => Promise.reject(unsupported("addPeer")),
    removePeer: () => Promise.reject(unsupported("removePeer")),
    syncPeers: () => Promise.reject(unsupported("syncPeers")),
    async subscribe(input, options) {
      return readSubscribed(await ask("subscribe", input, options));
    },
    async unsubscribe(input, options) {
      await ask("unsubscribe", input, options);
      return { removed: true };
    },
    webhook: () => Promise.reject(unsupported("webhook")),
    testWebhook: () => Promise.reject(unsupported("testWebhook")),
    redeliver: () => Promise.reject(unsupported("redeliver")),
    async close() {
      const open = connecting;
      connecting = undefined;
      // A connection that failed has nothing to close, and whoever waited for it was told.
      if (open !== undefined) await open.then((client) => client.close()).catch(() => undefined);
    },
  };
}

type CallRound = Pick<CallToolInput, "inputResponses" | "requestState" | "clientCapabilities">;

/** Where the protocol itself has these: beside the arguments, and in the envelope. */
function roundParams({ inputResponses, requestState, clientCapabilities }: CallRound = {}) {
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
    ...(clientCapabilities === undefined ? {} : { _meta: { [CAPABILITIES_KEY]: clientCapabilities } }),
  };
}

/** Structured content, or the same data as JSON text: not every catalog gives both. */
function contentOf(result: JsonObject): JsonObject {
  if (isJsonObject(result.structuredContent)) return result.structuredContent;
  const parsed = parse(textOf(result));
  if (!isJsonObject(parsed)) throw notACatalogs("its tool's result has no structured content");
  return parsed;
}

function refusal(result: JsonObject): OpenMcpError {
  const failure = failureOf(result);
  if (failure !== null) return errorOf(failure);
  const message = textOf(result).trim();
  const parsed = parse(message);
  const stated = isJsonObject(parsed) && typeof parsed.error === "string" ? parsed.error : message;
  return new OpenMcpError(
    guessCode(stated),
    stated === "" ? "The catalog refused without a reason." : stated,
  );
}

function errorOf({ code, message, data }: Details): OpenMcpError {
  return new OpenMcpError(code, message, { data });
}

interface Details {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * What our catalog's MCP door marks as its own failure; the details are JSON in its second text. Null for all else: a failure of
 * a relay's tool, whatever it looks like, or the words of another catalog.
 */
function failureOf(result: JsonObject): Details | null {
  const mark = isJsonObject(result._meta) ? result._meta[FAILURE_META_KEY] : undefined;
  if (!isJsonObject(mark)) return null;
  const [sentence = "", details = ""] = textsOf(result);
  const parsed = parse(details);
  const { code: _code, detail, ...data } = isJsonObject(parsed) ? parsed : {};
  return {
    // A newer catalog may know more codes than this client.
    code: errorCodes.find((known) => known === mark.code) ?? "internal",
    message: typeof detail === "string" ? detail : sentence,
    data,
  };
}

/** Other catalogs say it in words only. */
function guessCode(sentence: string): ErrorCode {
  return /not found|no such|no relay|unknown relay/i.test(sentence) ? "not-found" : "invalid-input";
}

function catalogError(base: string, error: unknown): OpenMcpError {
  const failure = explainMcp(error);
  switch (failure.kind) {
    case "refused":
      return new OpenMcpError(
        failure.status === 401 ? "unauthorized" : "forbidden",
        `The catalog's MCP endpoint at ${base}/mcp refuses this client (${failure.status}).`,
        { data: { status: failure.status }, cause: error },
      );
    case "rpc":
      return new OpenMcpError("invalid-input", failure.rpc.message, {
        data: { rpc: failure.rpc },
        cause: error,
      });
    case "not-mcp":
      return new OpenMcpError(
        "catalog-answer",
        `${base}/mcp answers${failure.status === null ? "" : ` (${failure.status})`}, but not as MCP. Check the catalog's URL, or use REST.`,
        { data: { status: failure.status }, cause: error },
      );
    case "timeout":
      return new OpenMcpError("timeout", `${base}/mcp gave no answer in time.`, { cause: error });
    case "aborted":
      return new OpenMcpError("aborted", "The request was ended before its answer.", { cause: error });
    case "unreachable":
      return catalogUnreachable(base, error);
  }
}

function unsupported(method: string): OpenMcpError {
  return new OpenMcpError(
    "unsupported-transport",
    `A catalog has no MCP tool for "${method}". Use REST: new CatalogClient(base, { transport: "rest" }).`,
    { data: { method, use: "rest" } },
  );
}

function textOf(result: JsonObject): string {
  return textsOf(result).join("\n");
}

function textsOf(result: JsonObject): readonly string[] {
  const blocks: readonly JsonValue[] = Array.isArray(result.content) ? result.content : [];
  return blocks
    .map((block) => (isJsonObject(block) && typeof block.text === "string" ? block.text : ""))
    .filter((text) => text !== "");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
