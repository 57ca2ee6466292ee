/** History by looks alone: a model that knows every millisecond is held against what is kept in a few numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVIDENCE_LATE_MS, EVIDENCE_UNPLANNED_MS, SPANS_KEPT } from "../../src/catalog/history/limits.ts";
import { type Look, recordLook } from "../../src/catalog/history/record-look.ts";
import { tellHistory } from "../../src/catalog/history/tell-history.ts";
import type { ProbeState } from "../../src/spec/index.ts";
import type { LookTotal, StoredHistory } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { sampleRecord, sampleWrite } from "../../src/store/suite/samples.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const T0 = Date.UTC(2026, 5, 1, 10, 30);

/** Keeps in memory what a store would. */
function keeper() {
  let stored: StoredHistory = { pulse: null, spans: [], hours: [], days: [], toolChanges: [] };
  const add = (kept: readonly LookTotal[], more: readonly LookTotal[]): readonly LookTotal[] => {
    const all = new Map(kept.map((total) => [total.start, total]));
    for (const total of more) {
      const was = all.get(total.start);
      all.set(total.start, {
        start: total.start,
        looks: total.looks + (was?.looks ?? 0),
        answered: total.answered + (was?.answered ?? 0),
        latencyMs: total.latencyMs + (was?.latencyMs ?? 0),
        slowestMs: Math.max(total.slowestMs, was?.slowestMs ?? 0),
        upMs: total.upMs + (was?.upMs ?? 0),
        knownMs: total.knownMs + (was?.knownMs ?? 0),
      });
    }
    return [...all.values()];
  };
  return {
    look(state: ProbeState, at: number, more: Partial<Look> = {}) {
      const step = recordLook(stored.pulse, {
        state,
        answered: state === "online",
        at,
        nextAt: at + 10 * MINUTE,
        latencyMs: 40,
        ...more,
      });
      stored = {
        ...stored,
        pulse: step.pulse,
        spans: [...stored.spans, ...step.spans],
        hours: add(stored.hours, step.hours),
        days: add(stored.days, step.days),
      };
      return step;
    },
    tell: (now: number) => tellHistory(stored, { id: "a.example", now }),
  };
}

const clock = (iso: string | null) => (iso === null ? null : (Date.parse(iso) - T0) / MINUTE);

