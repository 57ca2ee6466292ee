/** What a request of the legacy era is told when it has no session, and which one opens one. */
import { rpcError, SERVER_ERROR } from "../../http/index.ts";
import type { JsonObject, JsonValue } from "../../spec/index.ts";
import { idOf, SESSION_NOT_FOUND } from "../json-rpc.ts";

type Body = JsonValue | undefined;

export function none(body: Body): Response {
  return rpcError(404, { code: SESSION_NOT_FOUND, message: "Session not found", id: idOf(body) });
}

export function foreign(body: Body): Response {
  const message = "this session belongs to another user; open one of your own";
  return rpcError(403, { code: SERVER_ERROR, message, id: idOf(body) });
}

export function full(body: Body): Response {
  const message = "this server has as many sessions as it can have; try again in a while";
  return rpcError(503, { code: SERVER_ERROR, message, id: idOf(body), headers: { "retry-after": "30" } });
}

/** The `initialize` request that a body is; the SDK refuses one among others. */
export function initializeOf(body: Body): JsonObject | null {
  const [first] = Array.isArray(body) ? body : [body];
  const isOne =
    typeof first === "object" && first !== null && !Array.isArray(first) && first.method === "initialize";
  return isOne ? (first as JsonObject) : null;
}
