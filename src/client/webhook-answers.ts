/** From what a catalog answers about subscriptions to the wire's own shapes. Pure; other catalogs may leave fields out. */
import {
  type DeliveryOutput,
  type EventName,
  eventNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SubscribeOutput,
  type Webhook,
  type WebhookDelivery,
  type WebhookOutput,
} from "../spec/index.ts";
import { notACatalogs } from "./answers.ts";

export function readSubscribed(body: JsonObject): SubscribeOutput {
  if (typeof body.secret !== "string") throw notACatalogs('"secret" is missing');
  return {
    webhook: webhook(body.webhook),
    secret: body.secret,
    note: typeof body.note === "string" ? body.note : "",
  };
}

export function readWebhook(body: JsonObject): WebhookOutput {
  const deliveries = Array.isArray(body.deliveries) ? body.deliveries.filter(isJsonObject) : [];
  return { webhook: webhook(body.webhook), deliveries: deliveries.map(delivery) };
}

/** The id of a delivery that was queued; some catalogs answer the whole delivery. */
export function readQueued(body: JsonObject): DeliveryOutput {
  const given = isJsonObject(body.delivery) ? body.delivery.id : body.delivery;
  if (typeof given !== "string") throw notACatalogs('"delivery" is missing');
  return { delivery: given };
}

function webhook(value: JsonValue | undefined): Webhook {
  if (!isJsonObject(value) || typeof value.id !== "string" || typeof value.url !== "string") {
    throw notACatalogs('"webhook" is missing');
  }
  return {
    id: value.id,
    url: value.url,
    events: names(value.events) ?? eventNames,
    relays: Array.isArray(value.relays) && value.relays.length > 0 ? value.relays.map(String) : null,
    createdAt: text(value.createdAt) ?? "",
    failures: typeof value.failures === "number" ? value.failures : 0,
    active: value.active !== false,
    reason: text(value.reason),
  };
}

function delivery(value: JsonObject): WebhookDelivery {
  const status = typeof value.status === "number" ? value.status : null;
  const error = text(value.error);
  const arrived = status !== null && status >= 200 && status < 300;
  const said = (["waiting", "delivered", "failed"] as const).find((state) => state === value.state);
  return {
    id: text(value.id) ?? "",
    event: (text(value.event) ?? "") as WebhookDelivery["event"],
    relay: text(value.relay),
    at: text(value.at) ?? "",
    state: said ?? (arrived ? "delivered" : error === null ? "waiting" : "failed"),
    status,
    error,
    attempts: typeof value.attempts === "number" ? value.attempts : 0,
  };
}

function names(value: JsonValue | undefined): readonly EventName[] | null {
  return Array.isArray(value) ? eventNames.filter((name) => value.includes(name)) : null;
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
