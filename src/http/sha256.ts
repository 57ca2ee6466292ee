/**
 * SHA-256 (FIPS 180-4) by Node's own, without waiting: WebCrypto's is a promise, and a tag is made in the middle of an answer. The only
 * file of this room with a module of Node's; portable-sha256.ts stands in for it where there is none.
 */
import { hash } from "node:crypto";

/** The digest as base64url, 43 characters. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "base64url");
}
