/**
 * What one look adds to a relay's history: the span that it ended, the hours that are over. Pure.
 * A look says what a relay is from then on until the next one, as long as that comes about when it was planned: when it
 * does not, because the catalog was off or nobody looked, the time after is unknown, which is neither up nor down.
 */
import type { ProbeState } from "../../spec/index.ts";
import type { EndedSpan, HistoryStep, LookTotal, Pulse } from "../../store/index.ts";
import {
  DAYS_KEPT_MS,
  EVIDENCE_LATE_MS,
  EVIDENCE_MOST_MS,
  EVIDENCE_UNPLANNED_MS,
  HOURS_KEPT_MS,
  SPANS_KEPT,
  SPANS_KEPT_MS,
} from "./limits.ts";

export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Look {
  /** What the relay is held for after it: one lost look leaves it online. */
  readonly state: ProbeState;
  /** True when the look itself was answered. */
  readonly answered: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the next one is planned; null: it is not. */
  readonly nextAt: number | null;
  readonly latencyMs: number | null;
}

/** `before`: what was kept until now; null at the first look. */
export function recordLook(before: Pulse | null, look: Look): HistoryStep {
  const { state, at } = look;
  const known = before === null ? null : notAfter(before, at);
  const until = evidenceUntil(look);
  const { ended, hour } =
    known === null ? { ended: [], hour: emptyTotal(startOf(at, HOUR_MS)) } : walk(known, at);
  const goesOn = known !== null && known.state === state && at <= known.until;
  const span =
    known === null || goesOn
      ? null
      : { state: known.state, from: known.since, to: Math.min(at, known.until) };
  const hours = ended.filter(hasContent);
  return {
    pulse: {
      state,
      since: goesOn ? known.since : at,
      at,
      until,
      hour: withLook(hour, look),
    },
    spans: span !== null && span.to > span.from ? [span] : [],
    hours,
    days: byDay(hours),
    keep: {
      spans: SPANS_KEPT,
      spansFrom: at - SPANS_KEPT_MS,
      hoursFrom: at - HOURS_KEPT_MS,
      daysFrom: at - DAYS_KEPT_MS,
    },
  };
}

/** What is known at `now`, with the open span as far as its evidence reaches: for reading. */
export function settle(
  pulse: Pulse,
  now: number,
): { readonly span: EndedSpan; readonly open: boolean; readonly hours: readonly LookTotal[] } {
  const known = notAfter(pulse, now);
  const { ended, hour } = walk(known, now);
  return {
    span: { state: known.state, from: known.since, to: Math.min(now, known.until) },
    open: now <= known.until,
    hours: [...ended, hour].filter(hasContent),
  };
}

/** The clock was set back: what was kept of a time that has not come is dropped. */
function notAfter(pulse: Pulse, at: number): Pulse {
  if (pulse.at <= at) return pulse;
  return {
    state: pulse.state,
    since: Math.min(pulse.since, at),
    at,
    until: at,
    hour: pulse.hour.start > at ? emptyTotal(startOf(at, HOUR_MS)) : pulse.hour,
  };
}

/** One missed look is forgiven; where none is planned, a look counts for a while. */
function evidenceUntil({ at, nextAt }: Look): number {
  if (nextAt === null) return at + EVIDENCE_UNPLANNED_MS;
  return at + Math.min(EVIDENCE_MOST_MS, 2 * Math.max(0, nextAt - at) + EVIDENCE_LATE_MS);
}

/** From the last look to `to`, hour by hour: those that ended, and the one that `to` is in. */
function walk(pulse: Pulse, to: number): { readonly ended: readonly LookTotal[]; readonly hour: LookTotal } {
  const ended: LookTotal[] = [];
  const knownTo = Math.min(to, pulse.until);
  let hour = pulse.hour;
  let from = pulse.at;
  while (from < knownTo) {
    const end = Math.min(knownTo, hour.start + HOUR_MS);
    const ms = Math.max(0, end - from);
    hour = {
      ...hour,
      knownMs: hour.knownMs + ms,
      upMs: hour.upMs + (pulse.state === "online" ? ms : 0),
    };
    from = end;
    if (end === hour.start + HOUR_MS) {
      ended.push(hour);
      hour = emptyTotal(end);
    }
  }
  const start = startOf(to, HOUR_MS);
  if (hour.start === start) return { ended, hour };
  return { ended: [...ended, hour], hour: emptyTotal(start) };
}

function withLook(hour: LookTotal, { answered, latencyMs }: Look): LookTotal {
  const latency = answered ? (latencyMs ?? 0) : 0;
  return {
    ...hour,
    looks: hour.looks + 1,
    answered: hour.answered + (answered ? 1 : 0),
    latencyMs: hour.latencyMs + latency,
    slowestMs: Math.max(hour.slowestMs, latency),
  };
}

function byDay(hours: readonly LookTotal[]): readonly LookTotal[] {
  const days = new Map<number, LookTotal>();
  for (const hour of hours) {
    const start = startOf(hour.start, DAY_MS);
    days.set(start, addTotals(days.get(start) ?? emptyTotal(start), hour));
  }
  return [...days.values()];
}

/** The sum, under the first one's start. */
export function addTotals(one: LookTotal, other: LookTotal): LookTotal {
  return {
    start: one.start,
    looks: one.looks + other.looks,
    answered: one.answered + other.answered,
    latencyMs: one.latencyMs + other.latencyMs,
    slowestMs: Math.max(one.slowestMs, other.slowestMs),
    upMs: one.upMs + other.upMs,
    knownMs: one.knownMs + other.knownMs,
  };
}

export function startOf(at: number, widthMs: number): number {
  return Math.floor(at / widthMs) * widthMs;
}

function emptyTotal(start: number): LookTotal {
  return { start, looks: 0, answered: 0, latencyMs: 0, slowestMs: 0, upMs: 0, knownMs: 0 };
}

function hasContent(total: LookTotal): boolean {
  return total.looks > 0 || total.knownMs > 0;
}
