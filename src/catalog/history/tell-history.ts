/** A relay's history as it is told, from what is kept of it. Pure. */
import type { HistoryOutput, LatencyTotal, StateSpan, ToolDiff, Windows } from "../../spec/index.ts";
import type { EndedSpan, LookTotal, StoredHistory } from "../../store/index.ts";
import { addTotals, DAY_MS, HOUR_MS, settle, startOf } from "./record-look.ts";

/** `now`: milliseconds since the epoch. */
export function tellHistory(
  stored: StoredHistory,
  { id, now }: { readonly id: string; readonly now: number },
): HistoryOutput {
  const live = stored.pulse === null ? null : settle(stored.pulse, now);
  // Hours that ended are in the days too; those of the pulse are not yet.
  const liveHours = live?.hours ?? [];
  const hours = merged([...stored.hours, ...liveHours], HOUR_MS);
  const shares: Windows<Share> = {
    day: shareOf([{ totals: hours, widthMs: HOUR_MS }], { from: now - DAY_MS, to: now }),
    week: shareOf(byDays(stored.days, liveHours), { from: now - 7 * DAY_MS, to: now }),
    month: shareOf(byDays(stored.days, liveHours), { from: now - 30 * DAY_MS, to: now }),
  };
  const days = merged([...stored.days, ...liveHours], DAY_MS);
  return {
    relay: id,
    uptime: each(shares, (share) => share.uptime),
    known: each(shares, (share) => share.known),
    spans: [
      ...stored.spans.filter((span) => span.from < now).map(spanOf),
      ...(live === null ? [] : [{ ...spanOf(live.span), ...(live.open ? { to: null } : {}) }]),
    ],
    latency: {
      hours: hours
        .filter(({ start, looks }) => looks > 0 && start > now - DAY_MS && start <= now)
        .map(latencyOf),
      days: days
        .filter(({ start, looks }) => looks > 0 && start > now - 30 * DAY_MS && start <= now)
        .map(latencyOf),
    },
    toolChanges: stored.toolChanges.map(({ at, tools }) => ({ at, ...(JSON.parse(tools.text) as ToolDiff) })),
  };
}

interface Share {
  readonly uptime: number | null;
  readonly known: number;
}

interface Totals {
  readonly totals: readonly LookTotal[];
  readonly widthMs: number;
}

function byDays(days: readonly LookTotal[], hours: readonly LookTotal[]): readonly Totals[] {
  return [
    { totals: days, widthMs: DAY_MS },
    { totals: hours, widthMs: HOUR_MS },
  ];
}

/** A total that is partly in the window counts for that part. */
function shareOf(all: readonly Totals[], window: { readonly from: number; readonly to: number }): Share {
  let [up, known] = [0, 0];
  for (const { totals, widthMs } of all) {
    for (const total of totals) {
      const end = Math.min(total.start + widthMs, window.to);
      const length = end - total.start;
      if (length <= 0 || end <= window.from) continue;
      const part = (end - Math.max(total.start, window.from)) / length;
      up += total.upMs * part;
      known += total.knownMs * part;
    }
  }
  return {
    uptime: known === 0 ? null : rounded(up / known),
    known: rounded(Math.min(1, known / (window.to - window.from))),
  };
}

function rounded(share: number): number {
  return Math.round(share * 100_000) / 100_000;
}

/** Sums of the same hour or day, in order. */
function merged(totals: readonly LookTotal[], widthMs: number): readonly LookTotal[] {
  const sums = new Map<number, LookTotal>();
  for (const total of totals) {
    const start = startOf(total.start, widthMs);
    const sum = sums.get(start);
    sums.set(start, sum === undefined ? { ...total, start } : addTotals(sum, total));
  }
  return [...sums.values()].sort((a, b) => a.start - b.start);
}

function spanOf({ state, from, to }: EndedSpan): StateSpan {
  return { state, from: iso(from), to: iso(to) };
}

function latencyOf({ start, looks, answered, latencyMs, slowestMs }: LookTotal): LatencyTotal {
  const some = answered > 0;
  return {
    at: iso(start),
    looks,
    answered,
    meanMs: some ? Math.round(latencyMs / answered) : null,
    slowestMs: some ? slowestMs : null,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function each<T, U>(windows: Windows<T>, of: (value: T) => U): Windows<U> {
  return { day: of(windows.day), week: of(windows.week), month: of(windows.month) };
}
