/** Limits of learning from peers, each with its unit and reason. */

/** Peers of one catalog. Each has its own lane, and they all run at once. */
export const MAX_PEERS = 64;

/** Relays asked for on a page of a peer's list: the most that a catalog gives (wire.md), and all that one without cursors does. */
export const PEER_PAGE_RELAYS = 500;

/** Pages and relays read of one peer: five times the largest catalog that this one is built for. */
export const MAX_PEER_PAGES = 1_000;
export const MAX_PEER_RELAYS = 100_000;

/** Bytes of one page, and of all pages of one reading. Nothing of it is held but the entry that is being read. */
export const MAX_PEER_PAGE_BYTES = 64 * 1024 * 1024;
export const MAX_PEER_BYTES = 512 * 1024 * 1024;

/** Bytes of one entry: a relay's tools may have 16 MiB (relay/), its descriptor 1 MiB. A larger one is passed over. */
export const MAX_PEER_ENTRY_BYTES = 24 * 1024 * 1024;

/** Characters of what a peer sends to be sent back to it: a cursor, an entity tag. */
export const MAX_PEER_CURSOR_CHARS = 2_048;
export const MAX_PEER_ETAG_CHARS = 200;

/** Milliseconds for one page, and without a byte of it. */
export const PEER_PAGE_TIMEOUT_MS = 60_000;
export const PEER_PAGE_IDLE_MS = 10_000;

/** Milliseconds after which no further page is asked for, and no further endpoint is looked at, until the next sync. */
export const PEER_READ_MS = 5 * 60_000;
export const PEER_SYNC_MS = 10 * 60_000;

/** Milliseconds that adding a peer waits for its descriptor; one that is down is added as well. */
export const PEER_GREETING_MS = 5_000;

/** Share of the period by which a sync comes earlier or later, so that peers do not march in step. */
export const PEER_JITTER = 0.1;

/** Milliseconds; the longest that a peer may put off the next sync by `Retry-After`: a day. */
export const MAX_PEER_PAUSE_MS = 24 * 60 * 60_000;

/** Endpoints of one peer looked at at once in all, and in one registrable domain. */
export const LEARN_CONCURRENCY = 16;
export const LEARN_PER_DOMAIN = 2;

/** Endpoints queued at a time, and how many of them in one domain: the others come with the next round, so that each has its turn. */
export const LEARN_ROUND = 1_000;
export const LEARN_ROUND_PER_DOMAIN = 200;

/** Endpoints of a host that may time out or be out of reach before its others are left for an hour. */
export const LEARN_HOST_FAILURES = 5;

/** Milliseconds until an endpoint that could not be listed is looked at again; doubled each time, up to a day. */
export const LEARN_RETRY_MS = 60 * 60_000;
export const MAX_LEARN_RETRY_MS = 24 * 60 * 60_000;

/** Milliseconds for which a relay that an admin removed is not learned from a peer (wire.md): 30 days. */
export const REMOVED_KEPT_OUT_MS = 30 * 24 * 60 * 60_000;
