/** How a catalog watches its relays, as it was told. Types and defaults; plan-next.ts applies them. */

export interface WatchRules {
  /** Milliseconds between two looks at a relay that answers; null: nothing is planned, looks are made by hand only. */
  readonly periodMs: number | null;
  /** Looks that have to fail in a row before a relay that was online is called offline; 1: the first one decides. */
  readonly confirmOffline: number;
  /** From 0 to under 1. */
  readonly random: () => number;
}

/** One lost probe is not an outage. */
export const DEFAULT_CONFIRM_OFFLINE = 2;

/** The rules of a catalog that was told none. */
export const unplanned: WatchRules = {
  periodMs: null,
  confirmOffline: DEFAULT_CONFIRM_OFFLINE,
  random: Math.random,
};
