/**
 * A clock that a test moves by hand. Sleepers wake in the order of their time, each before the next is looked at;
 * nothing here waits on real time.
 */
import type { Clock } from "../spec/index.ts";

export interface ManualClock extends Clock {
  /** Moves the time on and wakes whoever slept until then. Resolves when they had a turn. */
  advance(ms: number): Promise<void>;
  /** How many sleep now. */
  readonly sleepers: number;
  /** Resolves when at least `count` sleep: for waiting until a loop has come to its pause. */
  sleeping(count?: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that starts at `start`, milliseconds since the epoch; by default a round day of 2026. */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  let sleepers: Sleeper[] = [];
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];

  function notice(): void {
    const met = watchers.filter((watcher) => sleepers.length >= watcher.count);
    watchers = watchers.filter((watcher) => sleepers.length < watcher.count);
    for (const watcher of met) watcher.resolve();
  }

  return {
    now: () => now,
    sleep(ms, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      return new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: now + Math.max(0, ms),
          wake() {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        sleepers.push(sleeper);
        notice();
      });
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = sleepers.filter((sleeper) => sleeper.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        now = Math.max(now, next.at);
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        next.wake();
        await turn();
      }
      now = end;
      await turn();
    },
    get sleepers() {
      return sleepers.length;
    },
    sleeping(count = 1) {
      if (sleepers.length >= count) return Promise.resolve();
      return new Promise<void>((resolve) => {
        watchers.push({ count, resolve });
      });
    },
  };
}

/** One turn of the event loop: pending promises settle. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
