/**
 * What the process says when it ends: one total map from error code to exit code, and the codes that no error has.
 * docs/cli.md lists the same; a test holds the two equal.
 */
import type { ErrorCode } from "../spec/index.ts";

export const exitCodes = {
  /** Done, and the answer is yes. */
  ok: 0,
  /** Done, and the answer is no: nothing found, not listed, the tool says it failed. */
  no: 1,
  /** The command line, a URL or a parameter is not of its form. */
  usage: 2,
  /** No catalog answers there, or what answers is none. */
  catalog: 3,
  /** A credential is missing or refused. */
  refused: 4,
  /** No such relay, tool or job. */
  missing: 5,
  /** The relay, or the network on the way to it, failed. */
  relay: 6,
  /** Time ran out. */
  timeout: 7,
  /** Not now: over a rate, changed meanwhile, stopping. Trying again later may do. */
  later: 8,
  /** A defect here. */
  internal: 70,
  /** Interrupted (128 + SIGINT). */
  interrupted: 130,
} as const;

const byCode: Readonly<Record<ErrorCode, keyof typeof exitCodes>> = {
  "invalid-input": "usage",
  unauthorized: "refused",
  forbidden: "refused",
  "not-found": "missing",
  "method-not-allowed": "catalog",
  "unsupported-media-type": "catalog",
  "too-large": "usage",
  "rate-limited": "later",
  conflict: "later",
  gone: "missing",
  "not-listed": "no",
  "relay-error": "relay",
  "tool-error": "no",
  "relay-refused": "refused",
  "relay-unreachable": "relay",
  "relay-timeout": "timeout",
  blocked: "relay",
  timeout: "timeout",
  unreachable: "relay",
  "tls-failed": "relay",
  "too-many-redirects": "relay",
  aborted: "interrupted",
  unavailable: "later",
  "schema-too-new": "usage",
  internal: "internal",
  "unsupported-transport": "usage",
  "catalog-unreachable": "catalog",
  "catalog-answer": "catalog",
};

export function exitCodeOf(code: ErrorCode): number {
  return exitCodes[byCode[code]];
}
