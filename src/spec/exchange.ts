/**
 * The shape of one outbound HTTP exchange: what relay/, discovery/ and catalog/ are handed instead of a network.
 * net/ gives the real one; it applies the network policy (wire.md, last section) to every hop.
 * Failures reject with `OpenMcpError` of code `blocked`, `timeout`, `unreachable`, `tls-failed`, `too-large`,
 * `too-many-redirects` or `aborted`, also while the body is read; with `unavailable` when this machine itself has no
 * socket left, which is no evidence about the other side; and with `invalid-input` when a header can't be sent.
 * `data.reason` tells causes of one code apart (net/failure.ts).
 */

export interface ExchangeRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Absolute http or https URL; a fragment is not sent. */
  readonly url: string;
  /** Sent as given, names in lower case. `host`, `content-length` and hop-by-hop headers are the exchange's own; so is `user-agent`, unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface ExchangeLimits {
  /** Milliseconds for the whole exchange: name, connection, headers and body, all redirects together. */
  readonly timeoutMs: number;
  /** Milliseconds without a byte of the body; absent: only `timeoutMs` counts. Renewed by each chunk. */
  readonly idleMs?: number;
  /** Bytes of body after decompression; one more rejects the body with `too-large`. */
  readonly maxBodyBytes: number;
  /** Redirects followed: 301, 302, 303, 307, 308 for GET and HEAD; 307 and 308 for the others. Default 3; 0 answers the 3xx itself. */
  readonly maxRedirects?: number;
}

export interface ExchangeResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by ", " (set-cookie is dropped). */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL that answered, after redirects. */
  readonly url: string;
  /** The URLs passed through, first asked first; one entry when nothing redirected. */
  readonly hops: readonly string[];
  /** Decompressed bytes; can be iterated once. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Drops the body and its connection; idempotent. Call it when the body is not read to its end. */
  cancel(): void;
}

export type Exchange = (request: ExchangeRequest, limits: ExchangeLimits) => Promise<ExchangeResponse>;
