/**
 * What is kept of a relay's looks. The running part (`Pulse`) lies in the relay's own row, which each look writes anyway;
 * rows of their own are written only when a state ends or an hour does. What a look means is catalog/history/'s to say.
 * All times are milliseconds since the epoch.
 */
import type { ProbeState, RawJson, ToolDiff } from "../spec/index.ts";

/** The looks of one hour or day. */
export interface LookTotal {
  readonly start: number;
  readonly looks: number;
  /** Looks that found it online. */
  readonly answered: number;
  /** Sum and highest of their latencies. */
  readonly latencyMs: number;
  readonly slowestMs: number;
  /** Time in which it was online, and in which anything is known. */
  readonly upMs: number;
  readonly knownMs: number;
}

/** The part that has not ended yet. */
export interface Pulse {
  readonly state: ProbeState;
  /** The look that found it so first. */
  readonly since: number;
  /** The last look. */
  readonly at: number;
  /** Until when that look counts. */
  readonly until: number;
  /** The hour of the last look, up to it. */
  readonly hour: LookTotal;
}

export interface EndedSpan {
  readonly state: ProbeState;
  readonly from: number;
  readonly to: number;
}

/** What one look adds. */
export interface HistoryStep {
  readonly pulse: Pulse;
  readonly spans: readonly EndedSpan[];
  /** Added to what is kept of the same hour or day. */
  readonly hours: readonly LookTotal[];
  readonly days: readonly LookTotal[];
  /** What is older goes, whenever something is added; of spans also all but the `spans` newest. */
  readonly keep: {
    readonly spans: number;
    readonly spansFrom: number;
    readonly hoursFrom: number;
    readonly daysFrom: number;
  };
}

export interface StoredHistory {
  /** Null when no look was kept yet. */
  readonly pulse: Pulse | null;
  /** Oldest first. */
  readonly spans: readonly EndedSpan[];
  readonly hours: readonly LookTotal[];
  readonly days: readonly LookTotal[];
  /** Of the relay's kept changes, oldest first; not those of an earlier relay of this id. */
  readonly toolChanges: readonly { readonly at: string; readonly tools: RawJson<ToolDiff> }[];
}

export interface HistoryStore {
  /** `toolChanges`: the newest so many. Null when there is no such relay. */
  of(id: string, limits: { readonly toolChanges: number }): Promise<StoredHistory | null>;
  /** What a badge shows, by one read. */
  standing(
    id: string,
  ): Promise<{ readonly online: boolean; readonly verified: boolean; readonly state: ProbeState } | null>;
}
