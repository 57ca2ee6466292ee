/**
 * Whether a relay's `input_required` result (MCP 2026-07-28, multi round-trip requests) can go to this caller, and if not, what
 * the caller is told instead. The result itself is passed on whole; what is asked in it is between the relay and the caller.
 */
import type { PublicError } from "../../http/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";

/** The capability that a caller declares to be asked by each method. Of others the relay knows what it does. */
const CAPABILITY_OF: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
  ["roots/list", "roots"],
]);

export function isInputRequired(result: JsonObject): boolean {
  return result.resultType === "input_required";
}

/** Why `result` can't be given to the caller; null when it can. `capabilities` are the caller's own; null in the legacy era. */
export function whyNotAsked(result: JsonObject, capabilities: JsonObject | null): PublicError | null {
  if (capabilities === null) {
    return {
      code: "relay-error",
      message:
        "the relay asks for more input in the middle of the call, which this protocol revision can't carry; use a client that speaks MCP 2026-07-28, or POST /v1/relays/:id/call, or connect to the relay itself (get_relay has its endpoint)",
      data: { result },
    };
  }
  const missing = neededFor(result).find((name) => capabilities[name] === undefined);
  if (missing === undefined) return null;
  return {
    code: "relay-error",
    message: `the relay asks for ${missing} in the middle of the call, and this client did not declare that it can be asked for that`,
    data: { result },
  };
}

function neededFor({ inputRequests }: JsonObject): readonly string[] {
  if (!isJsonObject(inputRequests)) return [];
  return Object.values(inputRequests).flatMap((request) =>
    isJsonObject(request) ? (CAPABILITY_OF.get(request.method) ?? []) : [],
  );
}
