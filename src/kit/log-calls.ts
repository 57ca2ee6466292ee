/** A line for each tool call: which tool, how it ended, how long it took. Never an argument, a result, a user or a session id. */
import type { Logger } from "../spec/index.ts";
import type { Middleware, ToolResult } from "./middleware.ts";

/**
 * A layer that logs calls: those that went well for `info`, those that failed for `warn`. A name that is no tool's is a stranger's
 * text and is not written.
 */
export function logCalls(logger: Pick<Logger, "info" | "warn">): Middleware {
  return async ({ tool, name, era }, next) => {
    const begun = performance.now();
    const tell = (outcome: string, level: "info" | "warn"): void => {
      const ms = Math.round((performance.now() - begun) * 10) / 10;
      logger[level]({ tool: tool === null ? null : name, era, outcome, ms }, "tool call");
    };
    try {
      const result = await next();
      const outcome = outcomeOf(result);
      tell(outcome, outcome === "tool-error" ? "warn" : "info");
      return result;
    } catch (error) {
      tell(tool === null ? "unknown-tool" : "refused", "warn");
      throw error;
    }
  };
}

function outcomeOf(result: ToolResult): string {
  if ("isError" in result && result.isError === true) return "tool-error";
  return (result as { readonly resultType?: unknown }).resultType === "input_required"
    ? "input-required"
    : "ok";
}
