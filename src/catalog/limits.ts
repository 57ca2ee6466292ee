/** Every limit of the catalog, named, with its unit and reason. Nothing else lives here. */
import type { BudgetRules } from "../spec/index.ts";

/** Characters of a URL that someone registers; browsers and proxies cut off longer ones. */
export const MAX_URL_CHARS = 2_048;

/** Characters of an id, a job id or a tool's name in a question; real ids end at 120. */
export const MAX_ID_CHARS = 200;

/** Characters of a tool's name in a call: relays do list absurd ones, and what is listed must be callable. */
export const MAX_TOOL_NAME_CHARS = 10_000;

/** Characters of a question: long prompts are pasted whole, and stay safe. */
export const MAX_QUESTION_CHARS = 10_000;

/** Characters of a tag. */
export const MAX_TAG_CHARS = 200;

/** Characters of a cursor; ours are far shorter. */
export const MAX_CURSOR_CHARS = 500;

/** Characters of a caller's credential for a relay: a large JWT fits, a header that relays refuse does not. */
export const MAX_TOKEN_CHARS = 16_384;

/** Characters of a name, and letters that may differ, when a wrong one is compared with thousands: a few milliseconds for all. */
export const MAX_NEAR_CHARS = 60;
export const MAX_LETTERS_APART = 4;

/** Characters of a relay's own error message inside a sentence of ours: a stack trace's worth. */
export const MAX_QUOTED_ERROR_CHARS = 2_000;

/** Characters of a relay's `requestState`: it may hold what a whole call did so far, and comes back in one body. */
export const MAX_STATE_CHARS = 1024 * 1024;

/** Relays on a page (wire.md). */
export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 500;

/** Bytes of JSON after which a page of relays ends early (wire.md: 8 MiB). */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Tools in an answer (wire.md). */
export const DEFAULT_FIND_LIMIT = 8;
export const MAX_FIND_LIMIT = 100;

/** Largest `maxTokens`: beyond it the limit on tools counts anyway. */
export const MAX_FIND_TOKENS = 1_000_000;

/** Characters that count as one token when an answer is fitted to a budget. */
export const CHARS_PER_TOKEN = 4;

/** URLs in one bulk registration (wire.md). */
export const MAX_BULK_URLS = 1_000;

/** Milliseconds for all looks of a refresh by hand: one whole look (relay/), and a third of one to confirm that nothing answers. */
export const HAND_LOOKS_MS = 60_000;

/** Milliseconds that a confirming look has at least, however many there are to be. */
export const MIN_LOOK_MS = 5_000;

/** Milliseconds for which a look waits for the descriptor of its origin: most answer within, and on the connection that is open then. */
export const DESCRIPTOR_HEAD_START_MS = 1_000;

/** Milliseconds after which no further path of a bare site is tried; the look under way is still finished. */
export const SITE_SEARCH_MS = 30_000;

/** Endpoints looked at in a row because each redirects to the next (wire.md: 3 redirects). */
export const MAX_FOLLOWED = 3;

/** Writes tried for one finding before it gives up: each conflict means that another write came through. */
export const MAX_COMMIT_TRIES = 8;

/** Relays looked through for an id that someone may have meant. */
export const NEAR_RELAYS = 50;

/** Bulk registrations under way in all, and in one registrable domain: one that is asked more is asked impolitely. */
export const BULK_CONCURRENCY = 32;
export const BULK_PER_DOMAIN = 2;

/** Bulk jobs whose URLs are held in memory; the others wait in the store. */
export const MAX_JOBS_AT_ONCE = 8;

/** Milliseconds for which a finished job can be asked for: a week. */
export const JOB_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

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

/** Marked relays from which on the index goes on without a pause: fewer are cheaper in company. */
export const INDEX_BATCH = 32;

/** Milliseconds between looks at the marks; a write is found within the two seconds that search.md asks for. */
export const INDEX_PAUSE_MS = 250;

/** Milliseconds that a few marks wait for company while registrations stream in: a batch of more rewrites less a tool. */
export const INDEX_GATHER_MS = 200;

/** Milliseconds that a registration by hand waits at most until its relay can be found: a step of a large catalog, and a thread's start. */
export const INDEX_WAIT_MS = 1_000;

