/**
 * Answers to what never became a request that a door could see: bytes that are no HTTP, headers without end, a Host or a target
 * that names nothing, CONNECT. They get the problem document that every bad request gets (wire.md), where Node and the adapter
 * would send an empty 400 or hang up. Knows no route; the listener calls it.
 */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { PROBLEM_TYPE, type PublicError, problemReply, problems, problemText } from "../http/index.ts";
import type { ErrorCode } from "../spec/index.ts";

/** A status that HTTP has for it, where our code's own is coarser (RFC 9110 section 15.5.9, RFC 6585 section 5). */
interface Refused extends PublicError {
  readonly status?: number;
}

/** By Node's code of a client error. */
const KNOWN: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: refusal("too-large", "the headers are larger than is read; send fewer", 431),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal("too-large", "the chunk extensions are larger than is read"),
  ERR_HTTP_REQUEST_TIMEOUT: refusal("timeout", "the request did not come in time; send it whole", 408),
};
const NOT_HTTP = refusal("invalid-input", "these bytes are no HTTP/1.1 request");
const NO_TUNNEL = refusal("method-not-allowed", "CONNECT is not answered here: this is no proxy");
const BAD_TARGET = refusal(
  "invalid-input",
  "the Host header or the request's target is missing or names nothing: send one Host, and a path that begins with /",
);

/** For a request that came as HTTP and whose URL can't be made out. */
export function targetRefused(): Response {
  return problemReply(BAD_TARGET);
}

/** Ends the socket of a client error with the answer to it. Call it only where no answer has begun. */
export function refuseBytes(socket: Duplex, error: NodeJS.ErrnoException): void {
  end(socket, KNOWN[error.code ?? ""] ?? NOT_HTTP);
}

/** Ends the socket of a CONNECT. */
export function refuseTunnel(socket: Duplex): void {
  end(socket, NO_TUNNEL);
}

function end(socket: Duplex, refused: Refused): void {
  const status = refused.status ?? problems[refused.code].status;
  const body = problemText(refused, status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `content-type: ${PROBLEM_TYPE}`,
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  // What the peer does with it is its own affair; a socket that is gone already has nobody to tell.
  socket.on("error", () => {});
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function refusal(code: ErrorCode, message: string, status?: number): Refused {
  return { code, message, data: {}, ...(status === undefined ? {} : { status }) };
}
