/**
 * One subscription's turn: what it was handed out with, delivered. In order for each relay, a few relays side by side; one at
 * a time while the receiver is in doubt, and no further after the first failure. It ends soon by itself, whatever waits, so
 * that nobody has to take a subscription away from a living dispatcher.
 */
import {
  type Clock,
  DELIVERY_HEADER,
  EVENT_HEADER,
  type Exchange,
  type Meter,
  SIGNATURE_HEADER,
} from "../../spec/index.ts";
import type { AttemptReport, ClaimedWebhook, DueDelivery, WebhookReport } from "../../store/index.ts";
import { WORKER_RETRY_MS } from "../limits.ts";
import { type Judgement, judgeReceipt, nextAttempt, postDelivery } from "./attempt.ts";
import type { Bodies } from "./bodies.ts";
import {
  MAX_ATTEMPT_PAUSE_MS,
  MAX_FAILED_DELIVERIES,
  RELAYS_PER_TURN,
  SECRET_RETRY_MS,
  TURN_MS,
} from "./limits.ts";

export interface TurnTools {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly meter: Meter;
  readonly bodies: Bodies;
  readonly userAgent: string;
  /** From 0 to 1. */
  readonly random: () => number;
  /** True while the subscription is there and ours. */
  readonly holds: (webhook: number) => Promise<boolean>;
  /** A place for one more delivery at the same time; false when there is none. */
  readonly takePlace: () => boolean;
  readonly givePlace: () => void;
  /** Fires when nothing new may be begun. */
  readonly stopping: AbortSignal;
  /** Fires when what is under way has to end. */
  readonly abort: AbortSignal;
}

export interface Turn {
  readonly webhook: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Its receiver is failing, or takes long: it has another kind of place. */
  slow: boolean;
  /** What is new since it was last asked; the last one gives the subscription back. Null: nothing. */
  collect(): WebhookReport | null;
  /** Resolves when nothing of it is under way; never rejects for what a receiver does. */
  run(): Promise<void>;
}

/** `secret` opened; null: it can't be, and the subscription has to wait for its operator. */
export function createTurn(claimed: ClaimedWebhook, secret: string | null, tools: TurnTools): Turn {
  const { clock, meter } = tools;
  const startedAt = clock.now();
  const relays = byRelay(claimed.deliveries);
  let state: Pick<WebhookReport, "failures" | "doubtful" | "active" | "reason"> = {
    failures: claimed.failures,
    doubtful: claimed.doubtful,
    active: true,
    reason: claimed.reason,
  };
  let attempts: AttemptReport[] = [];
  let collected = true;
  let ended = false;
  let stopped = false;
  let restUntil = 0;

  async function run(): Promise<void> {
    try {
      if (secret === null) restUntil = startedAt + SECRET_RETRY_MS;
      else await allOf(workers(secret));
    } finally {
      ended = true;
      collected = false;
    }
  }

  /** Waits for all, also when one is broken off by the store: then it is tried again, not at once. */
  async function allOf(ends: Iterable<Promise<void>>): Promise<void> {
    const broken = (await Promise.allSettled(ends)).find((end) => end.status === "rejected");
    if (broken === undefined) return;
    restUntil = clock.now() + WORKER_RETRY_MS;
    throw broken.reason;
  }

  /** The first has the turn's own place, the others what is free. */
  function* workers(key: string): Iterable<Promise<void>> {
    yield work(key);
    const most = claimed.doubtful ? 1 : RELAYS_PER_TURN;
    for (let extra = 1; extra < most && relays.length > 0 && tools.takePlace(); extra += 1) {
      yield work(key).finally(tools.givePlace);
    }
  }

  async function work(key: string): Promise<void> {
    for (let relay = relays.shift(); relay !== undefined; relay = relays.shift()) {
      for (const delivery of relay) {
        if (!(await mayGoOn())) return;
        if (!(await deliver(delivery, key))) break;
      }
    }
  }

  async function mayGoOn(): Promise<boolean> {
    if (stopped || tools.stopping.aborted || clock.now() - startedAt > TURN_MS) return false;
    stopped = !(await tools.holds(claimed.key));
    return !stopped;
  }

  /** True when it is done with, and the next of the same relay may follow. */
  async function deliver(delivery: DueDelivery, key: string): Promise<boolean> {
    const signed = await tools.bodies.signed(delivery, key);
    if (signed === null) {
      // The catalog's own doing: it counts against nobody.
      attempts.push(reportOf(delivery, { state: "failed", error: "the event is no longer kept" }));
      collected = false;
      return true;
    }
    const begun = clock.now();
    const receipt = await postDelivery(tools.exchange, {
      url: claimed.url,
      headers: {
        "content-type": "application/json",
        "user-agent": tools.userAgent,
        [EVENT_HEADER]: delivery.event,
        [DELIVERY_HEADER]: delivery.id,
        [SIGNATURE_HEADER]: signed.signature,
      },
      body: signed.body,
      signal: tools.abort,
    });
    const now = clock.now();
    meter.observe("webhook_delivery_duration_seconds", (now - begun) / 1_000, {});
    return settle(delivery, judgeReceipt(receipt, now), now);
  }

  function settle(delivery: DueDelivery, judgement: Judgement, now: number): boolean {
    if (judgement.outcome === "untried") {
      stopped = true;
      if (!tools.abort.aborted) restUntil = now + WORKER_RETRY_MS;
      return false;
    }
    collected = false;
    const made = delivery.attempts + 1;
    if (judgement.outcome === "arrived") {
      attempts.push(reportOf(delivery, { state: "delivered", attempts: made, status: judgement.status }));
      state = { failures: 0, doubtful: false, active: true, reason: null };
      meter.count("webhook_deliveries_total", { outcome: "delivered" });
      return true;
    }
    stopped = true;
    const { status, error, waitMs } = judgement;
    const pause = nextAttempt(made, { waitMs, random: tools.random() });
    // Who asks for quiet gets it for all relays.
    if (waitMs > 0) restUntil = now + Math.min(waitMs, MAX_ATTEMPT_PAUSE_MS);
    meter.count("webhook_deliveries_total", { outcome: pause === null ? "failed" : "attempted" });
    state = pause === null ? afterFailure(error) : { ...state, doubtful: true };
    attempts.push(
      reportOf(delivery, {
        state: pause === null ? "failed" : "waiting",
        attempts: made,
        status,
        error,
        dueAt: now + (pause ?? 0),
      }),
    );
    return false;
  }

  function afterFailure(error: string) {
    const failures = state.failures + 1;
    const active = failures < MAX_FAILED_DELIVERIES;
    const reason = active ? error : `${failures} deliveries in a row failed; of the last, ${error}`;
    return { failures, doubtful: true, active, reason };
  }

  return {
    webhook: claimed.key,
    startedAt,
    slow: claimed.doubtful,
    collect() {
      if (collected) return null;
      collected = true;
      const report = { webhook: claimed.key, attempts, ...state, done: ended, restUntil };
      attempts = [];
      return report;
    },
    run,
  };
}

/** Each relay's deliveries in order, relays by their first; tests are a lane of their own. */
function byRelay(deliveries: readonly DueDelivery[]): (readonly DueDelivery[])[] {
  return [...Map.groupBy(deliveries, ({ relay }) => relay).values()];
}

function reportOf(
  delivery: DueDelivery,
  told: Pick<AttemptReport, "state"> & Partial<AttemptReport>,
): AttemptReport {
  return {
    delivery: delivery.key,
    attempts: delivery.attempts,
    status: null,
    error: null,
    dueAt: 0,
    ...told,
  };
}
