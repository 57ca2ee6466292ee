/** What `Content-Length` says of a body: for the answer to a HEAD, which has what GET would send (RFC 9110 section 9.3.2) and no body. */
export function contentLength(body: string | Uint8Array): string {
  return String(typeof body === "string" ? new TextEncoder().encode(body).byteLength : body.byteLength);
}
