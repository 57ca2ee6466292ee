/** Changes to postings, gathered tool by tool and written sorted: each block of a term is read and rewritten once a batch. */
import { blockOf, changePostings, placeOf } from "../../search/index.ts";
import type { Database } from "./database.ts";
import type { TermIds } from "./term-ids.ts";

/** By block, term and place: the new impact, or 0 to drop the posting. */
type Changes = Map<number, Map<number, Map<number, number>>>;

export interface SearchBatch {
  /** Ids of terms that the tool no longer has; an `add` of the same term afterwards wins. */
  drop(tool: number, terms: readonly number[]): void;
  /** The ids of the terms, ascending. */
  add(tool: number, impacts: ReadonlyMap<string, number>): readonly number[];
  write(): void;
}

/** In a transaction. */
export function createSearchBatch(database: Database, termIds: TermIds): SearchBatch {
  const changes: Changes = new Map();

  function change(term: number, tool: number, impact: number): void {
    const block = blockOf(tool);
    let terms = changes.get(block);
    if (terms === undefined) {
      terms = new Map();
      changes.set(block, terms);
    }
    let places = terms.get(term);
    if (places === undefined) {
      places = new Map();
      terms.set(term, places);
    }
    places.set(placeOf(tool), impact);
  }

  return {
    drop(tool, terms) {
      for (const term of terms) change(term, tool, 0);
    },
    add(tool, impacts) {
      const ids: number[] = [];
      for (const [text, impact] of impacts) {
        const term = termIds.make(text);
        ids.push(term);
        change(term, tool, impact);
      }
      return ids.sort((a, b) => a - b);
    },
    write() {
      for (const [block, terms] of changes) writeBlock(database, block, terms);
    },
  };
}

function writeBlock(
  database: Database,
  block: number,
  changes: ReadonlyMap<number, ReadonlyMap<number, number>>,
): void {
  const terms = [...changes.keys()].sort((a, b) => a - b);
  const rows = database.all<{ term: number; postings: Uint8Array }>(
    `select p.term, p.postings from json_each(?) t cross join search_posting p on p.block = ? and p.term = t.value`,
    JSON.stringify(terms),
    block,
  );
  const before = new Map(rows.map((row) => [row.term, row.postings]));
  for (const term of terms) {
    const after = changePostings(before.get(term) ?? NONE, changes.get(term) ?? new Map());
    if (after.length > 0) {
      database.run(
        "insert or replace into search_posting (block, term, postings) values (?, ?, ?)",
        block,
        term,
        after,
      );
    } else if (before.has(term)) {
      database.run("delete from search_posting where block = ? and term = ?", block, term);
    }
  }
}

const NONE = new Uint8Array(0);
