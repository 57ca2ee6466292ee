/** What the index knows of itself: how many tools, how long their fields, and the means that its impacts were made with. */
import type { SQLInputValue } from "node:sqlite";
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
  /** How often it was written: two states are never one text. Absent in one that an earlier version wrote. */
  readonly written?: number;
}

/** Writes, or plans to. */
type Write = (sql: string, ...values: SQLInputValue[]) => void;

/** Null before the first step. */
export function stateText(database: Database): string | null {
  return database.get<{ json: string }>("select json from search_state")?.json ?? null;
}

export function readState(database: Database): SearchState {
  return stateOf(stateText(database));
}

/** Of `stateText`. */
export function stateOf(text: string | null): SearchState {
  if (text !== null) return JSON.parse(text) as SearchState;
  return { tools: 0, sums: noLengths, means: meanLengths(noLengths), generation: 1, heldAt: 0 };
}

/**
 * The means are held against what is there each time the index has doubled, so that taking in a long
 * list makes early entries anew, not all of them at its end. A small index waits for `renewMeans`.
 */
export function writeState(write: Write, state: SearchState): void {
  const due = state.tools >= 2 * Math.max(state.heldAt, FIRST_HELD_AT);
  if (due) holdMeans(write, state);
  else keep(write, state);
}

/** In a transaction. True when a mean had moved too far: then everything is marked to be made anew. */
export function renewMeans(database: Database): boolean {
  const state = readState(database);
  return meansMoved(state) && holdMeans((sql, ...values) => void database.run(sql, ...values), state);
}

export function meansMoved({ means, sums }: SearchState): boolean {
  return drifted(means, meanLengths(sums));
}

function holdMeans(write: Write, state: SearchState): boolean {
  const renewed = meansMoved(state);
  const anew = { means: meanLengths(state.sums), generation: state.generation + 1 };
  keep(write, { ...state, heldAt: state.tools, ...(renewed ? anew : {}) });
  if (renewed) {
    write("update search_dirty set done = 0 where done <> 0");
    write("insert or ignore into search_dirty (relay) select seq from relay");
  }
  return renewed;
}

function keep(write: Write, state: SearchState): void {
  write("delete from search_state");
  write(
    "insert into search_state (json) values (?)",
    JSON.stringify({ ...state, written: (state.written ?? 0) + 1 }),
  );
}
