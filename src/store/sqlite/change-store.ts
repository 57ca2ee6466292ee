/** The outbox: events with the record as it was after them, in commit order. */
import { type EventName, RawJson } from "../../spec/index.ts";
import type { ChangeStore } from "../store.ts";
import type { Database } from "./database.ts";

const APPENDED = "changes appended";

export function createChangeStore(database: Database): ChangeStore {
  return {
    async list(since, limit) {
      const rows = database.all<{ seq: number; id: string; event: EventName; at: string; json: string }>(
        `select c.seq, c.id, c.event, c.at, s.json from change c join snapshot s on s.id = c.snapshot
          where c.seq > ? order by c.seq limit ?`,
        since,
        limit,
      );
      return rows.map(({ json, ...change }) => ({ ...change, relay: new RawJson(json) }));
    },
    oldest: async () =>
      database.get<{ seq: number }>("select seq from change order by seq limit 1")?.seq ??
      latest(database) + 1,
    latest: async () => latest(database),
    onAppend: (listener) => database.listen(APPENDED, listener),
  };
}

/** Also of a change that is no longer kept. */
function latest(database: Database): number {
  return database.get<{ seq: number }>("select seq from sqlite_sequence where name = 'change'")?.seq ?? 0;
}

/** In a transaction, the relay's own. `snapshot` is only made when there is something to say. */
export function appendChanges(
  database: Database,
  change: {
    readonly relay: string;
    readonly events: readonly { readonly id: string; readonly event: EventName }[];
    readonly now: number;
  },
  snapshot: () => string,
): void {
  if (change.events.length === 0) return;
  const kept = database.get<{ id: number }>(
    "insert into snapshot (json) values (?) returning id",
    snapshot(),
  );
  for (const { id, event } of change.events) {
    database.run(
      "insert into change (id, event, at, snapshot) values (?, ?, ?, ?)",
      id,
      event,
      new Date(change.now).toISOString(),
      kept?.id ?? 0,
    );
  }
  database.announce(APPENDED);
}
