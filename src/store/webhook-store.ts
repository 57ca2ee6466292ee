/**
 * Subscriptions and the outbox of their deliveries. A delivery is a row of its own and shares its body with all others of
 * its change. The store keeps them, hands them out and takes the results; when to try again and when to give up is decided
 * by who delivers.
 *
 * A dispatcher is handed whole subscriptions: while it is alive (`beat`) nobody else gets theirs. One that died is known by
 * its silence, and what it had not reported is handed out again under the same ids.
 */
import type {
  DeliveryEvent,
  EventName,
  RawJson,
  RelayRecord,
  Webhook,
  WebhookDelivery,
} from "../spec/index.ts";

export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventName[];
  /** Null: all. */
  readonly relays: readonly string[] | null;
  /** As it is to be kept: sealed, or as is. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A subscription that a dispatcher was handed, with what is due of it. */
export interface ClaimedWebhook {
  /** The store's own number of it. */
  readonly key: number;
  readonly id: string;
  readonly url: string;
  /** As it is kept. */
  readonly secret: string;
  readonly failures: number;
  /** The last attempt failed. */
  readonly doubtful: boolean;
  readonly reason: string | null;
  /** In the order of their changes; none of a relay for which an earlier one waits for its next attempt. */
  readonly deliveries: readonly DueDelivery[];
}

export interface DueDelivery {
  readonly key: number;
  readonly id: string;
  readonly event: DeliveryEvent;
  readonly at: string;
  /** Null in a test. */
  readonly relay: string | null;
  /** `seq` of its change; null in a test. */
  readonly change: number | null;
  /** Attempts so far. */
  readonly attempts: number;
}

export interface ClaimOptions {
  readonly dispatcher: string;
  readonly now: number;
  /** The dispatcher lives until then, as by `beat`, when it is handed anything. */
  readonly aliveUntil: number;
  /** Only those whose last attempt failed, or only the others. */
  readonly doubtful: boolean;
  /** Subscriptions at most. */
  readonly limit: number;
  /** Deliveries of each at most. */
  readonly each: number;
  /** With so many relays waiting for a next attempt, nothing more of a subscription is handed out. */
  readonly maxPaused: number;
}

/** What became of one attempt. */
export interface AttemptReport {
  /** The delivery's key. */
  readonly delivery: number;
  readonly state: WebhookDelivery["state"];
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  /** When it is tried again; for `waiting` only. */
  readonly dueAt: number;
}

export interface WebhookReport {
  /** The subscription's key. */
  readonly webhook: number;
  readonly attempts: readonly AttemptReport[];
  readonly failures: number;
  readonly doubtful: boolean;
  readonly active: boolean;
  readonly reason: string | null;
  /** True: it is given back; whatever of it is left goes to who asks next. */
  readonly done: boolean;
  /** Milliseconds since the epoch until which nothing of it is handed out, whatever comes; 0: no rest. */
  readonly restUntil: number;
}

/** Times, milliseconds since the epoch, beyond which nobody would plan now: what is, was written by a clock that was ahead. */
export interface OutboxRecall {
  readonly now: number;
  /** For a next attempt that no receiver put off. */
  readonly attempt: number;
  /** For a rest that a receiver asked for. */
  readonly rest: number;
  /** For the next word of a dispatcher that lives. */
  readonly word: number;
}

export interface WebhookStore {
  /** Changes from now on count for it. */
  create(webhook: NewWebhook): Promise<Webhook>;
  get(id: string): Promise<Webhook | null>;
  /** With all its deliveries; false when there is none. */
  remove(id: string): Promise<boolean>;
  /** The newest first; null when there is no such subscription. */
  deliveries(id: string, limit: number): Promise<readonly WebhookDelivery[] | null>;
  /**
   * Adds a test delivery and ends a rest. An inactive subscription becomes active again with `failures` failures, so that
   * one more decides.
   * False when there is no such subscription.
   */
  addTest(
    id: string,
    test: { readonly id: string; readonly now: number; readonly failures: number },
  ): Promise<boolean>;
  /** Hands a delivery out once more, as if it were new, under the same id; activates as `addTest`. False when it isn't kept. */
  redeliver(
    id: string,
    again: { readonly delivery: string; readonly now: number; readonly failures: number },
  ): Promise<boolean>;

  /**
   * Turns changes that were not looked at yet into a delivery for each active subscription that wants them: rows and place
   * in one transaction. Looks at about `limit` pairs of change and subscription; true: there is more.
   */
  expand(now: number, limit: number): Promise<boolean>;
  /** Says that a dispatcher lives; without a word until `until` its subscriptions go to others. */
  beat(dispatcher: string, until: number): Promise<void>;
  /** Hands out active subscriptions with something due that no living dispatcher has, who waits longest first. */
  claim(options: ClaimOptions): Promise<readonly ClaimedWebhook[]>;
  /** The clock was set back: what is planned for a time that nobody would plan now is due, and a word from then counts for nothing. */
  recall(beyond: OutboxRecall): Promise<void>;
  /** The relay of a change, for bodies; null when it is no longer kept. */
  body(change: number): Promise<RawJson<RelayRecord | { readonly id: string }> | null>;
  /** True while the subscription exists, is active and is this dispatcher's. */
  holds(webhook: number, dispatcher: string): Promise<boolean>;
  /**
   * Takes results, all in one transaction. Of finished deliveries the last `keep` of each subscription stay.
   * Of a subscription that is no longer the dispatcher's, only what became of the deliveries counts.
   */
  report(
    reports: readonly WebhookReport[],
    options: { readonly dispatcher: string; readonly now: number; readonly keep: number },
  ): Promise<void>;
  /** Gives everything back. */
  resign(dispatcher: string): Promise<void>;
  /** Drops deliveries of events before `before`, finished or not, some at a time; how many. */
  forget(before: number, limit: number): Promise<number>;
  /** Deliveries that wait. */
  waiting(): Promise<number>;

  /** Secrets as they are kept, `after` the key of the last page. */
  secrets(
    after: number,
    limit: number,
  ): Promise<readonly { readonly key: number; readonly id: string; readonly secret: string }[]>;
  /** Replaces a secret that is still as it was read. */
  reseal(key: number, secret: { readonly from: string; readonly to: string }): Promise<void>;
}
