/** What the client allows a catalog or a relay; each is a default that an option overrides, or a guard. */

/** Milliseconds for an answer that the catalog has at hand. */
export const READ_TIMEOUT_MS = 30_000;

/** Milliseconds for an answer that waits for a relay: the catalog itself gives a call 60 s, and a probe several steps of 15 s. */
export const RELAY_TIMEOUT_MS = 90_000;

/**
 * Milliseconds for a sync with all peers, which looks at every relay that is new: just under the five minutes for which
 * Node's own fetch waits for an answer. The catalog goes on by itself after that.
 */
export const SYNC_TIMEOUT_MS = 290_000;

/** Bytes of one answer. A page of our catalog ends at 8 MiB; others' have no cursor and come whole. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Milliseconds that closing may spend on ending a legacy session. */
export const SESSION_END_MS = 2_000;

/** Relays a page, when all pages are walked: the most that the wire allows. */
export const PAGE_SIZE = 500;

/** Characters of a foreign answer that an error quotes. */
export const EXCERPT_CHARS = 120;

/** Bytes of one webhook delivery: a record with its tools, whose list alone may have 16 MiB. */
export const MAX_DELIVERY_BYTES = 32 * 1024 * 1024;

/** Milliseconds: how long ago a delivery's change may be. A catalog that was down delivers late; `Retry-After` may ask for hours. */
export const MAX_DELIVERY_AGE_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of catalog and receiver may differ. */
export const DELIVERY_CLOCK_SKEW_MS = 5 * 60_000;

/** Deliveries that a receiver remembers, to know the second of one: 32 characters each. */
export const REMEMBERED_DELIVERIES = 10_000;

/** Milliseconds without a byte after which a stream of events is taken for lost: three of our catalog's heartbeats. */
export const STREAM_IDLE_MS = 45_000;

/** Bytes of one event: a record with all its tools fits. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Milliseconds before coming back to a stream that was lost: at first, and at most after several failures. */
export const RETURN_FIRST_MS = 1_000;
export const RETURN_MOST_MS = 30_000;

/** Milliseconds for a look at one server in a discovery, the handshake and the tool list. */
export const LOOK_TIMEOUT_MS = 30_000;

/** Pages of a tool list that such a look reads. */
export const MAX_LOOK_PAGES = 64;

/** Notifications kept for one reader that does not read: a server that tells of progress ten times a second is kept for minutes. */
export const NOTIFICATION_BUFFER = 1_000;

/** Bytes of one message over a pair of streams: the same as the SDK takes over its own. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** Characters of an id that is read out of a message too long to be kept: ids are numbers and UUIDs. */
export const MAX_ID_CHARS = 256;

/** Milliseconds for a call over a connection, unless progress is told or more is allowed: the SDK's own default. */
export const CALL_TIMEOUT_MS = 60_000;

/** Milliseconds for a process to answer the newer protocol's first request: downloading it first may take long. A silent one is then asked in the older. */
export const PROBE_TIMEOUT_MS = 30_000;

/** Milliseconds to start a process and shake hands with it: a package may have to be downloaded first. */
export const COMMAND_TIMEOUT_MS = 60_000;

/** Bytes of a process's standard error that are kept for its error. */
export const STDERR_TAIL_BYTES = 4 * 1024;

/** Milliseconds for a process to end after the end of its input, and after SIGTERM. The SDK's own. */
export const PROCESS_END_MS = 2_000;

/** Milliseconds that a bridge goes on for answers under way when its host has hung up: `echo … | openmcp connect` is a use of it. */
export const BRIDGE_DRAIN_MS = 10_000;

/** Bytes of messages that a bridge keeps for a host that does not read, before it stops reading from the server. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Milliseconds that a host which was hung up on has to take the last messages. */
export const HOST_END_MS = 2_000;

/** Resources whose subscription a bridge repeats in a session begun anew; hosts subscribe to a handful. */
export const MAX_REPEATED_SUBSCRIPTIONS = 1_000;

/** Milliseconds that a bridge waits for the stream of pushes before it goes on without. */
export const BRIDGE_STREAM_MS = 5_000;

/** Milliseconds that a timer holds at most. A bridge has no time of its own for a call: its host has one. */
export const LONGEST_TIMER_MS = 2_147_483_647;
