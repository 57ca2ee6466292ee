/** Subscriptions, claims and reports as the cases of webhooks and of their outbox make them. */
import assert from "node:assert/strict";
import type { EventName } from "../../spec/index.ts";
import type { Store } from "../store.ts";
import type { AttemptReport, ClaimedWebhook, ClaimOptions, WebhookReport } from "../webhook-store.ts";
import { NOW } from "./samples.ts";

const ALL: readonly EventName[] = [
  "relay.registered",
  "relay.updated",
  "relay.online",
  "relay.offline",
  "relay.removed",
];

/** A subscription to all events of all relays unless told otherwise. */
export function subscribe(
  store: Store,
  id: string,
  options: { readonly events?: readonly EventName[]; readonly relays?: readonly string[] } = {},
) {
  const { events = ALL, relays = null } = options;
  return store.webhooks.create({
    id,
    url: `https://${id}.example/`,
    events,
    relays,
    secret: `s-${id}`,
    now: NOW,
  });
}

/** Makes every delivery there is to make. */
export async function expandAll(store: Store, limit = 1_000): Promise<void> {
  for (let rounds = 0; await store.webhooks.expand(NOW, limit); rounds += 1) {
    assert(rounds < 1_000, "the outbox is never done");
  }
}

/** What a dispatcher is handed at `NOW`. */
export function claim(store: Store, changes: Partial<ClaimOptions> = {}): Promise<readonly ClaimedWebhook[]> {
  return store.webhooks.claim({
    dispatcher: "me",
    now: NOW,
    aliveUntil: NOW,
    doubtful: false,
    limit: 100,
    each: 100,
    maxPaused: 10,
    ...changes,
  });
}

/** An attempt that arrived. */
export function delivered(delivery: number): AttemptReport {
  return { delivery, state: "delivered", attempts: 1, status: 204, error: null, dueAt: NOW };
}

/** A turn that ended well. */
export function report(webhook: ClaimedWebhook, attempts: readonly AttemptReport[]): WebhookReport {
  return {
    webhook: webhook.key,
    attempts,
    failures: 0,
    doubtful: false,
    active: true,
    reason: null,
    done: true,
    restUntil: 0,
  };
}

/** The one subscription that can be claimed. */
export async function only(store: Store, changes: Partial<ClaimOptions> = {}): Promise<ClaimedWebhook> {
  const [first, ...others] = await claim(store, changes);
  assert(first !== undefined && others.length === 0, "one subscription was expected");
  return first;
}
