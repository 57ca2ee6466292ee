/**
 * What one call holds while it lasts: its deadline, its idle timer, its credential and the id counter. It performs steps and
 * talks within the endpoint's own origin, so that neither the credential nor the arguments go anywhere else
 * (wire.md, "Forwarding a call"). It decides nothing about the call.
 */
import { OpenMcpError } from "../spec/index.ts";
import {
  CALL_IDLE_MS,
  CALL_TIMEOUT_MS,
  DELETE_TIMEOUT_MS,
  NOTIFY_TIMEOUT_MS,
  STEP_TIMEOUT_MS,
} from "./limits.ts";
import { type Exchanged, notPerformed, type PerformOptions, perform, type Step } from "./step.ts";
import { countIds, type Ids, type Talk } from "./talk.ts";
import type { CallOptions } from "./types.ts";

export interface CallLine extends Disposable {
  readonly ids: Ids;
  /** Performs one step, with all the time that is left for `tools/call`. Rejects as `perform` does. */
  send(step: Step, onMessage?: PerformOptions["onMessage"]): Promise<Exchanged>;
  /** Drives a talk to its end, keeping every exchange. */
  talk<T>(talk: Talk<T>): Promise<T>;
  /** Sends what nobody waits for: a reply, a cancellation, the end of a session. Its failure is of no interest. */
  post(step: Step): void;
  /** Every exchange but the posted ones. */
  readonly exchanges: readonly Exchanged[];
}

/** @throws OpenMcpError `invalid-input` when no header can hold `token`; the message does not repeat it. */
export function openCallLine(endpoint: string, token: string | undefined, options: CallOptions): CallLine {
  const headers = bearer(token);
  const { exchange } = options;
  const deadline = performance.now() + (options.timeoutMs ?? CALL_TIMEOUT_MS);
  const ended = new AbortController();
  const exchanges: Exchanged[] = [];
  let idled = false;
  const timer = setTimeout(() => {
    idled = true;
    ended.abort();
  }, options.idleMs ?? CALL_IDLE_MS);
  const giveUp = () => ended.abort(options.signal?.reason);
  if (options.signal?.aborted) giveUp();
  options.signal?.addEventListener("abort", giveUp, { once: true });

  async function send(step: Step, onMessage?: PerformOptions["onMessage"]): Promise<Exchanged> {
    const left = deadline - performance.now();
    const timeoutMs = Math.min(left, longest(step));
    timer.refresh();
    const exchanged = await attempt();
    exchanges.push(exchanged);
    return exchanged;

    async function attempt(): Promise<Exchanged> {
      if (left < 1 || idled) return notPerformed(endpoint, step);
      const signal = ended.signal;
      try {
        return await perform(endpoint, step, {
          exchange,
          signal,
          timeoutMs,
          headers,
          onMessage,
          onChunk: () => timer.refresh(),
        });
      } catch (error) {
        // Our own timer is a timeout; only the caller's signal is an abort.
        if (idled) return notPerformed(endpoint, step);
        throw error;
      }
    }
  }

  return {
    ids: countIds(),
    exchanges,
    send,
    async talk(talk) {
      let next = talk.next();
      while (!next.done) next = talk.next(await send(next.value));
      return next.value;
    },
    post(step) {
      const timeoutMs = step.kind === "end-session" ? DELETE_TIMEOUT_MS : NOTIFY_TIMEOUT_MS;
      perform(endpoint, step, { exchange, timeoutMs, headers }).catch(() => {
        // The exchange is closing, and so is every session it could have spoken of.
      });
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", giveUp);
    },
  };
}

function longest(step: Step): number {
  if (step.kind === "notify") return NOTIFY_TIMEOUT_MS;
  return step.kind === "ask" && step.message.method === "tools/call"
    ? Number.POSITIVE_INFINITY
    : STEP_TIMEOUT_MS;
}

/**
 * The header with a caller's credential.
 * @throws OpenMcpError `invalid-input` when no header can hold it; the message does not repeat it.
 */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined || token === "") return {};
  const bare = token.trim().replace(/^bearer\s+/i, "");
  if (!/^[\x21-\x7e]+$/.test(bare)) {
    throw new OpenMcpError(
      "invalid-input",
      "The token holds characters that no header can carry: give the bare credential.",
      {
        data: { field: "token" },
      },
    );
  }
  return { authorization: `Bearer ${bare}` };
}
