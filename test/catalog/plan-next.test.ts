import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestPlanMs, planNext } from "../../src/catalog/watch/plan-next.ts";
import type { WatchRules } from "../../src/catalog/watch/rules.ts";
import { probeStates } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 8, 12);

const rules = (changes: Partial<WatchRules> = {}): WatchRules => ({
  periodMs: 10 * MINUTE,
  confirmOffline: 2,
  random: () => 0.5,
  ...changes,
});

const looked = (changes: Partial<Parameters<typeof planNext>[0]> = {}) => ({
  online: true,
  failures: 0,
  seenAt: new Date(NOW).toISOString(),
  firstSeenAt: new Date(NOW - 90 * DAY).toISOString(),
  verdict: { state: "online" } as const,
  ...changes,
});

const offline = (failures: number, downMs: number) =>
  looked({
    online: false,
    failures,
    seenAt: new Date(NOW - downMs).toISOString(),
    verdict: { state: "timeout" },
  });

const pause = (...[at, by = rules()]: [Parameters<typeof planNext>[0], WatchRules?]) =>
  (planNext(at, { rules: by, now: NOW }) ?? Number.NaN) - NOW;

describe("the next look", () => {
  it("is planned by nobody where nothing is watched", () => {
    expect(planNext(looked(), { rules: rules({ periodMs: null }), now: NOW })).toBeNull();
  });

  it.each([
    [0, 9 * MINUTE],
    [0.5, 10 * MINUTE],
    [1, 11 * MINUTE],
  ])("is a period away, give or take a tenth (chance %f)", (chance, ms) => {
    expect(pause(looked(), rules({ random: () => chance }))).toBe(ms);
  });

  // Failing looks so far, how long it has not answered, and the pause that follows.
  it.each([
    [2, 10 * MINUTE, 10 * MINUTE],
    [3, 21 * MINUTE, 20 * MINUTE],
    [4, 41 * MINUTE, 40 * MINUTE],
    [5, 81 * MINUTE, 80 * MINUTE],
    [6, 161 * MINUTE, 160 * MINUTE],
    [7, 321 * MINUTE, 320 * MINUTE],
    [8, 641 * MINUTE, 640 * MINUTE],
    [9, 1_281 * MINUTE, 1_280 * MINUTE],
    [10, 3 * DAY, DAY],
    [1_000, 300 * DAY, DAY],
    // Looks by hand count as failures, and an outage of a minute is one of a minute.
    [1_000, MINUTE, 10 * MINUTE],
    [1_000, HOUR, HOUR],
    // A machine that slept for a night has seen one failing look.
    [2, 8 * HOUR, 10 * MINUTE],
    // The clock was set back.
    [5, -DAY, 10 * MINUTE],
  ])("after %i failing looks in %i ms is %i ms away", verifies("watch.backoff"), (failures, downMs, ms) => {
    expect(pause(offline(failures, downMs))).toBe(ms);
  });

  it.each([
    [10 * MINUTE, 30_000],
    [6_000, 3_000],
    [100, 50],
  ])("that confirms a failed one, at a period of %i ms, is %i ms away", (periodMs, ms) => {
    const doubtful = looked({ failures: 1, verdict: { state: "timeout" } });
    expect(pause(doubtful, rules({ periodMs }))).toBe(ms);
  });

  it("is never further away than a day, and never nearer than the period for a relay that answers", () => {
    fc.assert(
      fc.property(
        fc.record({
          online: fc.boolean(),
          failures: fc.nat(),
          seenAt: fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
          firstSeenAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          verdict: fc.record(
            {
              state: fc.constantFrom(...probeStates),
              ttlMs: fc.double({ min: 0, noNaN: true }),
              retryAfterSeconds: fc.nat({ max: 999_999 }),
            },
            { requiredKeys: ["state"] },
          ),
        }),
        fc.integer({ min: 100, max: 20 * DAY }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (at, periodMs, chance) => {
          const by = rules({ periodMs, random: () => chance });
          const ms = pause(at, by);
          expect(ms).toBeGreaterThan(0);
          expect(ms).toBeLessThanOrEqual(longestPlanMs(periodMs));
          if (periodMs <= DAY / 3) expect(ms).toBeLessThanOrEqual(DAY);
          if (at.verdict.state === "online") expect(ms).toBeGreaterThanOrEqual(Math.floor(periodMs * 0.9));
        },
      ),
    );
  });

  it.each([
    ["nothing", {}, 10 * MINUTE],
    ["0", { ttlMs: 0 }, 10 * MINUTE],
    ["less than the period", { ttlMs: MINUTE }, 10 * MINUTE],
    ["a little more", { ttlMs: 15 * MINUTE }, 15 * MINUTE],
    ["a year", { ttlMs: 365 * DAY }, 20 * MINUTE],
  ])("of a relay whose list holds for %s keeps to the period, or a little longer", (_, said, ms) => {
    expect(pause(looked({ verdict: { state: "online", ...said } }))).toBe(ms);
  });

  it.each([
    [5, 10 * MINUTE],
    [3_600, HOUR],
    [999_999, DAY],
  ])("after Retry-After: %i is %i ms away", (retryAfterSeconds, ms) => {
    const at = offline(2, 10 * MINUTE);
    expect(pause({ ...at, verdict: { ...at.verdict, retryAfterSeconds } })).toBe(ms);
  });
});
