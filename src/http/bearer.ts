/**
 * Bearer credentials on requests to us (RFC 6750 section 2.1), compared in constant time.
 * The digests are compared, not the texts, so that the length gives nothing away either.
 */
import { createHash, timingSafeEqual } from "node:crypto";

/** The token of an `Authorization` value; null when it is not one bearer token (RFC 6750 `b64token`). */
export function bearerToken(header: string | null): string | null {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? "")?.[1] ?? null;
}

export interface AdminCheck {
  /** False: no admin token was configured, so nobody is admin. */
  readonly configured: boolean;
  matches(header: string | null): boolean;
}

/** Holds the admin token's digest, not the token. */
export function createAdminCheck(token: string | null | undefined): AdminCheck {
  const expected = token === undefined || token === null || token === "" ? null : digest(token);
  return {
    configured: expected !== null,
    matches(header) {
      if (header === null || expected === null) return false;
      return timingSafeEqual(digest(/^Bearer +(.*?) *$/i.exec(header)?.[1] ?? ""), expected);
    },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
