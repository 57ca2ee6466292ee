/**
 * What one client may ask of a catalog: named budgets, each a token bucket, and the rule of taking from one. Pure.
 * A bucket is kept as one number, the time at which it will be full again (the "virtual scheduling" form of the
 * leaky bucket, ITU-T I.371 annex A): a client that asked for nothing has no state, and two catalogs can share it.
 */

/** What is counted; docs/fair-use.md says which operations draw on which. */
export const budgetNames = ["register", "bulk", "refresh", "call", "subscribe"] as const;

export type BudgetName = (typeof budgetNames)[number];

export interface BudgetRule {
  /** Tokens that come back in a minute; may be a fraction. */
  readonly perMinute: number;
  /** Tokens that a rested client has. */
  readonly burst: number;
}

/** Null: not limited. */
export type BudgetRules = Readonly<Record<BudgetName, BudgetRule | null>>;

export interface BudgetTake {
  /** False: nothing was taken. */
  readonly ok: boolean;
  /** Milliseconds since the epoch: when the bucket will be full, as it is now kept. */
  readonly fullAt: number;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Milliseconds until the same would be given; 0 when it was. */
  readonly retryAfterMs: number;
}

/** Where a client's budget stands after a take. */
export interface BudgetStanding {
  readonly name: BudgetName;
  readonly rule: BudgetRule;
  /** Whole tokens. */
  readonly remaining: number;
  /** Seconds until it is full. */
  readonly fullInSeconds: number;
}

/** Milliseconds; finer than any clock here, coarser than what is lost of a time since 1970 in a double. */
const TOLERANCE_MS = 0.01;

/**
 * Takes `cost` tokens, or none. What costs more than the bucket holds needs a full one and empties it. A clock that was set
 * back makes nobody wait longer than an empty bucket does.
 */
export function takeTokens(
  fullAt: number,
  { rule, cost, now }: { readonly rule: BudgetRule; readonly cost: number; readonly now: number },
): BudgetTake {
  const msPerToken = 60_000 / rule.perMinute;
  const emptyMs = rule.burst * msPerToken;
  const owedMs = Math.min(Math.max(fullAt - now, 0), emptyMs);
  const wantedMs = owedMs + Math.min(cost, rule.burst) * msPerToken;
  const ok = wantedMs <= emptyMs + TOLERANCE_MS;
  const keptMs = ok ? wantedMs : owedMs;
  return {
    ok,
    fullAt: now + keptMs,
    remaining: Math.floor(Math.max(0, emptyMs - keptMs + TOLERANCE_MS) / msPerToken),
    retryAfterMs: ok ? 0 : wantedMs - emptyMs,
  };
}
