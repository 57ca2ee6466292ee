/** Changes to postings, gathered tool by tool and written sorted: each block of a term is read and rewritten once a batch. */
import { blockOf, changePostings, placeOf } from "../../search/index.ts";
import type { Database } from "./database.ts";
import type { TermIds } from "./term-ids.ts";

/** By term, block and place: the new impact, or 0 to drop the posting. */
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
    let blocks = changes.get(term);
    if (blocks === undefined) {
      blocks = new Map();
      changes.set(term, blocks);
    }
    const block = blockOf(tool);
    let places = blocks.get(block);
    if (places === undefined) {
      places = new Map();
      blocks.set(block, places);
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
      const ordered = [...changes].sort((a, b) => a[0] - b[0]);
      for (const [term, blocks] of ordered) {
        for (const [block, places] of blocks) writeBlock(database, { term, block }, places);
      }
    },
  };
}

function writeBlock(
  database: Database,
  { term, block }: { readonly term: number; readonly block: number },
  places: ReadonlyMap<number, number>,
): void {
  const before = database.get<{ postings: Uint8Array }>(
    "select postings from search_posting where term = ? and block = ?",
    term,
    block,
  )?.postings;
  const after = changePostings(before ?? new Uint8Array(0), places);
  if (after.length === 0) {
    if (before !== undefined) {
      database.run("delete from search_posting where term = ? and block = ?", term, block);
    }
  } else if (before === undefined) {
    database.run("insert into search_posting (term, block, postings) values (?, ?, ?)", term, block, after);
  } else {
    database.run("update search_posting set postings = ? where term = ? and block = ?", after, term, block);
  }
}
