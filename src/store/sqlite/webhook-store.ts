/** Subscriptions: keeping them, showing them, and what their owners ask of them. The outbox's work is webhook-outbox.ts. */
import type { DeliveryEvent, EventName, Webhook, WebhookDelivery } from "../../spec/index.ts";
import type { NewWebhook, WebhookStore } from "../webhook-store.ts";
import type { Database } from "./database.ts";
import { createWebhookOutbox, deliveryStates } from "./webhook-outbox.ts";
import type { Writer } from "./write-turns.ts";

interface WebhookRow {
  readonly key: number;
  readonly id: string;
  readonly url: string;
  readonly events: string;
  readonly relays: string | null;
  readonly createdAt: string;
  readonly failures: number;
  readonly active: number;
  readonly reason: string | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly event: DeliveryEvent;
  readonly relay: string;
  readonly at: string;
  readonly state: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly attempts: number;
}

export function createWebhookStore(database: Database, writer: Writer): WebhookStore {
  return {
    ...createWebhookOutbox(database, writer),
    create: async (webhook) => writer.write(() => insertWebhook(database, webhook)),
    async get(id) {
      const row = findWebhook(database, id);
      return row === undefined ? null : webhookOf(row);
    },
    remove: async (id) => writer.write(() => removeWebhook(database, id)),
    async deliveries(id, limit) {
      const webhook = keyOf(database, id);
      return webhook === undefined ? null : newestDeliveries(database, webhook, limit);
    },
    addTest: async (id, test) =>
      await writer.write(() => {
        const webhook = activate(database, id, test);
        if (webhook === undefined) return false;
        database.run(
          "insert into delivery (webhook, id, relay, event, at, due_at) values (?, ?, '', 'webhook.test', ?, ?)",
          webhook,
          test.id,
          new Date(test.now).toISOString(),
          test.now,
        );
        return true;
      }),
    redeliver: async (id, again) =>
      await writer.write(() => {
        const webhook = keyOf(database, id);
        if (webhook === undefined || !putBack(database, webhook, again)) return false;
        activate(database, id, again);
        return true;
      }),
    secrets: async (after, limit) =>
      database
        .all<{ key: number; id: string; secret: string }>(
          "select key, id, secret from webhook where key > ? order by key limit ?",
          after,
          limit,
        )
        .map((row) => ({ ...row })),
    async reseal(key, { from, to }) {
      const sql = "update webhook set secret = ? where key = ? and secret = ?";
      await writer.write(() => database.run(sql, to, key, from));
    },
  };
}

function insertWebhook(database: Database, webhook: NewWebhook): Webhook {
  const createdAt = new Date(webhook.now).toISOString();
  const row = database.get<{ key: number }>(
    `insert into webhook (id, url, events, secret, created_at, since)
      values (?, ?, ?, ?, ?, coalesce((select seq from sqlite_sequence where name = 'change'), 0)) returning key`,
    webhook.id,
    webhook.url,
    JSON.stringify(webhook.events),
    webhook.secret,
    createdAt,
  );
  for (const relay of new Set(webhook.relays ?? [])) {
    database.run("insert into webhook_relay (webhook, relay) values (?, ?)", row?.key ?? 0, relay);
  }
  const { id, url, events, relays } = webhook;
  return { id, url, events, relays, createdAt, failures: 0, active: true, reason: null };
}

function findWebhook(database: Database, id: string): WebhookRow | undefined {
  return database.get<WebhookRow>(
    `select key, id, url, events, created_at as createdAt, failures, active, reason,
        (select json_group_array(relay) from webhook_relay r where r.webhook = webhook.key) as relays
      from webhook where id = ?`,
    id,
  );
}

function keyOf(database: Database, id: string): number | undefined {
  return database.get<{ key: number }>("select key from webhook where id = ?", id)?.key;
}

function webhookOf(row: WebhookRow): Webhook {
  const { key: _, ...rest } = row;
  const relays = JSON.parse(row.relays ?? "[]") as readonly string[];
  return {
    ...rest,
    events: JSON.parse(row.events) as readonly EventName[],
    relays: relays.length === 0 ? null : relays,
    active: row.active === 1,
  };
}

function removeWebhook(database: Database, id: string): boolean {
  const webhook = keyOf(database, id);
  if (webhook === undefined) return false;
  database.run("delete from delivery where webhook = ? and state = 0", webhook);
  database.run("delete from delivery where webhook = ? and state <> 0", webhook);
  return database.run("delete from webhook where key = ?", webhook) > 0;
}

/** Both halves by their index, joined. */
function newestDeliveries(database: Database, webhook: number, limit: number): readonly WebhookDelivery[] {
  const half = (condition: string): string =>
    `select * from (select key, id, event, relay, at, state, status, error, attempts from delivery
      where webhook = ?1 and ${condition} order by key desc limit ?2)`;
  return database
    .all<DeliveryRow & { readonly key: number }>(
      `${half("state = 0")} union all ${half("state <> 0")} order by key desc limit ?2`,
      webhook,
      limit,
    )
    .map(({ key: _, ...row }) => ({
      ...row,
      relay: row.relay === "" ? null : row.relay,
      state: deliveryStates[row.state] as WebhookDelivery["state"],
    }));
}

/** Something of it is due now; an inactive one gets another chance. */
function activate(
  database: Database,
  id: string,
  { now, failures }: { readonly now: number; readonly failures: number },
): number | undefined {
  return database.get<{ key: number }>(
    `update webhook set due_at = min(coalesce(due_at, ?1), ?1), rest_until = 0, active = 1,
        failures = case active when 1 then failures else ?2 end
      where id = ?3 returning key`,
    now,
    failures,
    id,
  )?.key;
}

function putBack(
  database: Database,
  webhook: number,
  { delivery, now }: { readonly delivery: string; readonly now: number },
): boolean {
  // One statement for each half, so that each uses its index.
  const finished = database.run(
    `update delivery set state = 0, attempts = 0, due_at = ?, status = null, error = null
      where webhook = ? and state <> 0 and id = ?`,
    now,
    webhook,
    delivery,
  );
  if (finished > 0) return true;
  const waiting = database.run(
    "update delivery set due_at = ? where webhook = ? and state = 0 and id = ?",
    now,
    webhook,
    delivery,
  );
  return waiting > 0;
}
