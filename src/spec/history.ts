/**
 * A relay's history as it is told (wire.md "REST", `GET /v1/relays/:id/history`): what it was found to be and when, how
 * quickly it answered, what changed about its tools. Time for which nothing is known is in no span, and is no downtime.
 */
import type { ToolDiff } from "./change.ts";
import type { ProbeState } from "./record.ts";

export interface StateSpan {
  readonly state: ProbeState;
  /** ISO 8601: the look that found it so. */
  readonly from: string;
  /** The look that found it otherwise, or the time until which the last look counts; null: it is so now. */
  readonly to: string | null;
}

/** One value for the last 24 hours, 7 days and 30 days each. */
export interface Windows<T> {
  readonly day: T;
  readonly week: T;
  readonly month: T;
}

/** The looks of one hour or day, UTC. */
export interface LatencyTotal {
  /** ISO 8601: its beginning. */
  readonly at: string;
  readonly looks: number;
  /** Looks that found it online. */
  readonly answered: number;
  /** Milliseconds, of those; null when there was none. */
  readonly meanMs: number | null;
  readonly slowestMs: number | null;
}

export interface ToolsChanged extends ToolDiff {
  readonly at: string;
}

export interface HistoryOutput {
  readonly relay: string;
  /** Share of the known time in which it was online, 0 to 1; null when nothing is known. */
  readonly uptime: Windows<number | null>;
  /** Share of the window for which anything is known, 0 to 1: not before the first look, and not while nobody looked. */
  readonly known: Windows<number>;
  /** Oldest first; between two of them may be time for which nothing is known. */
  readonly spans: readonly StateSpan[];
  /** By hour for the last day, by day for the last month; only those with a look. */
  readonly latency: { readonly hours: readonly LatencyTotal[]; readonly days: readonly LatencyTotal[] };
  /** Oldest first, as far back as changes are kept. */
  readonly toolChanges: readonly ToolsChanged[];
}

/** What a badge shows. */
export interface StandingOutput {
  readonly relay: string;
  /** Null when no such relay is listed. */
  readonly standing: {
    readonly online: boolean;
    readonly verified: boolean;
    readonly state: ProbeState;
  } | null;
}