describe("a relay's history", () => {
  it("knows nothing before the first look, and says so", () => {
    const history = keeper();
    expect(history.tell(T0)).toEqual({
      relay: "a.example",
      uptime: { day: null, week: null, month: null },
      known: { day: 0, week: 0, month: 0 },
      spans: [],
      latency: { hours: [], days: [] },
      toolChanges: [],
    });
    history.look("online", T0);
    const told = history.tell(T0 + 10 * MINUTE);
    expect(told.uptime).toEqual({ day: 1, week: 1, month: 1 });
    expect(told.known.day).toBeCloseTo(10 / (24 * 60), 4);
    expect(told.spans).toEqual([{ state: "online", from: new Date(T0).toISOString(), to: null }]);
  });

  it("tells spans and uptime of a relay that went and came back", () => {
    const history = keeper();
    for (let at = 0; at < 120; at += 10)
      history.look(at >= 60 && at < 90 ? "timeout" : "online", T0 + at * MINUTE);
    const told = history.tell(T0 + 120 * MINUTE);
    expect(told.spans.map(({ state, from, to }) => [state, clock(from), clock(to)])).toEqual([
      ["online", 0, 60],
      ["timeout", 60, 90],
      ["online", 90, null],
    ]);
    expect(told.uptime.day).toBe(0.75);
    expect(told.latency.hours.map(({ looks, answered, meanMs }) => [looks, answered, meanMs])).toEqual([
      [3, 3, 40],
      [6, 3, 40],
      [3, 3, 40],
    ]);
  });

  it("takes time in which nobody looked for unknown, not for downtime and not for uptime", () => {
    const history = keeper();
    history.look("online", T0);
    history.look("online", T0 + 5 * HOUR);
    const told = history.tell(T0 + 5 * HOUR + 10 * MINUTE);
    expect(told.uptime.day).toBe(1);
    const counted = 20 + EVIDENCE_LATE_MS / MINUTE;
    expect(told.spans.map(({ from, to }) => [clock(from), clock(to)])).toEqual([
      [0, counted],
      [300, null],
    ]);
    expect(told.known.day).toBeCloseTo((counted + 10) / (24 * 60), 4);
    // And long after the last look nothing is known again.
    expect(history.tell(T0 + 9 * DAY)).toMatchObject({
      uptime: { day: null, week: null, month: 1 },
      known: { day: 0 },
    });
  });

  it("takes one lost look for no outage, as the record does", () => {
    const history = keeper();
    history.look("online", T0);
    history.look("online", T0 + 10 * MINUTE, { answered: false });
    history.look("online", T0 + 11 * MINUTE);
    const told = history.tell(T0 + 12 * MINUTE);
    expect(told.spans).toHaveLength(1);
    expect(told.latency.hours.map(({ looks, answered }) => [looks, answered])).toEqual([[3, 2]]);
  });

  it("forgives one missed look", () => {
    const history = keeper();
    history.look("online", T0);
    history.look("online", T0 + 20 * MINUTE);
    expect(history.tell(T0 + 21 * MINUTE).spans).toHaveLength(1);
  });

  it("lets a look count for an hour where none is planned after it", () => {
    const history = keeper();
    history.look("online", T0, { nextAt: null });
    const told = history.tell(T0 + 3 * HOUR);
    expect(clock(told.spans[0]?.to ?? null)).toBe(EVIDENCE_UNPLANNED_MS / MINUTE);
  });

  it("is not led astray by a clock that is set back", () => {
    const history = keeper();
    history.look("online", T0 + 2 * DAY);
    history.look("timeout", T0);
    history.look("timeout", T0 + 10 * MINUTE);
    const told = history.tell(T0 + 10 * MINUTE);
    expect(told.spans.map(({ state, from, to }) => [state, clock(from), clock(to)])).toEqual([
      ["timeout", 0, null],
    ]);
    expect(told.uptime.day).toBe(0);
  });

  it("agrees with a model that keeps every minute", () => {
    const looks = fc.array(
      fc.record({
        after: fc.constantFrom(1, 5, 10, 10, 10, 20, 45, 200, 900),
        state: fc.constantFrom<ProbeState>("online", "online", "timeout", "auth-required"),
        planned: fc.constantFrom(10, 10, 60, null),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(looks, fc.integer({ min: 0, max: 3_000 }), (script, later) => {
        const history = keeper();
        const minutes: (ProbeState | undefined)[] = [];
        let at = 0;
        for (const [index, { after, state, planned }] of script.entries()) {
          at += after;
          history.look(state, T0 + at * MINUTE, {
            nextAt: planned === null ? null : T0 + (at + planned) * MINUTE,
          });
          const until = at + (planned === null ? 60 : planned * 2 + 5);
          const next = at + (script[index + 1]?.after ?? Number.POSITIVE_INFINITY);
          for (let minute = at; minute < Math.min(until, next); minute += 1) minutes[minute] = state;
        }
        const now = at + later;
        const told = history.tell(T0 + now * MINUTE);
        const past = Array.from({ length: now }, (_, minute) => minutes[minute]);
        const known = past.filter((state) => state !== undefined).length;
        const up = past.filter((state) => state === "online").length;
        expect(told.uptime.month ?? -1).toBeCloseTo(known === 0 ? -1 : up / known, 4);
        expect(told.known.month).toBeCloseTo(known / (30 * 24 * 60), 4);
        const spanned = told.spans.flatMap(({ state, from, to }) => {
          const [start, end] = [clock(from) ?? 0, clock(to) ?? now];
          return Array.from({ length: end - start }, (_, minute) => [start + minute, state] as const);
        });
        expect(spanned).toEqual([...past.entries()].filter(([, state]) => state !== undefined));
      }),
      { numRuns: 100 },
    );
  });

  it("stays small however often a relay comes and goes", async () => {
    await using store = await openSqliteStore({ path: ":memory:" });
    let revision: number | null = null;
    let pulse = null;
    for (let look = 0; look < 5_000; look += 1) {
      const at = T0 + look * 10 * MINUTE;
      const history = recordLook(pulse, {
        state: look % 2 === 0 ? "online" : "timeout",
        answered: look % 2 === 0,
        at,
        nextAt: at + 10 * MINUTE,
        latencyMs: 1,
      });
      pulse = history.pulse;
      const outcome = await store.relays.save(sampleWrite(sampleRecord("a.example"), { revision, history }));
      if (!outcome.ok) throw new Error(outcome.conflict);
      revision = outcome.revision;
    }
    const kept = await store.history.of("a.example", { toolChanges: 1 });
    expect(kept?.spans.length).toBe(SPANS_KEPT);
    expect(kept?.hours.length).toBeLessThan(28);
    expect(kept?.days.length).toBeLessThan(34);
    const told = tellHistory(kept as StoredHistory, { id: "a.example", now: T0 + 5_000 * 10 * MINUTE });
    // The window begins within an hour, and within a day: of those a part is counted.
    for (const share of Object.values(told.uptime)) expect(share).toBeCloseTo(0.5, 2);
    expect(told.known).toEqual({ day: 1, week: 1, month: 1 });
  });
});
