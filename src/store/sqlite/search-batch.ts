/** Changes to postings, gathered tool by tool and planned sorted: each block of a term is read and rewritten once a batch. */
import { BLOCK_SIZE, blockOf, changePostings, placeOf } from "../../search/index.ts";
import type { Database } from "./database.ts";
import type { Plan } from "./search-plan.ts";

/**
 * Of one block: by term and place in one number, the new impact, or 0 to drop the posting. One flat map, since a batch
 * has some twenty thousand of them, and as many small maps cost more than all else that is done with them.
 */
type Changes = Map<number, number>;

export interface SearchBatch {
  /** Ids of terms that the tool no longer has; an `add` of the same term afterwards wins. */
  drop(tool: number, terms: readonly number[]): void;
  /** The ids of the terms, ascending. */
  add(tool: number, impacts: ReadonlyMap<string, number>): readonly number[];
  write(): void;
}

export function createSearchBatch(database: Database, plan: Plan): SearchBatch {
  const blocks = new Map<number, Changes>();

  function changesAround(tool: number): Changes {
    const block = blockOf(tool);
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const changes: Changes = new Map();
    blocks.set(block, changes);
    return changes;
  }

  return {
    drop(tool, terms) {
      const changes = changesAround(tool);
      for (const term of terms) changes.set(term * BLOCK_SIZE + placeOf(tool), 0);
    },
    add(tool, impacts) {
      const changes = changesAround(tool);
      const place = placeOf(tool);
      const ids: number[] = [];
      for (const [text, impact] of impacts) {
        const term = plan.termId(text);
        ids.push(term);
        changes.set(term * BLOCK_SIZE + place, impact);
      }
      return ids.sort((a, b) => a - b);
    },
    write() {
      for (const [block, changes] of blocks) writeBlock({ database, plan }, block, changes);
    },
  };
}

function writeBlock(
  { database, plan }: { readonly database: Database; readonly plan: Plan },
  block: number,
  changes: Changes,
): void {
  const keys = Float64Array.from(changes.keys()).sort();
  const terms: number[] = [];
  for (const key of keys) {
    const term = Math.floor(key / BLOCK_SIZE);
    if (term !== terms.at(-1)) terms.push(term);
  }
  const before = postingsOf(database, block, terms);
  let next = 0;
  for (const term of terms) {
    const end = (term + 1) * BLOCK_SIZE;
    const places = new Map<number, number>();
    for (let key = keys[next]; key !== undefined && key < end; key = keys[++next]) {
      places.set(key % BLOCK_SIZE, changes.get(key) ?? 0);
    }
    const known = before.get(term);
    const after = changePostings(known ?? NONE, places);
    if (after.length > 0) {
      plan.write(
        "insert or replace into search_posting (block, term, postings) values (?, ?, ?)",
        block,
        term,
        after,
      );
    } else if (known !== undefined) {
      plan.write("delete from search_posting where block = ? and term = ?", block, term);
    }
  }
}

function postingsOf(
  database: Database,
  block: number,
  terms: readonly number[],
): ReadonlyMap<number, Uint8Array> {
  const rows = database.all<{ term: number; postings: Uint8Array }>(
    `select p.term, p.postings from json_each(?) t cross join search_posting p on p.block = ? and p.term = t.value`,
    JSON.stringify(terms),
    block,
  );
  return new Map(rows.map((row) => [row.term, row.postings]));
}

const NONE = new Uint8Array(0);
