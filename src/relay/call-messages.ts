/**
 * What a relay says while it works on one call: progress and log messages are handed on, its own requests are declined, save
 * pings. Nothing else was offered to it: in the modern era a relay asks by an `input_required` result, which is no message but
 * the answer, and is passed on as that.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";
import type { CallLine } from "./call-line.ts";
import { MAX_SERVER_REQUESTS } from "./limits.ts";
import { rpcCode } from "./protocol.ts";
import type { ServerMessage } from "./read-answer.ts";
import type { Step } from "./step.ts";
import type { CallLog, CallOptions, CallProgress } from "./types.ts";

/** MCP's levels (RFC 5424), from the least to the gravest. */
const LOG_LEVELS: readonly JsonValue[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Listens to the messages that come before the answer to `step`. */
export function createListener(
  line: CallLine,
  step: Step & { readonly kind: "ask" },
  { onProgress, log }: Pick<CallOptions, "onProgress" | "log">,
): (message: ServerMessage) => void {
  let replies = 0;
  return (message) => {
    if (message.method === "notifications/progress") {
      const progress = readProgress(message.params, step.message.id);
      if (progress !== null) onProgress?.(progress);
    } else if (message.method === "notifications/message") {
      if (log !== undefined && isWanted(message.params, log)) log.onMessage(message.params);
    } else if (message.id !== undefined && step.dress.era === "legacy" && replies++ < MAX_SERVER_REQUESTS) {
      line.post({ kind: "reply", text: replyTo(message), dress: step.dress });
    }
  };
}

function readProgress(params: JsonValue | undefined, id: number): CallProgress | null {
  if (!isJsonObject(params) || params.progressToken !== id || typeof params.progress !== "number")
    return null;
  const { progress, total, message } = params;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

/** A log message of its form, and grave enough: the caller's level holds whatever the relay makes of it. */
function isWanted(params: JsonValue | undefined, { level }: CallLog): params is JsonObject {
  if (!isJsonObject(params) || params.data === undefined || params.level === undefined) return false;
  const least = LOG_LEVELS.indexOf(level);
  return least !== -1 && LOG_LEVELS.indexOf(params.level) >= least;
}

function replyTo({ id, method }: ServerMessage): string {
  const reply =
    method === "ping"
      ? { result: {} }
      : {
          error: {
            code: rpcCode.methodNotFound,
            message: "A catalog that forwards calls does not do this.",
          },
        };
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, ...reply });
}
