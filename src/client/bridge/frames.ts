/** Messages of JSON-RPC as a bridge reads them: what kind each is, and answers made of failures. Pure. */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../spec/index.ts";
import { causes } from "../causes.ts";
import type { ConnectError } from "../connect-error.ts";

export type Id = string | number;

export interface RequestFrame {
  readonly kind: "request";
  readonly id: Id;
  readonly method: string;
  readonly params: JsonObject;
}

export interface NotificationFrame {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
}

export interface ResponseFrame {
  readonly kind: "response";
  readonly id: Id;
  readonly result: JsonObject | null;
  readonly error: JsonObject | null;
}

export type Frame = RequestFrame | NotificationFrame | ResponseFrame | { readonly kind: "other" };

export function frameOf(message: JSONRPCMessage): Frame {
  const { id, method, params, result, error } = message as unknown as JsonObject;
  const given = isJsonObject(params) ? params : {};
  const known = typeof id === "string" || typeof id === "number";
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params: given };
    return known ? { kind: "request", id, method, params: given } : { kind: "other" };
  }
  if (!known) return { kind: "other" };
  return {
    kind: "response",
    id,
    result: isJsonObject(result) ? result : null,
    error: isJsonObject(error) ? error : null,
  };
}

export function answer(id: Id, result: JsonObject): JSONRPCMessage {
  return { jsonrpc: "2.0", id, result } as JSONRPCMessage;
}

export function refusal(
  id: Id,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error } as JSONRPCMessage;
}

/** The server's own error within a failure: of its answer, or of the page that came with a status. Null without one. */
export function rpcErrorOf(
  error: unknown,
): { readonly code: number; readonly message: string; readonly data?: unknown } | null {
  for (const at of causes(error)) {
    const { code, data } = at as { code?: unknown; data?: unknown };
    if (typeof code === "number")
      return { code, message: at.message, ...(data === undefined ? {} : { data }) };
    const text = isJsonObject(data) && typeof data.text === "string" ? data.text : null;
    const body = text === null ? null : parsed(text);
    const inner = isJsonObject(body) && isJsonObject(body.error) ? body.error : null;
    if (inner !== null && typeof inner.code === "number" && typeof inner.message === "string") {
      return {
        code: inner.code,
        message: inner.message,
        ...(inner.data === undefined ? {} : { data: inner.data }),
      };
    }
  }
  return null;
}

/** The status of the answer that a failure is about; null when there was none. */
export function statusOf(error: unknown): number | null {
  for (const at of causes(error)) {
    const { data } = at as { data?: unknown };
    if (isJsonObject(data) && typeof data.status === "number") return data.status;
  }
  return null;
}

/** A failure on the way, in the words that a person reads in the host (JSON-RPC 2.0: -32000 to -32099 are the server's). */
export function ownError(error: ConnectError): {
  readonly code: number;
  readonly message: string;
  readonly data: object;
} {
  return { code: -32000, message: error.message, data: { stage: error.stage } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
