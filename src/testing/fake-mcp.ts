/**
 * What a fake relay says: one HTTP request in, one status with one JSON-RPC message out, in either era
 * (MCP 2026-07-28, and 2025-11-25 with older). Opens no socket; the sessions of the legacy era are its only state.
 */
import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from "../spec/index.ts";
import type { FakeRelayOptions, SeenRequest } from "./fake-relay-script.ts";

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON-RPC message. */
  readonly message?: JsonObject;
  /** A plain body instead. */
  readonly text?: string;
}

export interface FakeMcp {
  readonly sessions: ReadonlySet<string>;
  answer(request: SeenRequest, script: FakeRelayOptions): Promise<FakeAnswer>;
}

/** The tools of a relay that names none. */
export const defaultTools: readonly ToolDefinition[] = [
  {
    name: "echo",
    title: "Echo",
    description: "Answers with the arguments it was given.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "What to say back." } },
    },
  },
];

export function createFakeMcp(): FakeMcp {
  const sessions = new Set<string>();

  async function answer(request: SeenRequest, script: FakeRelayOptions): Promise<FakeAnswer> {
    if (script.token !== undefined && request.headers.authorization !== `Bearer ${script.token}`) {
      return {
        status: 401,
        headers: { "www-authenticate": 'Bearer realm="fake-relay", error="invalid_token"' },
        message: failure(null, -32001, "a bearer token is needed"),
      };
    }
    if (request.method === "DELETE") {
      const known = sessions.delete(request.headers["mcp-session-id"] ?? "");
      return known ? { status: 200 } : { status: 404, text: "no such session" };
    }
    if (request.method !== "POST") {
      return { status: 405, headers: { allow: "POST, DELETE" }, text: "POST only" };
    }
    let message: unknown;
    try {
      message = JSON.parse(request.body);
    } catch {
      return { status: 400, message: failure(null, -32700, "the body is not JSON") };
    }
    if (!isJsonObject(message) || typeof message.method !== "string") {
      return { status: 400, message: failure(null, -32600, "one JSON-RPC request a POST") };
    }
    const era = script.era ?? "both";
    const params = isJsonObject(message.params) ? message.params : {};
    const meta = isJsonObject(params._meta) ? params._meta : {};
    const claimed = meta[VERSION_KEY];
    const id = message.id;
    if (typeof claimed === "string" && era !== "legacy") {
      return modern({ request, id, method: message.method, params, claimed, script });
    }
    if (era === "modern") {
      return {
        status: 400,
        message: failure(id, -32022, "this relay speaks 2026-07-28 only", {
          supported: [MODERN],
          requested: params.protocolVersion ?? null,
        }),
      };
    }
    return legacy({ request, id, method: message.method, params, script });
  }

  async function legacy(ask: Ask): Promise<FakeAnswer> {
    const { id, method, params, script, request } = ask;
    if (method === "initialize") {
      const wanted = String(params.protocolVersion);
      const session = script.session === true ? randomUUID() : null;
      if (session !== null) sessions.add(session);
      return {
        status: 200,
        ...(session === null ? {} : { headers: { "mcp-session-id": session } }),
        message: success(id, {
          protocolVersion: LEGACY.includes(wanted) ? wanted : "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: infoOf(script),
        }),
      };
    }
    if (script.session === true) {
      const given = request.headers["mcp-session-id"];
      if (given === undefined) return { status: 400, message: failure(id, -32000, "no Mcp-Session-Id") };
      if (!sessions.has(given)) return { status: 404, message: failure(id, -32001, "session not found") };
    }
    if (id === undefined) return { status: 202 };
    return { status: 200, message: await toolsMethod(ask, {}) };
  }

  return { sessions, answer };
}

interface Ask {
  readonly request: SeenRequest;
  /** Absent: a notification. */
  readonly id: JsonValue | undefined;
  readonly method: string;
  readonly params: JsonObject;
  readonly script: FakeRelayOptions;
}

async function modern(ask: Ask & { readonly claimed: string }): Promise<FakeAnswer> {
  const { id, method, script, request, claimed } = ask;
  const wrong = (what: string): FakeAnswer => ({
    status: 400,
    message: failure(id, -32020, `the headers and the body disagree: ${what}`),
  });
  if (claimed !== MODERN) {
    return {
      status: 400,
      message: failure(id, -32022, `unsupported protocol version ${claimed}`, {
        supported: [MODERN],
        requested: claimed,
      }),
    };
  }
  if (request.headers["mcp-protocol-version"] !== claimed) return wrong("MCP-Protocol-Version");
  if (request.headers["mcp-method"] !== method) return wrong("Mcp-Method");
  if (method === "tools/call" && request.headers["mcp-name"] === undefined) return wrong("Mcp-Name");
  if (id === undefined) return { status: 202 };
  const extra: JsonObject = { resultType: "complete", _meta: { [SERVER_KEY]: infoOf(script) } };
  const listed: JsonObject = { ...extra, ttlMs: script.ttlMs ?? 0, cacheScope: "private" };
  if (method === "server/discover") {
    return {
      status: 200,
      message: success(id, { supportedVersions: [MODERN], capabilities: { tools: {} }, ...listed }),
    };
  }
  if (method === "ping") return { status: 404, message: failure(id, -32601, "method not found: ping") };
  const message = await toolsMethod(ask, method === "tools/list" ? listed : extra);
  const missing = isJsonObject(message.error) && message.error.code === -32601;
  return { status: missing ? 404 : 200, message };
}

/** The methods both eras have. */
async function toolsMethod(ask: Ask, extra: JsonObject): Promise<JsonObject> {
  const { id, method, params, script } = ask;
  const tools = script.tools ?? defaultTools;
  if (method === "ping") return success(id, {});
  if (method === "tools/list") {
    const size = script.pageSize ?? Math.max(tools.length, 1);
    const start = params.cursor === undefined ? 0 : Number(params.cursor);
    if (!Number.isInteger(start)) return failure(id, -32602, "no such cursor");
    const end = start + size;
    return success(id, {
      tools: tools.slice(start, end),
      ...(end < tools.length ? { nextCursor: String(end) } : {}),
      ...extra,
    });
  }
  if (method === "tools/call") {
    const name = String(params.name);
    if (!tools.some((tool) => tool.name === name)) return failure(id, -32602, `unknown tool: ${name}`);
    const args = isJsonObject(params.arguments) ? params.arguments : {};
    const result =
      script.onCall === undefined
        ? { content: [{ type: "text", text: JSON.stringify(args) }] }
        : await script.onCall(name, args);
    return success(id, { ...result, ...extra });
  }
  return failure(id, -32601, `method not found: ${method}`);
}

function infoOf(script: FakeRelayOptions): JsonObject {
  return script.serverInfo ?? { name: "fake-relay", version: "1.0.0" };
}

function success(id: JsonValue | undefined, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id: id ?? null, result };
}

function failure(id: JsonValue | undefined, code: number, message: string, data?: JsonObject): JsonObject {
  return {
    jsonrpc: "2.0",
    id: id ?? null,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}
