/**
 * How many looks are under way at once: a number of quick ones, and a larger one of all. A look is quick until it has
 * taken too long; then it makes room. It knows nothing of relays, hosts or leases: those are counted in the store.
 */

export interface LookRoom {
  /** Looks that may start now, in milliseconds since the epoch. */
  free(now: number): number;
  /** Starts a look; it must not reject. */
  run(now: number, look: () => Promise<void>): void;
  /** Calls `listener` when a look has ended, until the returned function is called. */
  listen(listener: () => void): () => void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

export interface LookRoomOptions {
  readonly quick: number;
  readonly most: number;
  /** Milliseconds after which a look is slow. */
  readonly slowMs: number;
}

export function createLookRoom({ quick, most, slowMs }: LookRoomOptions): LookRoom {
  /** By start, in the order of starting. */
  const underWay = new Map<symbol, number>();
  /** Those that turned out slow, whatever the clock says later. */
  const slow = new Set<symbol>();
  const listeners = new Set<() => void>();
  let waiting: (() => void)[] = [];

  function ended(look: symbol): void {
    underWay.delete(look);
    slow.delete(look);
    for (const listener of [...listeners]) listener();
    if (underWay.size > 0) return;
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  }

  return {
    free(now) {
      for (const [look, started] of underWay) if (now - started > slowMs) slow.add(look);
      return Math.max(0, Math.min(quick - (underWay.size - slow.size), most - underWay.size));
    },
    run(now, work) {
      const look = Symbol();
      underWay.set(look, now);
      void work().finally(() => ended(look));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    idle() {
      if (underWay.size === 0) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
