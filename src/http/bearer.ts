/**
 * Bearer credentials on requests to us (RFC 6750 section 2.1), compared in constant time.
 * The digests are compared, not the texts, so that the length gives nothing away either.
 */
import { OpenMcpError, trimEndOf } from "../spec/index.ts";
import { sha256 } from "./sha256.ts";

export interface AdminCheck {
  /** False: no admin token was configured, so nobody is admin. */
  readonly configured: boolean;
  matches(header: string | null): boolean;
}

/** Holds the admin token's digest, not the token. */
export function createAdminCheck(token: string | null | undefined): AdminCheck {
  const expected = token === undefined || token === null || token === "" ? null : sha256(token);
  return {
    configured: expected !== null,
    matches(header) {
      if (header === null || expected === null) return false;
      return equal(sha256(tokenOf(header)), expected);
    },
  };
}

/** The refusal of a request without the admin credential: what to send, or that nobody can be admin here. */
export function adminNeeded({ configured }: AdminCheck): OpenMcpError {
  return new OpenMcpError(
    "unauthorized",
    configured
      ? "this needs the admin credential: send it as Authorization: Bearer <admin token>"
      : "this catalog has no admin token, so nobody can do this; start it with --admin-token or OPENMCP_ADMIN_TOKEN",
  );
}

/** "" where there is none, which is nobody's. By hand: a pattern that looks for the end costs a long header's square. */
function tokenOf(header: string): string {
  const [scheme] = /^Bearer +/i.exec(header) ?? [];
  return scheme === undefined ? "" : trimEndOf(header.slice(scheme.length), " ");
}

/** Of two digests, which are of one length: each character is looked at, whatever those before it were. */
function equal(one: string, other: string): boolean {
  let difference = 0;
  for (let index = 0; index < one.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
