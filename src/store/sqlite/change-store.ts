/** The log of changes, which is the outbox too: events with the record as it was after them, in commit order. */
import { type ChangeDetail, type EventName, RawJson, type RecentChange } from "../../spec/index.ts";
import type { Change, ChangeFilter, ChangeStore, NewEvent } from "../store.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./write-turns.ts";

const APPENDED = "changes appended";

/** SQL: the changes `c` of what a relay is, not of whether it answers. */
export const CONTENT_EVENTS = "('relay.registered', 'relay.updated')";

interface ChangeRow {
  readonly seq: number;
  readonly id: string;
  readonly event: EventName;
  readonly at: string;
  readonly relayId: string;
  readonly json: string;
  readonly detail: string | null;
}

export function createChangeStore(database: Database, writer: Writer): ChangeStore {
  return {
    async list(since, limit, { maxChars = Number.POSITIVE_INFINITY, ...filter } = {}) {
      const changes: Change[] = [];
      let chars = 0;
      for (const seq of seqsAfter(database, since, { ...filter, limit })) {
        const row = database.get<ChangeRow>(
          `select c.seq, c.id, c.event, c.at, c.relay as relayId, s.json, c.detail from change c join snapshot s on s.id = c.snapshot
            where c.seq = ?`,
          seq,
        );
        if (row === undefined) continue;
        chars += row.json.length + (row.detail?.length ?? 0);
        if (changes.length > 0 && chars > maxChars) break;
        changes.push(changeOf(row));
      }
      return changes;
    },
    async recent(limit, { relay } = {}) {
      const rows = database.all<Omit<RecentChange, "detail"> & { readonly detail: string | null }>(
        `select seq, id, event, at, relay, detail from change ${relay === undefined ? "" : "where relay = ?"} order by seq desc limit ?`,
        ...(relay === undefined ? [] : [relay]),
        limit,
      );
      return rows.map((row) => ({
        ...row,
        detail: row.detail === null ? null : (JSON.parse(row.detail) as ChangeDetail),
      }));
    },
    oldest: async () =>
      database.get<{ seq: number }>("select seq from change order by seq limit 1")?.seq ??
      latest(database) + 1,
    latest: async () => latest(database),
    async lastChanged(relays) {
      const rows = database.all<{ relay: string; at: string }>(
        `select c.relay, max(c.seq), c.at from json_each(?) j cross join change c on c.relay = j.value
          where c.event in ${CONTENT_EVENTS} group by c.relay`,
        JSON.stringify(relays),
      );
      return new Map(rows.map(({ relay, at }) => [relay, at]));
    },
    goesOnFrom: async (since) =>
      since === latest(database) ||
      // Numbers have no holes but where a log ends that a restore put away (running-numbers.ts).
      database.get("select 1 as found from change where seq = ?1 or seq = ?1 + 1 limit 1", since) !==
        undefined,
    onAppend: (listener) => database.listen(APPENDED, listener),
    prune: async (before, limit) => writer.write(() => prune(database, before, limit)),
  };
}

/** Places alone: the records are read one by one, so that a list that ends early reads no more of them. */
function seqsAfter(
  database: Database,
  since: number,
  { relays, events, limit }: ChangeFilter & { readonly limit: number },
): readonly number[] {
  const filters: [condition: string, values: readonly string[] | undefined][] = [
    ["relay in (select value from json_each(?))", relays],
    ["event in (select value from json_each(?))", events],
  ];
  const given = filters.filter(([, values]) => values !== undefined);
  const rows = database.all<{ seq: number }>(
    `select seq from change where ${["seq > ?", ...given.map(([condition]) => condition)].join(" and ")} order by seq limit ?`,
    since,
    ...given.map(([, values]) => JSON.stringify(values)),
    limit,
  );
  return rows.map(({ seq }) => seq);
}

function changeOf({ json, detail, ...change }: ChangeRow): Change {
  return { ...change, relay: new RawJson(json), detail: detail === null ? null : new RawJson(detail) };
}

/** Also of a change that is no longer kept. */
function latest(database: Database): number {
  return database.get<{ seq: number }>("select seq from sqlite_sequence where name = 'change'")?.seq ?? 0;
}

function prune(database: Database, before: number, limit: number): number {
  const last = database.get<{ seq: number | null }>(
    "select max(seq) as seq from change where at < ?",
    new Date(before).toISOString(),
  )?.seq;
  if (last === undefined || last === null) return 0;
  const dropped = database.run(
    "delete from change where seq in (select seq from change where seq <= ? order by seq limit ?)",
    last,
    limit,
  );
  // Snapshots are as old as their changes: those before the first that is still needed are needed no more.
  const needed = database.get<{ snapshot: number }>("select snapshot from change order by seq limit 1");
  if (needed === undefined) database.run("delete from snapshot");
  else database.run("delete from snapshot where id < ?", needed.snapshot);
  return dropped;
}

/** In a transaction, the relay's own. `snapshot` is only made when there is something to say. */
export function appendChanges(
  database: Database,
  change: {
    readonly relay: string;
    readonly events: readonly NewEvent[];
    readonly now: number;
  },
  snapshot: () => string,
): void {
  if (change.events.length === 0) return;
  const kept = database.get<{ id: number }>(
    "insert into snapshot (json) values (?) returning id",
    snapshot(),
  );
  for (const { id, event, detail } of change.events) {
    database.run(
      "insert into change (id, event, at, snapshot, relay, detail) values (?, ?, ?, ?, ?, ?)",
      id,
      event,
      new Date(change.now).toISOString(),
      kept?.id ?? 0,
      change.relay,
      detail === undefined ? null : JSON.stringify(detail),
    );
  }
  database.announce(APPENDED);
}
