/**
 * What went wrong below HTTP, as the closed codes of spec/exchange.ts with a sentence for a person. One pure function from
 * the errors of Node and undici; nothing of a URL but scheme, host and port gets into a message, as paths and queries
 * may hold secrets. `data.reason` tells causes of one code apart for machines.
 */
import { errors } from "undici";
import { OpenMcpError } from "../spec/index.ts";

/** Machine-readable cause, in `data.reason`. */
export type FailureReason =
  | "name-not-found"
  | "name-lookup-failed"
  | "refused"
  | "reset"
  | "no-route"
  | "not-http"
  | "damaged"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-self-signed"
  | "certificate-name"
  | "certificate-untrusted"
  | "certificate-revoked"
  | "tls-handshake"
  | "own-resources"
  | "other";

const certificate: Readonly<Record<string, readonly [FailureReason, string]>> = {
  CERT_HAS_EXPIRED: ["certificate-expired", "has expired"],
  CERT_NOT_YET_VALID: ["certificate-not-yet-valid", "is not valid yet"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["certificate-self-signed", "is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "certificate-self-signed",
    "ends in a self-signed authority that is not trusted",
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ["certificate-name", "is for another name"],
  HOSTNAME_MISMATCH: ["certificate-name", "is for another name"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "certificate-untrusted",
    "is from an unknown authority, or comes without its intermediate",
  ],
  UNABLE_TO_GET_ISSUER_CERT: ["certificate-untrusted", "is from an unknown authority"],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["certificate-untrusted", "is from an unknown authority"],
  CERT_UNTRUSTED: ["certificate-untrusted", "is not trusted"],
  CERT_REVOKED: ["certificate-revoked", "was revoked"],
};

const ownResources = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"]);

/**
 * The error to reject with.
 * @param cause Whatever Node, undici or the guarded look-up failed with; an `OpenMcpError` passes as it is.
 * @param where Scheme, host and port that were called.
 */
export function failureOf(cause: unknown, where: string): OpenMcpError {
  if (cause instanceof OpenMcpError) return cause;
  const error = firstOf(cause);
  const code = codeOf(error);
  const fail = (
    kind: "unreachable" | "tls-failed" | "unavailable" | "invalid-input",
    reason: FailureReason,
    message: string,
  ) => new OpenMcpError(kind, message, { data: { reason }, cause });

  const bad = certificate[code];
  if (bad !== undefined) return fail("tls-failed", bad[0], `the certificate of ${where} ${bad[1]}`);
  if (code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_") || code === "EPROTO") {
    return fail("tls-failed", "tls-handshake", `${where} does not speak TLS that we accept`);
  }
  if (ownResources.has(code)) {
    return fail("unavailable", "own-resources", `this machine has no socket left to call ${where} with`);
  }
  if (error instanceof errors.HTTPParserError) {
    return fail("unreachable", "not-http", `${where} answers something that is not HTTP/1.1`);
  }
  switch (code) {
    case "ENOTFOUND":
    case "ENODATA":
    case "EAI_NODATA":
    case "EAI_NONAME":
      return fail("unreachable", "name-not-found", `the name of ${where} does not exist`);
    case "EAI_AGAIN":
    case "EAI_FAIL":
    case "ESERVFAIL":
    case "ETIMEOUT":
      return fail("unreachable", "name-lookup-failed", `the name of ${where} can not be resolved just now`);
    case "ECONNREFUSED":
      return fail("unreachable", "refused", `nothing listens at ${where}`);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EHOSTDOWN":
    case "ENETDOWN":
    case "ETIMEDOUT":
      return fail("unreachable", "no-route", `no connection to ${where} comes about`);
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
    case "UND_ERR_SOCKET":
    case "UND_ERR_INFO":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return fail("unreachable", "reset", `${where} broke the connection off before its answer was whole`);
    case "UND_ERR_HEADERS_OVERFLOW":
      return new OpenMcpError("too-large", `${where} sends more header fields than are read`, { cause });
    case "UND_ERR_INVALID_ARG":
    case "UND_ERR_NOT_SUPPORTED":
      return fail("invalid-input", "other", `the request can not be sent: ${(error as Error).message}`);
    default:
      return fail("unreachable", "other", `${where} can not be called`);
  }
}

/** Of several attempted addresses the first one's failure is told: it is the one a person would try. */
function firstOf(cause: unknown): unknown {
  return cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : cause;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}
