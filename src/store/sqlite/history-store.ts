/** History: read by relay, written with the record in its transaction. */
import { type ProbeState, RawJson } from "../../spec/index.ts";
import type { EndedSpan, HistoryStep, HistoryStore, LookTotal, Pulse } from "../history-store.ts";
import type { Database } from "./database.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

export function createHistoryStore(database: Database): HistoryStore {
  return {
    async of(id, limits) {
      const row = database.get<{ seq: number; pulse: string | null }>(
        "select seq, pulse from relay where id = ?",
        id,
      );
      if (row === undefined) return null;
      return {
        pulse: row.pulse === null ? null : pulseOf(row.pulse),
        spans: spans(database, row.seq),
        hours: totals(database, row.seq, HOUR_MS),
        days: totals(database, row.seq, DAY_MS),
        toolChanges: toolChanges(database, id, limits.toolChanges),
      };
    },
    async standing(id) {
      const row = database.get<{ online: number; verified: number; state: ProbeState }>(
        // The tail is the record from the tools' end on: a bracket and a comma make it JSON.
        `select online, verified, json_extract('{' || substr(tail, 3), '$.probe.state') as state from relay where id = ?`,
        id,
      );
      if (row === undefined) return null;
      return { online: row.online === 1, verified: row.verified === 1, state: row.state };
    },
  };
}

/** What the relay's row holds. */
export function pulseOf(text: string): Pulse {
  return JSON.parse(text) as Pulse;
}

/** In a transaction. Most looks end nothing, and cost nothing here: their pulse goes with the relay's row. */
export function writeHistory(database: Database, relay: number, step: HistoryStep): void {
  const { spans, hours, days, keep } = step;
  for (const { state, from, to } of spans) {
    database.run(
      "insert or replace into state_span (relay, start, finish, state) values (?, ?, ?, ?)",
      relay,
      from,
      to,
      state,
    );
  }
  if (spans.length > 0) {
    database.run(
      `delete from state_span where relay = ?1 and (finish < ?2 or start <= (
        select start from state_span where relay = ?1 order by start desc limit 1 offset ?3))`,
      relay,
      keep.spansFrom,
      keep.spans,
    );
  }
  addTotals(database, relay, { width: HOUR_MS, totals: hours, from: keep.hoursFrom });
  addTotals(database, relay, { width: DAY_MS, totals: days, from: keep.daysFrom });
}

function addTotals(
  database: Database,
  relay: number,
  added: { readonly width: number; readonly totals: readonly LookTotal[]; readonly from: number },
): void {
  for (const total of added.totals) {
    database.run(
      `insert into look_total (relay, width, start, looks, answered, latency, slowest, up, known)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict do update set looks = looks + excluded.looks, answered = answered + excluded.answered,
          latency = latency + excluded.latency, slowest = max(slowest, excluded.slowest),
          up = up + excluded.up, known = known + excluded.known`,
      relay,
      added.width,
      total.start,
      total.looks,
      total.answered,
      total.latencyMs,
      total.slowestMs,
      total.upMs,
      total.knownMs,
    );
  }
  if (added.totals.length === 0) return;
  database.run(
    "delete from look_total where relay = ? and width = ? and start < ?",
    relay,
    added.width,
    added.from,
  );
}

function spans(database: Database, relay: number): EndedSpan[] {
  const rows = database.all<EndedSpan>(
    `select state, start as "from", finish as "to" from state_span where relay = ? order by start`,
    relay,
  );
  return rows.map((row) => ({ ...row }));
}

function totals(database: Database, relay: number, width: number): LookTotal[] {
  const rows = database.all<LookTotal>(
    `select start, looks, answered, latency as latencyMs, slowest as slowestMs, up as upMs, known as knownMs
      from look_total where relay = ? and width = ? order by start`,
    relay,
    width,
  );
  return rows.map((row) => ({ ...row }));
}

function toolChanges(database: Database, id: string, limit: number) {
  const rows = database.all<{ at: string; tools: string }>(
    `select at, json_extract(detail, '$.tools') as tools from change
      where relay = ?1 and detail is not null and json_extract(detail, '$.tools') is not null
        and seq > coalesce((select max(seq) from change where relay = ?1 and event = 'relay.removed'), 0)
      order by seq desc limit ?2`,
    id,
    limit,
  );
  return rows.reverse().map(({ at, tools }) => ({ at, tools: new RawJson<never>(tools) }));
}
