/**
 * The one error of a connection: `stage` says where on the way it failed (the table in docs/connect.md), `code` is the closed code
 * that every part of OpenMCP shares. Credentials are in neither.
 */
import { type ErrorCode, OpenMcpError } from "../spec/index.ts";

const codes = {
  /** The process can't be started, or no connection can be made: no such host, refused, TLS. */
  "connect/transport": "relay-unreachable",
  /** The process ended, or the connection broke, before it was ready. */
  "connect/closed": "relay-unreachable",
  "connect/timeout": "relay-timeout",
  /** The handshake was answered with a JSON-RPC error: `data.rpc`. */
  "connect/initialize": "relay-error",
  /** The handshake's answer is not of its shape. */
  "connect/decode": "relay-unreachable",
  /** No version in common: `data.requested`, `data.offered`. */
  "connect/version": "relay-unreachable",
  /** Something answers there that is no MCP endpoint: `data.status`. */
  "connect/not-mcp": "relay-unreachable",
  /** A credential is missing or refused: `data.status`, `data.challenge`. Says nothing about the era. */
  auth: "relay-refused",
  /** A JSON-RPC error of the server: `data.method`, `data.rpc`. */
  remote: "relay-error",
  /** An answer that is not of its shape. */
  decode: "relay-unreachable",
  /** The server does not offer this; it was not asked. `data.method` */
  capability: "invalid-input",
  /** The session is gone, and so was a fresh one. */
  "session-lost": "relay-unreachable",
  /** The connection broke, or was closed, with a call under way. */
  closed: "relay-unreachable",
  timeout: "relay-timeout",
  /** The caller's signal. */
  aborted: "aborted",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Where on the way a connection failed. */
export type ConnectStage = keyof typeof codes;

/** What went wrong with a connection. `message` is a sentence for a person, free of secrets. */
export class ConnectError extends OpenMcpError {
  readonly stage: ConnectStage;

  constructor(
    stage: ConnectStage,
    message: string,
    options: { data?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(codes[stage], message, { ...options, data: { stage, ...options.data } });
    this.name = "ConnectError";
    this.stage = stage;
  }
}

/** True when `error` is a `ConnectError`, of `stage` when one is given. */
export function isConnectError(error: unknown, stage?: ConnectStage): error is ConnectError {
  return error instanceof ConnectError && (stage === undefined || error.stage === stage);
}
