/**
 * When a relay is looked at next (docs/how-relays-are-watched.md). Pure: time and chance are handed in.
 * Nothing that a relay says makes it be asked more often than the period; nothing makes it wait for more than a day,
 * save a period that is longer.
 */
import type { EndpointVerdict, RelayRecord } from "../../spec/index.ts";
import { CONFIRM_DELAY_MS, CONFIRM_SHARE, FRESHNESS_STRETCH, JITTER_SHARE, MAX_PLAN_MS } from "./limits.ts";
import type { WatchRules } from "./rules.ts";

/** What a look left behind: the record's own facts, and what the relay asked for. */
export interface LookedAt extends Pick<RelayRecord, "online" | "failures" | "seenAt" | "firstSeenAt"> {
  readonly verdict: Pick<EndpointVerdict, "state" | "ttlMs" | "retryAfterSeconds">;
}

/** Milliseconds since the epoch of the next look; null when nothing is planned. */
export function planNext(
  looked: LookedAt,
  { rules, now }: { readonly rules: WatchRules; readonly now: number },
): number | null {
  if (rules.periodMs === null) return null;
  const most = longestPlanMs(rules.periodMs);
  const waited = Math.max(pauseOf(looked, rules, { periodMs: rules.periodMs, now }), retryAfterMs(looked));
  const jittered = waited * (1 + JITTER_SHARE * (2 * rules.random() - 1));
  return now + Math.round(Math.min(Math.max(jittered, retryAfterMs(looked)), most));
}

/** Milliseconds: nothing is planned further ahead than this. */
export function longestPlanMs(periodMs: number): number {
  return Math.max(longestHealthyMs(periodMs), MAX_PLAN_MS);
}

/** Milliseconds: no relay that is online, and did not ask for a pause, is planned further ahead than this. */
export function longestHealthyMs(periodMs: number): number {
  return Math.ceil(periodMs * FRESHNESS_STRETCH * (1 + JITTER_SHARE));
}

function pauseOf(
  looked: LookedAt,
  rules: WatchRules,
  { periodMs, now }: { readonly periodMs: number; readonly now: number },
): number {
  const { state, ttlMs } = looked.verdict;
  if (state === "online") return Math.min(Math.max(periodMs, ttlMs ?? 0), periodMs * FRESHNESS_STRETCH);
  // Online although the look failed: not believed yet.
  if (looked.online) return Math.min(CONFIRM_DELAY_MS, periodMs * CONFIRM_SHARE);
  // It answers, and asks for a credential: that is how it is, not a failure to recover from.
  if (state === "auth-required") return periodMs;
  return Math.min(
    doubled(looked, rules, periodMs),
    downFor(looked, { periodMs, now }),
    longestPlanMs(periodMs),
  );
}

/** The period, doubled with each look after the one that settled it. */
function doubled({ failures }: LookedAt, { confirmOffline }: WatchRules, periodMs: number): number {
  return periodMs * 2 ** Math.min(Math.max(0, failures - confirmOffline), 40);
}

/** Looks by hand count as failures too: whoever asks often must not make a short outage a day without a look. */
function downFor(
  { seenAt, firstSeenAt }: LookedAt,
  { periodMs, now }: { readonly periodMs: number; readonly now: number },
): number {
  return Math.max(periodMs, now - Date.parse(seenAt ?? firstSeenAt));
}

function retryAfterMs({ verdict }: LookedAt): number {
  return Math.min((verdict.retryAfterSeconds ?? 0) * 1_000, MAX_PLAN_MS);
}
