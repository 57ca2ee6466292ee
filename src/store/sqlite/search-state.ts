/** What the index knows of itself: how many tools, how long their fields, and the means that its impacts were made with. */
import { drifted, type FieldLengths, type LengthSums, meanLengths, noLengths } from "../../search/index.ts";
import type { Database } from "./database.ts";
import { FIRST_HELD_AT } from "./limits.ts";

export interface SearchState {
  readonly tools: number;
  readonly sums: LengthSums;
  /** Mean lengths that impacts are made with. */
  readonly means: FieldLengths;
  /** Grows when `means` changes: entries of an earlier one are made anew. */
  readonly generation: number;
  /** How many tools there were when `means` was last held against what is there. */
  readonly heldAt: number;
}

export function readState(database: Database): SearchState {
  const row = database.get<{ json: string }>("select json from search_state");
  if (row !== undefined) return JSON.parse(row.json) as SearchState;
  return { tools: 0, sums: noLengths, means: meanLengths(noLengths), generation: 1, heldAt: 0 };
}

/**
 * In a transaction. The means are held against what is there each time the index has doubled, so that taking in a long
 * list makes early entries anew, not all of them at its end. A small index waits for `renewMeans`.
 */
export function writeState(database: Database, state: SearchState): void {
  const due = state.tools >= 2 * Math.max(state.heldAt, FIRST_HELD_AT);
  if (due) holdMeans(database, state);
  else keep(database, state);
}

/** In a transaction. True when a mean had moved too far: then everything is marked to be made anew. */
export function renewMeans(database: Database): boolean {
  const state = readState(database);
  return meansMoved(state) && holdMeans(database, state);
}

export function meansMoved({ means, sums }: SearchState): boolean {
  return drifted(means, meanLengths(sums));
}

function holdMeans(database: Database, state: SearchState): boolean {
  const renewed = meansMoved(state);
  const anew = { means: meanLengths(state.sums), generation: state.generation + 1 };
  keep(database, { ...state, heldAt: state.tools, ...(renewed ? anew : {}) });
  if (renewed) {
    database.run("update search_dirty set done = 0 where done <> 0");
    database.run("insert or ignore into search_dirty (relay) select seq from relay");
  }
  return renewed;
}

function keep(database: Database, state: SearchState): void {
  database.run("delete from search_state");
  database.run("insert into search_state (json) values (?)", JSON.stringify(state));
}
