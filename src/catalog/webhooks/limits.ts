/** Limits of subscriptions and deliveries, each with its unit and reason. */

/** Relay ids and characters of a secret in one subscription; a receiver of all relays names none. */
export const MAX_SUBSCRIBED_RELAYS = 500;
export const MAX_SECRET_CHARS = 256;

/** Bytes of a secret that the catalog makes: as long as the hash that it keys. */
export const SECRET_BYTES = 32;

/** Milliseconds for one attempt at a delivery (wire.md). */
export const DELIVERY_TIMEOUT_MS = 10_000;

/** Bytes of a receiver's answer that are read, and milliseconds without one: only so that the connection can be used again. */
export const MAX_RECEIPT_BYTES = 16 * 1024;
export const RECEIPT_IDLE_MS = 1_000;

/** Attempts at a delivery (OpenMCP 0.1), and failed deliveries in a row after which its subscription is inactive. */
export const MAX_ATTEMPTS = 3;
export const MAX_FAILED_DELIVERIES = 50;

/** Milliseconds before the second and the third attempt: a restart, then an outage. Each is moved by up to the share below. */
export const ATTEMPT_PAUSES_MS = [3_000, 30_000] as const;
export const ATTEMPT_JITTER = 0.2;

/** Milliseconds; the longest that a receiver's `Retry-After` puts off an attempt: a day. */
export const MAX_ATTEMPT_PAUSE_MS = 24 * 60 * 60_000;

/** Pairs of change and subscription looked at in one step: under 5 ms, in which nobody else is served. */
export const PAIRS_PER_STEP = 500;

/** Deliveries under way at once to receivers that answer: more make an event loop's turn long, and reads slow. */
export const QUICK_DELIVERIES = 64;

/** Subscriptions served at once whose receiver is slow or failing: they have these places, and no others. */
export const SLOW_SUBSCRIPTIONS = 256;

/** Milliseconds after which a subscription under way counts as slow and leaves its place to others. */
export const SLOW_AFTER_MS = 1_000;

/** Subscriptions handed out, or whose results are written, in one transaction: a few milliseconds in which nobody else is served. */
export const TURNS_AT_ONCE = 8;

/** Deliveries that a subscription is handed out with, relays of it under way at once, and milliseconds until it makes room. */
export const DELIVERIES_PER_TURN = 32;
export const RELAYS_PER_TURN = 4;
export const TURN_MS = 5_000;

/** Relays of one subscription whose delivery waits for a next attempt; then its others wait too: the receiver is down. */
export const MAX_PAUSED_RELAYS = 64;

/** Milliseconds between looks at the outbox, for what another process wrote and what has become due. */
export const OUTBOX_TICK_MS = 250;

/** Milliseconds after which a dispatcher that said nothing has died; it says something three times as often. */
export const DISPATCHER_ALIVE_MS = 3_000;

/** Bytes of bodies kept for the next subscription that is told the same. */
export const MAX_BODIES_BYTES = 32 * 1024 * 1024;

/** Finished deliveries of a subscription that are kept, and so can be read and delivered again. */
export const DELIVERIES_KEPT = 100;

/** Milliseconds for which deliveries are kept: as long as changes are. How many are dropped at a time, and how often. */
export const DELIVERY_KEPT_MS = 30 * 24 * 60 * 60_000;
export const DELIVERIES_FORGOTTEN = 500;
export const FORGET_EVERY_MS = 60_000;

/** Milliseconds that deliveries under way have at a stop; then they are broken off, and sent again at the next start. */
export const DELIVERY_GRACE_MS = 3_000;

/** Milliseconds until a subscription is looked at again whose secret no key opens: its operator has to come. */
export const SECRET_RETRY_MS = 60_000;

/** Secrets read at a time when they are sealed anew. */
export const SECRETS_PER_PAGE = 500;
