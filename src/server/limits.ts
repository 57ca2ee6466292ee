/** The limits of the catalog as a process: sockets, shutdown. What a door or a probe may take is in their rooms. */

/** Bytes of request headers; Node answers 431 over it. Cookies and long tokens fit, nothing else is expected. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Milliseconds for a request's headers to be in: a slow sender holds a socket no longer. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** Milliseconds for a whole request to be in, body included. Answers may take longer: a forwarded call has 60 s. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Milliseconds between looks for connections over the two limits above. */
export const TIMEOUT_CHECK_MS = 2_000;

/** Milliseconds an idle connection is kept: longer than the 60 s of common load balancers, so that they close first. */
export const KEEP_ALIVE_MS = 65_000;

/** Open connections; one more is dropped at once. A fifth of the file descriptors that containers commonly allow. */
export const MAX_CONNECTIONS = 4_096;

/** Milliseconds that requests under way have to end at a stop; then their connections are cut. */
export const DRAIN_MS = 10_000;

/** Milliseconds until a stop ends MCP streams, which may have no end of their own; calls by REST have the whole drain. */
export const STREAM_GRACE_MS = 3_000;

/** Milliseconds after the start until the parts that nobody asked for yet are loaded: after the first answers. */
export const WARM_UP_MS = 500;

/** Milliseconds after the start until compiled code is kept for the next one: after all that is loaded late, some 10 ms of work. */
export const KEEP_COMPILED_MS = 2_000;

/** Characters of a caller's `X-Request-Id` that are taken over. */
export const MAX_REQUEST_ID_LENGTH = 100;

/** Milliseconds; the shortest period: a shorter one asks every relay without pause. */
export const MIN_REFRESH_MS = 100;

/** Milliseconds; the longest period: what a timer of Node can hold. */
export const MAX_REFRESH_MS = 2 ** 31 - 1;

/** Milliseconds; the shortest and the longest period between two syncs with a peer: a week, and room for jitter in a timer. */
export const MIN_PEER_SYNC_MS = 1_000;
export const MAX_PEER_SYNC_MS = 7 * 24 * 60 * 60_000;

/** Looks that may be asked for before a relay is called offline: beyond it an outage of a day goes untold. */
export const MAX_CONFIRM_OFFLINE = 10;

/** Seconds; the upper ends of a histogram's buckets: from a read in memory to the longest wait for a relay. */
export const SECONDS_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** Counts and timings that wait for prom-client to be loaded: far more than the half second before it is can bring. */
export const MAX_MEASURES_BEFORE_LOADED = 50_000;

/** Milliseconds for a batch of traces to be taken by their collector, unless OTEL_EXPORTER_OTLP_TIMEOUT says otherwise. */
export const TRACES_EXPORT_MS = 2_500;

/** Milliseconds that a stop waits for the last traces. */
export const TRACES_CLOSE_MS = 3_000;

/** Bytes of a file that is restored: ten times the largest catalog that this one is built for. */
export const MAX_RESTORE_BYTES = 8 * 1024 * 1024 * 1024;

/** Milliseconds without a byte after which a file that is coming in is given up. */
export const UPLOAD_IDLE_MS = 30_000;

/** Milliseconds that a stop waits for workers, which break off at once: only a defect takes longer. */
export const WORKERS_CLOSE_MS = 10_000;

/** Proxies in a row that are trusted by their number: more are a mistake. */
export const MAX_PROXY_HOPS = 10;

/** The most that a budget may be set to: beyond it, "off" says better what is meant. */
export const MAX_PER_MINUTE = 1_000_000;
export const MAX_BURST = 1_000_000;

/** Bytes of a file of limits: a hundred times what all of them need. */
export const MAX_LIMITS_FILE_BYTES = 64 * 1024;

/** Milliseconds between two looks whether the npm that ran this process is still there. */
export const ORPHAN_CHECK_MS = 250;
