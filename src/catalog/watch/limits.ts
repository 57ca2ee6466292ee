/** Limits of planned looks, and of those that people ask for beside them, each with its unit and reason. */

/** Milliseconds that a plan reaches ahead at most, whatever failed: a relay that is back is seen within a day. */
export const MAX_PLAN_MS = 24 * 60 * 60 * 1_000;

/** Part of a pause by which it is made longer or shorter by chance, so that what was listed together drifts apart. */
export const JITTER_SHARE = 0.1;

/** Periods to which a relay's own `ttlMs` stretches a pause at most: `online` stays a fact of the recent past. */
export const FRESHNESS_STRETCH = 2;

/** Milliseconds until the look that confirms or clears a failed one, or that part of the period where it is shorter. */
export const CONFIRM_DELAY_MS = 30_000;
export const CONFIRM_SHARE = 0.5;

/** Relays that the scheduler looks at at once, those aside that turned out slow. */
export const WATCH_CONCURRENCY = 64;

/** The same with the slow ones: what a process can hold in sockets while whole networks are down. */
export const WATCH_MOST = 512;

/** Looks at once at one host, whatever the port, and in one registrable domain, over all processes. */
export const WATCH_PER_HOST = 4;
export const WATCH_PER_DOMAIN = 8;

/** The same with the slow ones: a host that hangs holds so many, and its other relays have their turn. */
export const WATCH_MOST_PER_HOST = 32;
export const WATCH_MOST_PER_DOMAIN = 64;

/** Looks and readings at once at one host and in one domain that people asked for: more than planned ones, because they wait. */
export const COURTESY_PER_HOST = 32;
export const COURTESY_PER_DOMAIN = 64;

/** Milliseconds after which a look counts as slow, and no longer against the others. */
export const SLOW_LOOK_MS = 2_000;

/** Room for so many looks before more are leased: a lease costs about a tenth of a millisecond, whatever it holds. */
export const WATCH_BATCH = 8;

/** Looks started in one turn of the event loop: as many end in one, and a request that waits is served after them. */
export const LOOKS_A_TURN = 2;

/** Milliseconds that a lease lasts unrenewed: after a crash its relay is anyone's again that soon. */
export const LEASE_MS = 15_000;

/** Milliseconds between renewals: two may fail before a lease is lost. */
export const LEASE_RENEWAL_MS = 5_000;

/** Milliseconds between looks at the schedule when nothing calls: the writes of others, and jumps of the clock. */
export const WATCH_POLL_MS = 1_000;

/** Milliseconds until a look is tried again that failed for our own reasons. */
export const WATCH_RETRY_MS = 60_000;
