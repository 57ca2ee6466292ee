/**
 * Asking: drives the conversation with a relay over an exchange, within one deadline, and returns what was answered as
 * bounded raw evidence. It judges nothing (judge.ts). Sessions that a relay opened are deleted, whatever happened.
 */
import type { EndpointHints } from "../spec/index.ts";
import { conversation } from "./conversation.ts";
import {
  DELETE_TIMEOUT_MS,
  EVENT_STREAM_TIMEOUT_MS,
  FIRST_ERA_SHARE,
  LOOK_TIMEOUT_MS,
  NOTIFY_TIMEOUT_MS,
  STEP_TIMEOUT_MS,
} from "./limits.ts";
import { openSessions } from "./sessions.ts";
import { type Exchanged, notPerformed, perform, type Step } from "./step.ts";
import type { AskOptions } from "./types.ts";

/** The evidence of one look: everything `judge` needs, nothing it would have to ask for. */
export interface Asked {
  readonly endpoint: string;
  readonly hints: EndpointHints | null;
  /** Milliseconds since the epoch, when the look began. */
  readonly at: number;
  readonly exchanges: readonly Exchanged[];
}

/**
 * Asks `endpoint` what it is and which tools it has.
 * @throws OpenMcpError `aborted` when the caller's signal does or the exchange closes, `unavailable` when it has no socket left;
 * every other failure is evidence.
 */
export async function ask(endpoint: string, options: AskOptions): Promise<Asked> {
  const hints = options.hints ?? null;
  const at = options.now();
  const deadline = performance.now() + (options.timeoutMs ?? LOOK_TIMEOUT_MS);
  const exchanges: Exchanged[] = [];
  const talk = conversation(hints, at);
  let finished = false;
  try {
    for (let next = talk.next(); !next.done; ) {
      const step = next.value;
      const timeoutMs = Math.min(longest(step), share(step, exchanges) * (deadline - performance.now()));
      const exchanged =
        timeoutMs < 1
          ? notPerformed(endpoint, step)
          : await perform(endpoint, step, { ...options, timeoutMs });
      exchanges.push(exchanged);
      next = talk.next(exchanged);
    }
    finished = true;
  } finally {
    for (const { url, dress } of openSessions(exchanges)) {
      const step: Step = { kind: "end-session", dress };
      const ending = perform(url, step, { exchange: options.exchange, timeoutMs: DELETE_TIMEOUT_MS }).catch(
        () => notPerformed(url, step),
      );
      // Whoever gave up does not wait for good manners.
      if (finished) exchanges.push(await ending);
    }
  }
  return { endpoint, hints, at, exchanges };
}

function longest(step: Step): number {
  if (step.kind === "notify") return NOTIFY_TIMEOUT_MS;
  return step.kind === "listen" ? EVENT_STREAM_TIMEOUT_MS : STEP_TIMEOUT_MS;
}

/** The first question leaves time for the other era; once one has answered, all that is left is for it. */
function share(step: Step, exchanges: readonly Exchanged[]): number {
  return step.kind === "ask" && exchanges.length === 0 ? FIRST_ERA_SHARE : 1;
}
