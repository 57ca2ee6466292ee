/** Which headers a document may ask a client to send. */

/** What a client's HTTP sets itself, and never lets a caller set. */
const ownHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "upgrade",
  "keep-alive",
  "te",
  "trailer",
  "expect",
  "content-type",
  "accept",
]);

/** A token (RFC 9110 section 5.6.2) that a client may set. */
export function isSendableHeader(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/.test(name) && !ownHeaders.has(name.toLowerCase());
}
