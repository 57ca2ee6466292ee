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
      for (const [block, terms] of changes) {
        const ordered = [...terms].sort((a, b) => a[0] - b[0]);
        for (const [term, places] of ordered) writeBlock(database, { block, term }, places);
      }
    },
  };
}

function writeBlock(
  database: Database,
  { block, term }: { readonly block: number; readonly term: number },
  places: ReadonlyMap<number, number>,
): void {
  const before = database.get<{ postings: Uint8Array }>(
    "select postings from search_posting where block = ? and term = ?",
    block,
    term,
  )?.postings;
  const after = changePostings(before ?? new Uint8Array(0), places);
  if (after.length === 0) {
    if (before !== undefined) {
      database.run("delete from search_posting where block = ? and term = ?", block, term);
    }
  } else if (before === undefined) {
    database.run("insert into search_posting (block, term, postings) values (?, ?, ?)", block, term, after);
  } else {
    database.run("update search_posting set postings = ? where block = ? and term = ?", after, block, term);
  }
}
