/**
 * What a request to the MCP door says of its caller, in the terms of a forwarded call: whether progress and log messages are
 * wanted, which round of the call it is, what the caller can be asked for. In the modern era every request says it. The
 * legacy era said it once, in a session, and this door has none: what a legacy caller can be asked for is not known here, and a
 * log level that it sets would be forgotten, so nothing is asked of it and no log is sent to it.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallContext } from "../../catalog/index.ts";
import { isJsonObject, type JsonObject, readTraceContext } from "../../spec/index.ts";
import type { CallRound, Era } from "./tool.ts";

type McpRequest = ServerContext["mcpReq"];

/** What the caller can be asked for; null in the legacy era. */
export function capabilitiesOf(request: McpRequest, era: Era): JsonObject | null {
  if (era === "legacy") return null;
  const declared = said(request, CLIENT_CAPABILITIES_META_KEY);
  return isJsonObject(declared) ? declared : {};
}

export function roundOf(request: McpRequest, era: Era): CallRound {
  const capabilities = capabilitiesOf(request, era);
  if (capabilities === null) return {};
  const { inputResponses } = request;
  const requestState = request.requestState();
  return {
    clientCapabilities: askable(capabilities),
    ...(isJsonObject(inputResponses) ? { inputResponses } : {}),
    ...(typeof requestState === "string" ? { requestState } : {}),
  };
}

/** What goes on to the relay: of all that a client may declare, these are what a result can ask for. */
function askable({ elicitation, sampling, roots }: JsonObject): JsonObject {
  return {
    ...(elicitation === undefined ? {} : { elicitation }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(roots === undefined ? {} : { roots }),
  };
}

export function callContextOf(
  request: McpRequest,
  { era, client }: { readonly era: Era; readonly client: string | null },
): CallContext {
  const token = request._meta?.progressToken;
  const level = era === "modern" ? said(request, LOG_LEVEL_META_KEY) : undefined;
  // A client that went away misses it; the call itself hears of that by its signal.
  const notify = (method: string, params: object): void =>
    void request.notify({ method, params } as never).catch(() => {});
  return {
    signal: request.signal,
    admin: false,
    client,
    trace: readTraceContext(request._meta ?? {}),
    ...(token === undefined
      ? {}
      : {
          onProgress: (progress) => notify("notifications/progress", { progressToken: token, ...progress }),
        }),
    ...(typeof level === "string"
      ? { log: { level, onMessage: (params) => notify("notifications/message", params) } }
      : {}),
  };
}

/** A value of the envelope that every request of the modern era has. */
function said({ envelope }: McpRequest, key: string): unknown {
  return (envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
}
