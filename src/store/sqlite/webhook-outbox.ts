/**
 * The outbox: changes become deliveries, deliveries are handed out by subscription, results are taken back.
 * Every step is one short transaction over rows found by an index, however much waits.
 */
import {
  type DeliveryEvent,
  type EventName,
  RawJson,
  type RelayRecord,
  type WebhookDelivery,
} from "../../spec/index.ts";
import type {
  ClaimedWebhook,
  ClaimOptions,
  DueDelivery,
  OutboxRecall,
  WebhookReport,
  WebhookStore,
} from "../webhook-store.ts";
import type { Database } from "./database.ts";
import { DEAD_KEPT_MS } from "./limits.ts";
import type { Writer } from "./write-turns.ts";

/** By the number that stands for it. */
export const deliveryStates: readonly WebhookDelivery["state"][] = ["waiting", "delivered", "failed"];

type Outbox = Pick<
  WebhookStore,
  "expand" | "beat" | "claim" | "recall" | "body" | "holds" | "report" | "resign" | "forget" | "waiting"
>;

export function createWebhookOutbox(database: Database, writer: Writer): Outbox {
  return {
    async expand(now, limit) {
      // Looked up before anything is locked: most of the time there is nothing.
      if (nextChange(database, cursorOf(database)) === undefined) return false;
      return writer.write(() => expand(database, now, limit));
    },
    beat: async (dispatcher, until) => writer.write(() => beat(database, dispatcher, until)),
    async claim(options) {
      if (claimable(database, options).length === 0) return [];
      return writer.write(() => {
        beat(database, options.dispatcher, options.aliveUntil);
        return claimable(database, options)
          .map((row) => handOut(database, row, options))
          .filter((claimed) => claimed !== null);
      });
    },
    async recall(beyond) {
      await writer.write(() => recall(database, beyond));
    },
    async body(change) {
      const row = database.get<{ json: string }>(
        "select s.json from change c join snapshot s on s.id = c.snapshot where c.seq = ?",
        change,
      );
      return row === undefined ? null : new RawJson<RelayRecord | { readonly id: string }>(row.json);
    },
    async holds(webhook, dispatcher) {
      const sql = "select 1 as held from webhook where key = ? and dispatcher = ? and active = 1";
      return database.get<{ held: number }>(sql, webhook, dispatcher) !== undefined;
    },
    report: async (reports, options) =>
      await writer.write(() => {
        for (const report of reports) take(database, report, options);
      }),
    async resign(dispatcher) {
      await writer.write(() => {
        database.run("update webhook set dispatcher = null where dispatcher = ?", dispatcher);
        database.run("delete from webhook_dispatcher where id = ?", dispatcher);
      });
    },
    async forget(before, limit) {
      // Keys grow with time, near enough: the oldest come first.
      const sql =
        "delete from delivery where key in (select key from delivery order by key limit ?) and at < ?";
      return writer.write(() => database.run(sql, limit, new Date(before).toISOString()));
    },
    async waiting() {
      return database.get<{ n: number }>("select count(*) as n from delivery where state = 0")?.n ?? 0;
    },
  };
}

function beat(database: Database, dispatcher: string, until: number): void {
  database.run("delete from webhook_dispatcher where alive_until < ?", until - DEAD_KEPT_MS);
  database.run(
    "insert into webhook_dispatcher (id, alive_until) values (?1, ?2) on conflict do update set alive_until = ?2",
    dispatcher,
    until,
  );
}

interface Cursor {
  readonly change: number;
  readonly webhook: number;
}

interface ChangeRow {
  readonly seq: number;
  readonly id: string;
  readonly event: EventName;
  readonly at: string;
  readonly relay: string;
}

function cursorOf(database: Database): Cursor {
  return database.get<Cursor>("select change, webhook from webhook_cursor") ?? { change: 0, webhook: 0 };
}

/** The first change that is not done with. */
function nextChange(database: Database, { change }: Cursor): ChangeRow | undefined {
  return database.get<ChangeRow>(
    "select seq, id, event, at, relay from change where seq > ? order by seq limit 1",
    change,
  );
}

/** True when there is more. */
function expand(database: Database, now: number, limit: number): boolean {
  let cursor = cursorOf(database);
  let left = limit;
  let change = nextChange(database, cursor);
  const before = database.get<{ key: number }>("select max(key) as key from delivery")?.key ?? 0;
  while (change !== undefined && left > 0) {
    const page = database.get<{ looked: number; last: number | null }>(
      `select count(*) as looked, max(key) as last
        from (select key from webhook where key > ? order by key limit ?)`,
      cursor.webhook,
      left,
    ) ?? { looked: 0, last: null };
    if (page.last !== null) {
      insertDeliveries(database, change, { after: cursor.webhook, last: page.last, now });
    }
    // A full page may have more behind it; the next round finds out.
    cursor =
      page.last !== null && page.looked === left
        ? { change: cursor.change, webhook: page.last }
        : { change: change.seq, webhook: 0 };
    left -= Math.max(1, page.looked);
    if (cursor.webhook === 0) change = nextChange(database, cursor);
  }
  database.run("update webhook_cursor set change = ?, webhook = ?", cursor.change, cursor.webhook);
  database.run(
    `update webhook set due_at = ?1 where (due_at is null or due_at > ?1)
      and key in (select webhook from delivery where key > ?2)`,
    now,
    before,
  );
  return change !== undefined;
}

