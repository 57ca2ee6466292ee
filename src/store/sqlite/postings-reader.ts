/** Postings for one question: read once, all blocks of many terms in one statement; counting a term's tools reads what ranking needs. */
import { countOf, type Vocabulary } from "../../search/index.ts";
import type { Database } from "./database.ts";
import { NEIGHBOURS_READ } from "./limits.ts";
import { readState } from "./search-state.ts";
import type { TermIds } from "./term-ids.ts";

/** By block number. */
export type Blocks = ReadonlyMap<number, Uint8Array>;

export interface PostingsReader {
  readonly vocabulary: Vocabulary;
  /** Of a term that the vocabulary was asked for; empty when no tool has it. */
  blocksOf(term: string): Blocks;
}

export function createPostingsReader(database: Database, termIds: TermIds): PostingsReader {
  const reads = new Map<string, Map<number, Uint8Array>>();
  const numbers = JSON.stringify(blockNumbers(database));

  function read(terms: readonly string[]): void {
    const byId = new Map<number, Map<number, Uint8Array>>();
    for (const term of terms) {
      if (reads.has(term)) continue;
      const blocks = new Map<number, Uint8Array>();
      reads.set(term, blocks);
      const id = termIds.find(term);
      if (id !== undefined) byId.set(id, blocks);
    }
    if (byId.size === 0) return;
    const rows = database.all<{ term: number; block: number; postings: Uint8Array }>(
      `select p.term, p.block, p.postings from json_each(?) b cross join json_each(?) t
        cross join search_posting p on p.block = b.value and p.term = t.value`,
      numbers,
      JSON.stringify([...byId.keys()].sort((a, b) => a - b)),
    );
    for (const { term, block, postings } of rows) byId.get(term)?.set(block, postings);
  }

  function texts(sql: string, ...values: (string | number)[]): readonly string[] {
    return database.all<{ text: string }>(sql, ...values).map((row) => row.text);
  }

  return {
    blocksOf: (term) => reads.get(term) ?? new Map(),
    vocabulary: {
      size: readState(database).tools,
      async tools(terms) {
        read(terms);
        const counts = terms.map((term): [string, number] => [term, toolsIn(reads.get(term))]);
        return new Map(counts.filter(([, count]) => count > 0));
      },
      startingWith: async (prefix) =>
        texts(
          "select text from search_term where text > ?1 and text < ?1 || char(1114111) limit ?2",
          prefix,
          NEIGHBOURS_READ,
        ),
      resembling: async (term, edits) =>
        texts(
          `select text from search_term where substr(text, 1, 1) = substr(?1, 1, 1)
            and length(text) between length(?1) - ?2 and length(?1) + ?2`,
          term,
          edits,
        ),
    },
  };
}

function toolsIn(blocks: Blocks = new Map()): number {
  return [...blocks.values()].reduce((sum, block) => sum + countOf(block), 0);
}

/** The blocks there are, each found from the one before. */
function blockNumbers(database: Database): readonly number[] {
  const numbers: number[] = [];
  for (let last = -1; ; ) {
    const next = database.get<{ block: number | null }>(
      "select min(block) as block from search_posting where block > ?",
      last,
    )?.block;
    if (next === undefined || next === null) return numbers;
    numbers.push(next);
    last = next;
  }
}
