/**
 * The numbers that only grow: those that SQLite gives to rows, and the revision. Who reads changes holds on to one, and so
 * does a write under way. When an older file takes the place of a newer one, they go on from where the newer one was.
 */
import type { Database } from "./database.ts";

export interface RunningNumbers {
  /** Table -> the last number given. */
  readonly rows: ReadonlyMap<string, number>;
  readonly revision: number;
}

export function numbersReached(database: Database): RunningNumbers {
  const rows = database.all<{ name: string; seq: number }>("select name, seq from sqlite_sequence");
  return {
    rows: new Map(rows.map(({ name, seq }) => [name, seq])),
    revision: database.get<{ last: number }>("select last from revision")?.last ?? 0,
  };
}

export function goOnFrom(database: Database, { rows, revision }: RunningNumbers): void {
  database.transaction(() => {
    const known =
      database.get<{ seq: number }>("select seq from sqlite_sequence where name = 'change'")?.seq ?? 0;
    for (const [table, seq] of rows) {
      database.run("update sqlite_sequence set seq = max(seq, ?) where name = ?", seq, table);
      database.run(
        `insert into sqlite_sequence (name, seq) select ?1, ?2
          where not exists (select 1 from sqlite_sequence where name = ?1)`,
        table,
        seq,
      );
    }
    // A hole of one number after what was lost: who knows a change of it is told apart from who knows all that is here.
    const lost = rows.get("change") ?? 0;
    if (known < lost) database.run("update sqlite_sequence set seq = ? where name = 'change'", lost + 1);
    database.run("update revision set last = max(last, ?)", revision);
  });
}