function insertDeliveries(
  database: Database,
  change: ChangeRow,
  range: { readonly after: number; readonly last: number; readonly now: number },
): void {
  database.run(
    `insert into delivery (webhook, id, change, relay, event, at, due_at)
      select key, ?8 || '.' || lower(hex(randomblob(8))), ?1, ?2, ?3, ?4, ?5 from webhook
        where key > ?6 and key <= ?7 and active = 1 and since < ?1 and instr(events, '"' || ?3 || '"') > 0
          and (not exists (select 1 from webhook_relay r where r.webhook = key)
            or exists (select 1 from webhook_relay r where r.webhook = key and r.relay = ?2))
        order by key`,
    change.seq,
    change.relay,
    change.event,
    change.at,
    range.now,
    range.after,
    range.last,
    change.id,
  );
}

interface ClaimRow {
  readonly key: number;
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly failures: number;
  readonly doubtful: number;
  readonly reason: string | null;
}

function claimable(database: Database, options: ClaimOptions): readonly ClaimRow[] {
  return database.all<ClaimRow>(
    `select key, id, url, secret, failures, doubtful, reason from webhook
      where due_at <= ?1 and active = 1 and doubtful = ?2 and rest_until <= ?1
        and (dispatcher is null
          or dispatcher not in (select id from webhook_dispatcher where alive_until > ?1))
      order by due_at limit ?3`,
    options.now,
    Number(options.doubtful),
    options.limit,
  );
}

function recall(database: Database, { now, attempt, rest, word }: OutboxRecall): void {
  database.run("delete from webhook_dispatcher where alive_until > ?", word);
  database.run("update webhook set rest_until = 0 where rest_until > ?", rest);
  // What was never tried waits for nothing; what a receiver put off is due when its rest is over.
  database.run(
    `update delivery set due_at = ?1 where state = 0
      and due_at > max(case attempts when 0 then ?1 else ?2 end,
        coalesce((select rest_until from webhook where key = delivery.webhook), 0))`,
    now,
    attempt,
  );
  database.run("update webhook set due_at = ?1 where due_at > ?1", now);
}

/** Null when all that waits, waits for a next attempt: then it is looked at again when the first of them is due. */
function handOut(database: Database, row: ClaimRow, options: ClaimOptions): ClaimedWebhook | null {
  const paused = database
    .all<{ relay: string }>(
      "select distinct relay from delivery where webhook = ? and state = 0 and attempts > 0 and due_at > ?",
      row.key,
      options.now,
    )
    .map(({ relay }) => relay);
  const deliveries =
    paused.length >= options.maxPaused
      ? []
      : dueDeliveries(database, row.key, { ...options, except: paused });
  if (deliveries.length === 0) {
    database.run(
      `update webhook set dispatcher = null, due_at =
          (select min(due_at) from delivery where webhook = ?1 and state = 0 and attempts > 0 and due_at > ?2)
        where key = ?1`,
      row.key,
      options.now,
    );
    return null;
  }
  database.run("update webhook set dispatcher = ? where key = ?", options.dispatcher, row.key);
  return { ...row, doubtful: row.doubtful === 1, deliveries };
}

function dueDeliveries(
  database: Database,
  webhook: number,
  options: { readonly now: number; readonly each: number; readonly except: readonly string[] },
): readonly DueDelivery[] {
  return database
    .all<Omit<DueDelivery, "relay" | "event"> & { relay: string; event: DeliveryEvent }>(
      `select key, id, event, at, relay, change, attempts from delivery
        where webhook = ? and state = 0 and due_at <= ? and relay not in (select value from json_each(?))
        order by key limit ?`,
      webhook,
      options.now,
      JSON.stringify(options.except),
      options.each,
    )
    .map((row) => ({ ...row, relay: row.relay === "" ? null : row.relay }));
}

function take(
  database: Database,
  report: WebhookReport,
  { dispatcher, now, keep }: { readonly dispatcher: string; readonly now: number; readonly keep: number },
): void {
  for (const attempt of report.attempts) {
    database.run(
      "update delivery set state = ?, attempts = ?, status = ?, error = ?, due_at = ? where key = ? and state = 0",
      deliveryStates.indexOf(attempt.state),
      attempt.attempts,
      attempt.status,
      attempt.error,
      attempt.dueAt,
      attempt.delivery,
    );
  }
  const own = database.run(
    "update webhook set failures = ?, doubtful = ?, active = ?, reason = ? where key = ? and dispatcher = ?",
    report.failures,
    Number(report.doubtful),
    Number(report.active),
    report.reason,
    report.webhook,
    dispatcher,
  );
  if (own === 0 || !report.done) return;
  // Due while anything waits, behind those who are waiting already: who is handed it finds out when.
  database.run(
    `update webhook set dispatcher = null, rest_until = ?2,
        due_at = case when exists (select 1 from delivery where webhook = ?1 and state = 0) then max(?2, ?3) end
      where key = ?1`,
    report.webhook,
    report.restUntil,
    now,
  );
  database.run(
    `delete from delivery where webhook = ?1 and state <> 0 and key <=
        (select key from delivery where webhook = ?1 and state <> 0 order by key desc limit 1 offset ?2)`,
    report.webhook,
    keep,
  );
}
