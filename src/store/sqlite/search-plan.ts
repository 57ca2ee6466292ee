/**
 * What a step of the index will write, made before it is the index's turn to write: reading tools, analysing their texts and merging
 * postings take ten times as long as writing the rows, and registrations wait for that turn.
 * A plan holds for what it was made from; whoever carries it out asks first whether that still stands.
 */
import type { SQLInputValue } from "node:sqlite";
import type { Database } from "./database.ts";
import type { TermIds } from "./term-ids.ts";

/** One relay that is marked, as it was read. */
export interface Mark {
  readonly relay: number;
  /** The tool up to which it is done. */
  readonly done: number;
  /** Null: the relay is gone. */
  readonly revision: number | null;
}

/** Writes in their order; nothing is written yet. */
export interface Plan {
  write(sql: string, ...values: SQLInputValue[]): void;
  /** The term's number; a new one is given when the plan is carried out. */
  termId(text: string): number;
  /** In a transaction. */
  carryOut(): void;
  /** After the commit: its numbers stand. */
  committed(): void;
}

/** In a snapshot, or in the transaction that carries it out. */
export function createPlan(database: Database, termIds: TermIds): Plan {
  const writes: (readonly [sql: string, values: readonly SQLInputValue[]])[] = [];
  const terms = new Map<string, number>();
  let next: number | null = null;

  function write(sql: string, ...values: SQLInputValue[]): void {
    writes.push([sql, values]);
  }
  return {
    write,
    termId(text) {
      const known = terms.get(text) ?? termIds.find(text);
      if (known !== undefined) return known;
      // Terms are never dropped, so that a number above all others was never given.
      next ??=
        database.get<{ next: number }>("select coalesce(max(id), 0) + 1 as next from search_term")?.next ?? 1;
      const id = next++;
      terms.set(text, id);
      write("insert into search_term (id, text) values (?, ?)", id, text);
      return id;
    },
    carryOut() {
      for (const [sql, values] of writes) database.run(sql, ...values);
    },
    committed: () => termIds.remember(terms),
  };
}

/** The oldest marks. */
export function readMarks(database: Database, most: number): readonly Mark[] {
  return database.all<Mark>(
    `select d.relay, d.done, r.revision from search_dirty d left join relay r on r.seq = d.relay
      order by d.relay limit ?`,
    most,
  );
}

/** True when these relays are as they were read: not written again, not indexed by another process. */
export function stillMarked(database: Database, marks: readonly Mark[]): boolean {
  const now = database.all<Mark>(
    `select d.relay, d.done, r.revision from json_each(?) j
      cross join search_dirty d on d.relay = j.value left join relay r on r.seq = d.relay order by d.relay`,
    JSON.stringify(marks.map(({ relay }) => relay)),
  );
  return (
    now.length === marks.length &&
    now.every(({ relay, done, revision }, index) => {
      const then = marks[index];
      return relay === then?.relay && done === then.done && revision === then.revision;
    })
  );
}
