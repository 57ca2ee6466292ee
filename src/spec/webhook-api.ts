/**
 * Subscriptions and their deliveries as they are on the wire (OpenMCP 0.1 "Webhooks, out"; wire.md "Webhooks").
 * How a delivery is signed is webhook-signature.ts.
 */
import type { EventName } from "./event.ts";
import type { RelayRecord } from "./record.ts";

/** The event of a delivery that its subscriber asked for to see whether one arrives; nothing changed. */
export const TEST_EVENT = "webhook.test";

export type DeliveryEvent = EventName | typeof TEST_EVENT;

/** What is posted to a subscriber. */
export interface DeliveryBody {
  /** The delivery's id, the same at each attempt: the change's own id, a full stop, and what tells subscriptions apart. */
  readonly id: string;
  readonly event: DeliveryEvent;
  /** When it happened, ISO 8601. */
  readonly at: string;
  /** The catalog's own URL. */
  readonly catalog: string;
  /** The record after the change; `{id}` when removed; null in a test. */
  readonly relay: RelayRecord | { readonly id: string } | null;
}

/** A subscription, without its secret. */
export interface Webhook {
  /** Unguessable, and the only handle on it. */
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventName[];
  /** Null: all relays. */
  readonly relays: readonly string[] | null;
  readonly createdAt: string;
  /** Failed deliveries in a row. */
  readonly failures: number;
  /** False after too many of them: nothing is delivered any more. */
  readonly active: boolean;
  /** Why it is not active, or why the last delivery failed; null when the last one arrived. */
  readonly reason: string | null;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly event: DeliveryEvent;
  /** Null in a test. */
  readonly relay: string | null;
  readonly at: string;
  readonly state: "waiting" | "delivered" | "failed";
  /** The HTTP status of the last attempt; null when there was no answer, or no attempt yet. */
  readonly status: number | null;
  /** Why the last attempt failed, a sentence. */
  readonly error: string | null;
  readonly attempts: number;
}

export interface SubscribeInput {
  readonly url: string;
  /** Absent: all five. */
  readonly events?: readonly EventName[];
  /** Ids; absent or empty: all relays. */
  readonly relays?: readonly string[];
  /** Absent: the catalog makes one. */
  readonly secret?: string;
}

export interface SubscribeOutput {
  readonly webhook: Webhook;
  /** Shown here and never again. */
  readonly secret: string;
  readonly note: string;
}

export interface WebhookIdInput {
  readonly id: string;
}

export interface WebhookOutput {
  readonly webhook: Webhook;
  /** The newest first; finished ones are kept for a while. */
  readonly deliveries: readonly WebhookDelivery[];
}

export interface UnsubscribeOutput {
  readonly removed: true;
}

export interface RedeliverInput {
  /** The subscription's id. */
  readonly id: string;
  readonly delivery: string;
}

export interface DeliveryOutput {
  /** The delivery's id. */
  readonly delivery: string;
}
