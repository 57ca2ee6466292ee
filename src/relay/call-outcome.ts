/**
 * What the answer to a `tools/call` means: whether it is the outcome, and which, or shows that what was remembered of the relay
 * is wrong while the call did not run (wire.md, "Forwarding a call": a call that may have run is never repeated). Pure.
 */
import type { JsonValue } from "../spec/index.ts";
import { neverArrived } from "./answer.ts";
import { parseChallenge } from "./challenge.ts";
import type { Found } from "./conversation.ts";
import { readModernError } from "./era.ts";
import { explain } from "./explain.ts";
import { type Era, rpcCode } from "./protocol.ts";
import type { Exchanged } from "./step.ts";
import type { CallOutcome } from "./types.ts";

/** How a call is made: over what was found, remembered or freshly asked. */
export interface Route {
  readonly found: Found;
  /** True when this call asked for the era itself. */
  readonly fresh: boolean;
  /** True for the one fresh session that a call gets after a 404. */
  readonly renewed: boolean;
}

export type Correction =
  /** Speak this modern revision. */
  | { readonly kind: "speak"; readonly version: string }
  /** The tool's headers are not what the relay wants: its definition has changed. */
  | { readonly kind: "learn-tool" }
  /** Ask which era it is, in this order. */
  | { readonly kind: "find"; readonly order: readonly Era[] };

/** Statuses with which a server turns a request away before it runs. */
const TURNED_AWAY = new Set([400, 404, 405, 406, 415]);

/** Codes of errors about the request or the session as such; a tool's own error has another. */
const BEFORE_RUNNING = new Set<number>([
  rpcCode.invalidRequest,
  rpcCode.methodNotFound,
  rpcCode.parseError,
  rpcCode.badRequest,
  rpcCode.sessionNotFound,
  rpcCode.notInitialized,
]);

/** What to do about an answer that shows a wrong route; null when it is the outcome. */
export function correctionFor(exchanged: Exchanged, route: Route): Correction | null {
  const { dress, version } = route.found;
  const { answer, status } = exchanged;
  if (answer.kind === "error") {
    const { code } = answer.error;
    if (dress.era === "modern" && code === rpcCode.headerMismatch) return { kind: "learn-tool" };
    if (dress.era === "modern" && code === rpcCode.missingClientCapability) return null;
    const reading = readModernError(answer.error, version);
    if (reading.era !== "unknown") return { kind: "speak", version: reading.version };
  }
  if (!didNotRun(exchanged)) return null;
  // A session that was opened for this call and is unknown now: another node answered.
  if (route.fresh) {
    const lost = dress.sessionId !== null && status === 404 && !route.renewed;
    return lost ? { kind: "find", order: ["legacy"] } : null;
  }
  return { kind: "find", order: ["legacy", "modern"] };
}

/** True when the relay turned the request away before any tool saw it. */
export function didNotRun({ status, answer }: Exchanged): boolean {
  if (answer.kind === "failed" || answer.kind === "result" || status === null) return false;
  if (TURNED_AWAY.has(status))
    return answer.kind !== "error" || !answer.exact || BEFORE_RUNNING.has(answer.error.code);
  return (
    answer.kind === "error" &&
    BEFORE_RUNNING.has(answer.error.code) &&
    /initiali[sz]/i.test(answer.error.message)
  );
}

/** The outcome that an answer is; `hints` go with a result. `token` is taken out of a relay's own words. */
export function outcomeOf(
  exchanged: Exchanged,
  {
    hints,
    token,
  }: {
    readonly hints: Extract<CallOutcome, { kind: "result" }>["hints"];
    readonly token: string | undefined;
  },
): CallOutcome {
  const { status, answer, headers } = exchanged;
  if (answer.kind === "result") {
    const { result, text = JSON.stringify(result) } = answer;
    return { kind: "result", result, text, hints };
  }
  if (status === 401 || status === 403) {
    return {
      kind: "refused",
      status,
      message: refusal(status, token !== undefined),
      challenge: parseChallenge(headers["www-authenticate"]),
    };
  }
  if (answer.kind === "error") return { kind: "rpc-error", rpc: withoutToken(answer.error, token) };
  if (answer.kind === "failed") {
    if (answer.code === "blocked") return { kind: "blocked", message: explain(exchanged).sentence };
    if (answer.code === "timeout") {
      return {
        kind: "timeout",
        message:
          "The relay did not answer in time; the call may have run all the same: look before you call again.",
      };
    }
  }
  const { sentence } = explain(exchanged);
  return {
    kind: "unreachable",
    message:
      didNotRun(exchanged) || neverArrived(answer) || status === 307 || status === 308
        ? sentence
        : `${sentence} The call may have run all the same.`,
  };
}

function refusal(status: 401 | 403, given: boolean): string {
  if (given)
    return `The relay refuses the credential (HTTP ${status}): it may be wrong, expired, or not enough for this tool.`;
  return `The relay wants a credential (HTTP ${status}): give one as the token of the call; it is sent on and not kept.`;
}

function withoutToken(
  rpc: { readonly code: number; readonly message: string; readonly data?: JsonValue },
  token: string | undefined,
): typeof rpc {
  if (token === undefined || token.length < 4) return rpc;
  const text = JSON.stringify(rpc);
  const spelled = JSON.stringify(token).slice(1, -1);
  return text.includes(spelled) ? (JSON.parse(text.replaceAll(spelled, "[token]")) as typeof rpc) : rpc;
}
