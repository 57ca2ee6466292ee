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

/** Characters of a caller's `X-Request-Id` that are taken over. */
export const MAX_REQUEST_ID_LENGTH = 100;

/** Milliseconds; the shortest sweep: a shorter one asks every relay without pause. */
export const MIN_REFRESH_MS = 100;

/** Milliseconds; the longest sweep: what a timer of Node can hold. */
export const MAX_REFRESH_MS = 2 ** 31 - 1;

/** Milliseconds between two looks whether the npm that ran this process is still there. */
export const ORPHAN_CHECK_MS = 250;
