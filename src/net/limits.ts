/**
 * Every limit of outbound traffic that is not the caller's to choose. What one exchange may cost
 * (time, bytes, redirects) is an argument of the exchange itself: `ExchangeLimits` in spec/.
 */

/** Redirects followed when a caller names no number (wire.md, "Whom the catalog may call"). */
export const defaultRedirects = 3;

/** Redirects followed at most, whatever a caller asks: a longer chain is a mistake or an attack. */
export const maxRedirects = 10;

/** Bytes of one answer's header fields (and trailers). Large gateways send up to 16 KiB; twice that is a flood. */
export const maxHeaderBytes = 32 * 1024;

/**
 * Milliseconds an unused connection is kept. A look at a relay is a handful of requests within a second; after that
 * the next one is minutes away, and most servers have closed by then (5 s is the commonest setting).
 */
export const keepAliveMs = 4_000;

/** Milliseconds taken off the idle time a server announces, so that we close before it does. */
export const keepAliveMarginMs = 1_000;

/**
 * Unused connections kept over all origins; the oldest is closed for a newer one. Looking at 20,000 relays
 * then holds this many sockets beside those in use, not 20,000.
 */
export const maxIdleConnections = 256;

/**
 * Connections to one origin at a time; further exchanges wait their turn within their own time limit.
 * One hanging relay can then not use up the process's file descriptors.
 */
export const maxConnectionsPerOrigin = 256;

/** Milliseconds one address of several is tried before the next. Node's own 250 is under the round trip of half the world. */
export const connectAttemptMs = 1_000;

/** Bytes of body that wait in memory for a slow reader; beyond that the socket is paused. */
export const bodyBufferBytes = 256 * 1024;

/** Content codings applied to one body. More than two are never seen but in attacks on decoders. */
export const maxContentCodings = 2;

/** TLS sessions remembered for resumption. */
export const maxTlsSessions = 512;

/** The largest delay a timer takes, in milliseconds; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;

/** Addresses whose verdict is remembered: those of the relays that are talked with in a while; some 100 KB. */
export const maxJudgedAddresses = 1_024;

/** Characters of the longest spelling of an address: IPv6 with an IPv4 tail, a zone and brackets. */
export const maxAddressChars = 64;
