/** What relay/ is asked with and answers; the verdict itself is a wire type in spec/. */
import type {
  AuthChallenge,
  EndpointHints,
  Exchange,
  JsonObject,
  JsonValue,
  TraceContext,
} from "../spec/index.ts";

export interface AskOptions {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  /** Remembered from an earlier look: a modern one saves requests. Wrong ones are corrected, old ones asked again. */
  readonly hints?: EndpointHints | null;
  /** Milliseconds for the whole look; a share is kept for the second era. Default in limits.ts. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The caller's credential for the relay; sent as `Authorization: Bearer`, to this endpoint's origin only. */
  readonly token?: string;
  /** The answers that an `input_required` result asked for, and its state: the modern era's second round of one call. */
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** What the caller can be asked for in the middle of the call (MCP `ClientCapabilities`); the legacy era is told of none. */
  readonly capabilities?: JsonObject;
}

/** Log messages of a relay while a call runs (MCP `notifications/message`). */
export interface CallLog {
  /** The least that is wanted, one of MCP's levels: a modern relay is told, a legacy one's messages are sifted. */
  readonly level: string;
  /** Takes a message's parameters, whole. */
  readonly onMessage: (params: JsonObject) => void;
}

export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallOptions {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  readonly hints: EndpointHints | null;
  /** Milliseconds, absolute. Default in limits.ts. */
  readonly timeoutMs?: number;
  /** Milliseconds without a sign of life; whatever arrives renews them. Default in limits.ts. */
  readonly idleMs?: number;
  readonly now: () => number;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Absent: none are wanted. */
  readonly log?: CallLog;
  /** The tool's definition where known, for the headers the modern era derives from `x-mcp-header`. */
  readonly definition?: JsonObject | null;
  /** Goes along in the call's `_meta`, in both eras: a relay that does not know it passes over it. */
  readonly trace?: TraceContext | null;
}

/** A call that reached the tool, or why it did not. Nothing here holds the token, save a result in which the relay repeats it. */
export type CallOutcome =
  | {
      readonly kind: "result";
      /** Whole, as the relay sent it: `input_required` results too. */
      readonly result: JsonObject;
      /** The same as the relay wrote it: every digit, every key, also one that comes twice. */
      readonly text: string;
      /** What to remember from now on, when what was remembered was wrong or nothing was; else null. */
      readonly hints: EndpointHints | null;
    }
  | {
      readonly kind: "rpc-error";
      readonly rpc: { readonly code: number; readonly message: string; readonly data?: JsonValue };
    }
  /** 401 or 403; `challenge` is what `WWW-Authenticate` said. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly message: string;
      readonly challenge: AuthChallenge | null;
    }
  | { readonly kind: "unreachable"; readonly message: string }
  | { readonly kind: "timeout"; readonly message: string }
  | { readonly kind: "blocked"; readonly message: string };