/** Registrations by hand under way up to which each waits for the index; more are many, and gain from a batch. */
export const MAX_INDEX_WAITERS = 4;

/** Marked relays behind which nobody waits: more than a step takes. */
export const MAX_MARKS_WAITED_FOR = 128;

/** Milliseconds without a mark after which the index is taken to be at rest, and its means are held against what is there. */
export const INDEX_QUIET_MS = 2_000;

/** Milliseconds after which that is done where the index never rests. */
export const INDEX_HELD_MS = 60_000;

/** Milliseconds before a worker tries again what the store refused. */
export const WORKER_RETRY_MS = 1_000;

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

/** Changes on a page. */
export const DEFAULT_CHANGE_LIMIT = 100;
export const MAX_CHANGE_LIMIT = 500;

/** Relays that a reader of changes may name: more are no list that someone follows, and would be a URL too long. */
export const MAX_WATCHED_RELAYS = 100;

/** Milliseconds for which changes are kept (wire.md: 30 days). */
export const CHANGES_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Milliseconds between looks for changes that are too old. */
export const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** Changes dropped in one step: a few milliseconds in which nobody else is served. */
export const PRUNE_STEP = 500;

/** Newest changes that are held in memory for those who follow them: at most so many, and so many characters. */
export const FEED_CHANGES = 256;
export const FEED_CHARS = 4 * 1024 * 1024;

/** Changes read at a time, and characters of them that one who is behind has in memory. */
export const FEED_READ = 64;
export const FEED_READ_CHARS = 256 * 1024;

/** Milliseconds between looks for what another process appended; our own appends ring. */
export const FEED_POLL_MS = 2_000;

/** Ended spans of state kept for one relay, and for how long: one that comes and goes all day is cut at the first. */
export const SPANS_KEPT = 200;
export const SPANS_KEPT_MS = 31 * 24 * 60 * 60 * 1_000;

/** Milliseconds for which totals by hour and by day are kept: the longest window, and the one that is cut at its beginning. */
export const HOURS_KEPT_MS = 26 * 60 * 60 * 1_000;
export const DAYS_KEPT_MS = 32 * 24 * 60 * 60 * 1_000;

/** Milliseconds that a look counts beyond the time planned for the next: a busy catalog comes a little late. */
export const EVIDENCE_LATE_MS = 5 * 60 * 1_000;

/** Milliseconds that a look counts where none is planned after it. */
export const EVIDENCE_UNPLANNED_MS = 60 * 60 * 1_000;

/** Milliseconds that a look counts at most: the failing are looked at once a day at least, and one missed look is forgiven. */
export const EVIDENCE_MOST_MS = 50 * 60 * 60 * 1_000;

/** Changes of tools that a history tells: the newest. */
export const TOOL_CHANGES_TOLD = 100;

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

/**
 * What one client address may ask for, where nothing else is configured. A person or an agent never comes near; an office behind
 * one address seldom does. What they hold in check is what the catalog does for a stranger at others' cost: looks (each up to
 * some twenty requests), forwarded calls, deliveries. Bulk counts URLs: the first thousand at once, then as many as by hand.
 */
export const DEFAULT_BUDGETS = {
  register: { perMinute: 30, burst: 60 },
  bulk: { perMinute: 100, burst: 2_000 },
  refresh: { perMinute: 60, burst: 60 },
  call: { perMinute: 600, burst: 1_200 },
  subscribe: { perMinute: 10, burst: 30 },
} as const satisfies BudgetRules;

/** Calls under way of one client: sixty-four clients would be needed to hold all sockets of a catalog (server/). */
export const MAX_CALLS_OF_CLIENT = 64;

/** Calls under way to one relay: twice the connections that it is given (net/), so that one that hangs holds an eighth of the sockets. */
export const MAX_CALLS_OF_RELAY = 512;

/** Seconds until a call is tried again that found too many under way: most calls take less. */
export const CROWDED_RETRY_SECONDS = 1;

/** Milliseconds between looks for budgets that are full again, and how many are dropped in one step: under 10 ms. */
export const PRUNE_BUDGETS_EVERY_MS = 60_000;
export const BUDGETS_PRUNED = 1_000;
