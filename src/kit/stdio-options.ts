/** What may be said of serving over stdio, and what is given back. Types only. */
import type { Readable, Writable } from "node:stream";

export interface StdioOptions {
  /** Exit at the first stray write to standard output. Default: `OPENMCP_STDIO_STRICT=1`. */
  readonly strict?: boolean;
  /** What an error that nobody caught does: `exit` (default) tells it on standard error and exits with 1; `log` goes on. */
  readonly crash?: "exit" | "log";
  /** In place of the process's own; then neither the guard is set nor is the process ended. */
  readonly input?: Readable;
  readonly output?: Writable;
}

export interface StdioServer extends AsyncDisposable {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}
