/**
 * What a failure of the SDK's client means, as a few words for whoever maps it to an error code: a catalog's MCP door and
 * a relay are spoken to alike, but blamed differently. Pure; looks at shapes, so that the SDK need not be loaded.
 */
import { isJsonObject } from "../spec/index.ts";
import { causes } from "./causes.ts";
import { connectionReason } from "./unreachable.ts";

export type McpFailure =
  | { readonly kind: "refused"; readonly status: 401 | 403 }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" }
  /** A JSON-RPC error. */
  | {
      readonly kind: "rpc";
      readonly rpc: { readonly code: number; readonly message: string; readonly data?: unknown };
    }
  /** It answered, but not as MCP. */
  | { readonly kind: "not-mcp"; readonly status: number | null }
  | { readonly kind: "unreachable"; readonly reason: string | null };

/** The SDK's word for a page where a JSON or an event stream should be. */
const UNEXPECTED_CONTENT = "CLIENT_HTTP_UNEXPECTED_CONTENT";

export function explainMcp(error: unknown): McpFailure {
  for (const at of causes(error)) {
    const { code, data } = at as { code?: unknown; data?: unknown };
    const status = isJsonObject(data) && typeof data.status === "number" ? data.status : null;
    if (at.name === "AbortError") return { kind: "aborted" };
    if (at.name === "TimeoutError" || code === "REQUEST_TIMEOUT") return { kind: "timeout" };
    if (at.name === "UnauthorizedError" || status === 401) return { kind: "refused", status: 401 };
    if (at.name === "InsufficientScopeError" || status === 403) return { kind: "refused", status: 403 };
    if (typeof code === "number") {
      return { kind: "rpc", rpc: { code, message: at.message, ...(data === undefined ? {} : { data }) } };
    }
    if (status !== null) return { kind: "not-mcp", status };
    if (connectionReason(at) !== null) break;
    if (code === "INVALID_RESULT" || code === UNEXPECTED_CONTENT || at instanceof SyntaxError) {
      return { kind: "not-mcp", status: null };
    }
  }
  return { kind: "unreachable", reason: connectionReason(error) };
}
