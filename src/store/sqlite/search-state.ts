/** What the index knows of itself: how many tools, how long their fields, and the means that its impacts were made with. */
import { drifted, type FieldLengths, type LengthSums, meanLengths, noLengths } from "../../search/index.ts";
import type { Database } from "./database.ts";

export interface SearchState {
  readonly tools: number;
  readonly sums: LengthSums;
  /** Mean lengths that impacts are made with. */
  readonly means: FieldLengths;
  /** Grows when `means` changes: entries of an earlier one are made anew. */
  readonly generation: number;
}

export function readState(database: Database): SearchState {
  const row = database.get<{ json: string }>("select json from search_state");
  if (row !== undefined) return JSON.parse(row.json) as SearchState;
  return { tools: 0, sums: noLengths, means: meanLengths(noLengths), generation: 1 };
}

/** In a transaction. */
export function writeState(database: Database, state: SearchState): void {
  database.run("delete from search_state");
  database.run("insert into search_state (json) values (?)", JSON.stringify(state));
}

/**
 * In a transaction, when nothing is marked: where a mean has moved too far, everything is marked to be made anew.
 * Not before: while a list is being taken in, the means move all the time.
 */
export function renewMeans(database: Database, state: SearchState): void {
  const means = meanLengths(state.sums);
  if (!drifted(state.means, means)) return;
  writeState(database, { ...state, means, generation: state.generation + 1 });
  database.run("insert or ignore into search_dirty (relay) select seq from relay");
}
