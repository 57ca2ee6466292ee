/**
 * The names of the Model Context Protocol that relay/ speaks, and the messages made from them: revision 2026-07-28
 * ("modern": no session, an envelope in every request's `_meta`) and the revisions before it ("legacy": `initialize`).
 * Builds text and headers; sends nothing and reads nothing.
 */
import type { JsonObject } from "../spec/index.ts";
import { encodeHeaderValue } from "./parameter-headers.ts";

export type Era = "modern" | "legacy";

export const MODERN_VERSION = "2026-07-28";

/** Newest first; the first is what `initialize` offers. */
export const LEGACY_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** What a relay learns of who asks; `version` is the package's, held equal by a test. */
export const CLIENT_INFO = { name: "openmcp", version: "0.1.0" } as const;

/** Of the protocol's own keys in `_meta`. */
const META_PREFIX = "io.modelcontextprotocol/";
export const SERVER_INFO_KEY = `${META_PREFIX}serverInfo`;

/** JSON-RPC error codes with a meaning for the conversation. */
export const rpcCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  parseError: -32700,
  /** What servers of the older SDKs answer to a request that fits no session. */
  badRequest: -32000,
  sessionNotFound: -32001,
  notInitialized: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

export type Method =
  | "server/discover"
  | "initialize"
  | "notifications/initialized"
  | "notifications/cancelled"
  | "tools/list"
  | "tools/call";

/** How a message is to be dressed for its era. */
export interface Dress {
  readonly era: Era;
  /** Null before `initialize` settled one, and for a server whose version no header can hold. */
  readonly version: string | null;
  readonly sessionId: string | null;
}

export interface Message {
  readonly method: Method;
  /** Null for a notification. */
  readonly id: number | null;
  readonly params: JsonObject;
  /** What the modern envelope says of who asks, beside who it is; nothing of it unless given. */
  readonly asker?: Asker;
}

/** What a caller lets a relay do while it works. */
export interface Asker {
  /** What it can be asked for (`ClientCapabilities`). */
  readonly capabilities?: JsonObject;
  /** The least level of log messages that it wants. */
  readonly logLevel?: string;
}

/** The JSON text of `message`; in the modern era with its envelope. */
export function messageText(message: Message, dress: Dress): string {
  const params = dress.era === "modern" ? withEnvelope(message, dress.version) : message.params;
  return JSON.stringify({
    jsonrpc: "2.0",
    ...(message.id === null ? {} : { id: message.id }),
    method: message.method,
    ...(Object.keys(params).length === 0 ? {} : { params }),
  });
}

/** Of every POST: both forms of answer are read, so both are accepted (MCP Streamable HTTP, "Sending Messages to the Server"). */
export const BODY_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** The headers of a POST that carries `message`, names in lower case. */
export function messageHeaders(message: Message, dress: Dress): Record<string, string> {
  const headers: Record<string, string> = { ...BODY_HEADERS, ...transportHeaders(dress) };
  if (dress.era === "modern") {
    headers["mcp-method"] = message.method;
    const name = message.params.name;
    if (message.method === "tools/call" && typeof name === "string")
      headers["mcp-name"] = encodeHeaderValue(name);
  }
  return headers;
}

/** The headers of a request without a message: DELETE of a session, the answer to a server's request. */
export function transportHeaders(dress: Dress): Record<string, string> {
  const headers: Record<string, string> = {};
  if (dress.version !== null) headers["mcp-protocol-version"] = dress.version;
  if (dress.sessionId !== null) headers["mcp-session-id"] = dress.sessionId;
  return headers;
}

/** True for a revision of the modern era: dates compare as text. */
export function isModernVersion(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= MODERN_VERSION;
}

/** The modern revision to speak out of those a relay names: ours, else its newest; null when it names none. */
export function pickModernVersion(offered: readonly string[]): string | null {
  if (offered.includes(MODERN_VERSION)) return MODERN_VERSION;
  return offered.filter(isModernVersion).sort().at(-1) ?? null;
}

function withEnvelope({ params, asker }: Message, version: string | null): JsonObject {
  const meta = params._meta as JsonObject | undefined;
  return {
    ...params,
    _meta: {
      ...meta,
      [`${META_PREFIX}protocolVersion`]: version ?? MODERN_VERSION,
      [`${META_PREFIX}clientInfo`]: CLIENT_INFO,
      [`${META_PREFIX}clientCapabilities`]: asker?.capabilities ?? {},
      ...(asker?.logLevel === undefined ? {} : { [`${META_PREFIX}logLevel`]: asker.logLevel }),
    },
  };
}
