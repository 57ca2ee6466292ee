/**
 * Every limit of relay/, with its unit and its reason. Sources: wire.md "Whom the catalog may call", "The probe",
 * "Forwarding a call"; probe.md. What is sent and read elsewhere has its limits elsewhere.
 */

const MEBIBYTE = 1024 * 1024;

/** Milliseconds for a whole look: three asks of the longest kind, as when a hanging relay is asked in both eras. */
export const LOOK_TIMEOUT_MS = 45_000;

/** Milliseconds for one request of a look; long enough for a cold start (slow is not down). */
export const STEP_TIMEOUT_MS = 15_000;

/** Share of the remaining time that the first era may use, so that the second is asked at all. */
export const FIRST_ERA_SHARE = 0.6;

/** Milliseconds for a message that needs no answer; some relays never answer `notifications/initialized`. */
export const NOTIFY_TIMEOUT_MS = 2_000;

/** Milliseconds for the one GET that recognises HTTP+SSE: its first event comes at once. */
export const EVENT_STREAM_TIMEOUT_MS = 5_000;

/** Milliseconds for the DELETE of a session; it runs at the end and nobody waits for more. */
export const DELETE_TIMEOUT_MS = 2_000;

/** Milliseconds after an answer in which the end of the body is awaited, so that the connection can be used again. */
export const SETTLE_MS = 25;

/** Milliseconds without a sign of life before a call is given up; progress renews them. */
export const CALL_IDLE_MS = 60_000;

/** Milliseconds for a call in all, however lively it is. */
export const CALL_TIMEOUT_MS = 300_000;

/** Milliseconds without a byte of an answer that is passed through: a person may be asked in the middle of it, and takes minutes. */
export const PASSAGE_IDLE_MS = 5 * 60_000;

/** Milliseconds for one request that is passed through: streams have no end of their own, and a client opens the next. */
export const PASSAGE_TIMEOUT_MS = 15 * 60_000;

/** Characters of one header that is passed through; all of them together are bounded by the server. */
export const MAX_PASSED_HEADER_LENGTH = 4_096;

/** Bytes of one `tools/list` page, after decompression. */
export const MAX_PAGE_BYTES = 8 * MEBIBYTE;

/** Bytes of all pages of one look; a list cut here says so. */
export const MAX_LIST_BYTES = 16 * MEBIBYTE;

/** Bytes of a handshake's answer: names, capabilities, instructions. */
export const MAX_HANDSHAKE_BYTES = 1 * MEBIBYTE;

/** Bytes of a call's answer with its notifications: results may hold images. */
export const MAX_CALL_BYTES = 32 * MEBIBYTE;

/** Bytes read of an answer that is neither JSON nor an event stream: enough to tell what it is. */
export const MAX_SAMPLE_BYTES = 4_096;

/** Levels of nesting in what is parsed; deeper answers are refused, so that nothing that walks them can overflow. */
export const MAX_JSON_DEPTH = 200;

/** Tools of one relay; a list cut here says so. */
export const MAX_TOOLS = 5_000;

/** Pages of one list: a server with ten tools a page fills the cap on tools. */
export const MAX_PAGES = 500;

/** Pages in a row without a tool that was not seen before; then the list goes round in circles. */
export const MAX_BARREN_PAGES = 2;

/** Characters of a cursor; a longer one is no cursor but a load. */
export const MAX_CURSOR_LENGTH = 65_536;

/** Redirects followed (wire.md), within the endpoint's origin only. */
export const MAX_REDIRECTS = 3;

/** Corrections of what was remembered before a call gives up: era, version, session. */
export const MAX_CORRECTIONS = 3;

/** Requests of a relay that are answered while it works on one call. */
export const MAX_SERVER_REQUESTS = 16;

/** Notes on one look; the rest is counted. */
export const MAX_NOTES = 20;

/** Characters of a name, version or message of a relay that go into a sentence or beside a record. */
export const MAX_QUOTED_LENGTH = 200;

/** Characters of a header kept as evidence. */
export const MAX_HEADER_LENGTH = 4_096;

/** Milliseconds for which a remembered era saves requests; after that the era is asked again. */
export const HINT_LIFETIME_MS = 24 * 60 * 60 * 1_000;
