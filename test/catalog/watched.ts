/** A catalog that watches, on a clock moved by hand, with chance taken out. */
import { expect } from "vitest";
import { createScheduler, type WatchRules, type Worker } from "../../src/catalog/index.ts";
import type { LookupAddresses } from "../../src/net/index.ts";
import type { Clock } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import {
  createManualClock,
  type FakeRelay,
  type FakeRelayOptions,
  type ManualClock,
  startFakeRelay,
} from "../../src/testing/index.ts";
import { startTestCatalog, type TestCatalog } from "./fixture.ts";

export const PERIOD = 6_000;

export interface Watched extends AsyncDisposable {
  readonly catalog: TestCatalog;
  readonly clock: ManualClock;
  /** Starts a scheduler; several share the store. */
  watch(): Worker;
  /** Starts a relay and registers it. */
  listed(options?: FakeRelayOptions): Promise<{ readonly relay: FakeRelay; readonly id: string }>;
  /** Moves the clock on and waits until all that is due then has been looked at. */
  pass(ms: number): Promise<void>;
  /** Waits until nothing is due and nothing under way. */
  settled(): Promise<void>;
  /** Milliseconds from now to the planned look. */
  nextIn(id: string): Promise<number>;
  events(): Promise<readonly string[]>;
}

export interface WatchedOptions {
  readonly rules?: Partial<WatchRules>;
  readonly store?: Store;
  readonly lookup?: LookupAddresses;
  /** Put before the clock moved by hand. */
  readonly clockFrom?: (clock: ManualClock) => Clock;
}

export async function startWatched(options: WatchedOptions = {}): Promise<Watched> {
  const clock = createManualClock();
  const seen = options.clockFrom?.(clock) ?? clock;
  const catalog = await startTestCatalog({
    clock: seen,
    watch: { periodMs: PERIOD, confirmOffline: 2, random: () => 0.5, ...options.rules },
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const workers: Worker[] = [];
  const relays: FakeRelay[] = [];

  async function settled(): Promise<void> {
    await expect
      .poll(() => catalog.store.schedule.counts(seen.now()), { interval: 5, timeout: 10_000 })
      .toEqual({ due: 0, leased: 0 });
  }

  return {
    catalog,
    clock,
    watch() {
      const worker = createScheduler(catalog.context, options.rules?.periodMs ?? PERIOD);
      workers.push(worker);
      worker.start();
      return worker;
    },
    async listed(script = {}) {
      const relay = await startFakeRelay(script);
      relays.push(relay);
      return { relay, id: (await catalog.register(relay.url)).relay.id };
    },
    async pass(ms) {
      await clock.sleeping();
      await clock.advance(ms);
      await settled();
    },
    settled,
    async nextIn(id) {
      const { probe } = await catalog.get(id);
      return Date.parse(probe.nextAt ?? "") - seen.now();
    },
    async events() {
      return (await catalog.changes()).map((change) => change.event);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(relays.map((relay) => relay.close()));
      await catalog.close();
    },
  };
}

/** Requests by method since the last time. */
export function counter(relay: FakeRelay): () => Record<string, number> {
  let from = relay.requests.length;
  return () => {
    const fresh = relay.requests.slice(from);
    from = relay.requests.length;
    const counts: Record<string, number> = {};
    for (const { method } of fresh) counts[method] = (counts[method] ?? 0) + 1;
    return counts;
  };
}

/** Breaks off every request. */
export const down = (_: unknown, response: { destroy(): unknown }): boolean => {
  response.destroy();
  return true;
};
