/** What the index knows of itself: how many tools, how long their fields, and the means that its impacts were made with. */
import { byField, drifted, type FieldLengths, meanLengths } from "../../search/index.ts";
import type { Database } from "./database.ts";

export interface SearchState {
  readonly tools: number;
  /** Terms of all tools, by field. */
  readonly sums: FieldLengths;
  /** Mean lengths that impacts are made with. */
  readonly means: FieldLengths;
  /** Grows when `means` changes: entries of an earlier one are made anew. */
  readonly generation: number;
}

export function readState(database: Database): SearchState {
  const row = database.get<{ json: string }>("select json from search_state");
  if (row !== undefined) return JSON.parse(row.json) as SearchState;
  const sums = byField(() => 0);
  return { tools: 0, sums, means: meanLengths(sums, 0), generation: 1 };
}

/** In a transaction. When a mean has moved too far, everything is marked to be made anew. */
export function writeState(database: Database, state: SearchState): void {
  const means = meanLengths(state.sums, state.tools);
  const moved = drifted(state.means, means);
  const written = moved ? { ...state, means, generation: state.generation + 1 } : state;
  database.run("delete from search_state");
  database.run("insert into search_state (json) values (?)", JSON.stringify(written));
  if (moved) {
    database.run("update search_dirty set done = 0");
    database.run("insert or ignore into search_dirty (relay) select seq from relay");
  }
}
