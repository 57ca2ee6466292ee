/** A token bucket kept as one number, held against one that counts tokens, and against what it promises. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BudgetRule, takeTokens } from "../../src/spec/index.ts";

const START = Date.UTC(2026, 0, 1);
const rules: fc.Arbitrary<BudgetRule> = fc.record({
  perMinute: fc.oneof(fc.integer({ min: 1, max: 6_000 }), fc.constantFrom(0.5, 7, 1_000_000)),
  burst: fc.integer({ min: 1, max: 2_000 }),
});
const asks = fc.array(
  fc.record({ afterMs: fc.nat({ max: 120_000 }), cost: fc.integer({ min: 1, max: 50 }) }),
  { minLength: 1, maxLength: 60 },
);

describe("a budget", () => {
  it("gives what a bucket that counts its tokens gives", () => {
    fc.assert(
      fc.property(rules, asks, (rule, list) => {
        let fullAt = 0;
        let tokens = rule.burst;
        let now = START;
        for (const { afterMs, cost } of list) {
          now += afterMs;
          tokens = Math.min(rule.burst, tokens + (afterMs * rule.perMinute) / 60_000);
          const wanted = Math.min(cost, rule.burst);
          // Where the two differ by less than a clock can tell, either is right.
          if (Math.abs(tokens - wanted) * (60_000 / rule.perMinute) < 0.1) return;
          const taken = takeTokens(fullAt, { rule, cost, now });
          expect(taken.ok).toBe(tokens >= wanted);
          if (taken.ok) tokens -= wanted;
          expect(taken.remaining).toBeGreaterThanOrEqual(Math.floor(tokens - 0.001));
          expect(taken.remaining).toBeLessThanOrEqual(
            Math.floor(tokens + 0.001 + 0.02 * (rule.perMinute / 60_000)),
          );
          fullAt = taken.fullAt;
        }
      }),
    );
  });

  it("gives within any time no more than a full bucket and what comes back meanwhile", () => {
    fc.assert(
      fc.property(rules, asks, (rule, list) => {
        let fullAt = 0;
        let now = START;
        let given = 0;
        for (const { afterMs, cost } of list) {
          now += afterMs;
          const taken = takeTokens(fullAt, { rule, cost, now });
          if (taken.ok) given += Math.min(cost, rule.burst);
          fullAt = taken.fullAt;
        }
        const most = rule.burst + ((now - START) * rule.perMinute) / 60_000;
        expect(given).toBeLessThanOrEqual(most * 1.000_1 + 1);
      }),
    );
  });

  it("gives after the wait that it names, and not before", () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 1, max: 50 }), (rule, cost) => {
        let fullAt = 0;
        for (;;) {
          const taken = takeTokens(fullAt, { rule, cost, now: START });
          if (!taken.ok) {
            // To the tolerance that a take may have gone over.
            expect(taken.fullAt).toBeCloseTo(fullAt, 1);
            const at = (waited: number) => takeTokens(fullAt, { rule, cost, now: START + waited });
            expect(at(taken.retryAfterMs).ok).toBe(true);
            if (taken.retryAfterMs > 1) expect(at(taken.retryAfterMs - 1).ok).toBe(false);
            return;
          }
          fullAt = taken.fullAt;
        }
      }),
    );
  });

  it("gives what costs more than it holds to who has rested, and is empty then", () => {
    const rule = { perMinute: 60, burst: 10 };
    const taken = takeTokens(0, { rule, cost: 1_000, now: START });
    expect(taken).toMatchObject({ ok: true, remaining: 0, fullAt: START + 10_000 });
    expect(takeTokens(taken.fullAt, { rule, cost: 1_000, now: START + 9_999 })).toMatchObject({
      ok: false,
      retryAfterMs: 1,
    });
  });

  it("keeps nobody out for longer than an empty bucket when the clock is set back", () => {
    fc.assert(
      fc.property(rules, fc.nat({ max: 10 ** 10 }), (rule, backMs) => {
        const { fullAt } = takeTokens(0, { rule, cost: rule.burst, now: START + backMs });
        const now = START;
        const { retryAfterMs } = takeTokens(fullAt, { rule, cost: 1, now });
        expect(retryAfterMs).toBeLessThanOrEqual(60_000 / rule.perMinute + 0.001);
      }),
    );
  });
});
