/**
 * Asking an origin for one of its documents: bounded bytes and what went with them, nothing judged.
 * Whoever reads a kind of document (read-descriptor.ts) turns the answer into a verdict.
 */
import { type ErrorCode, type Exchange, isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { readText } from "./body-text.ts";
import { DOCUMENT_TIMEOUT_MS, MAX_CUT_BYTES, MAX_REDIRECTS } from "./limits.ts";

export interface ReadOptions {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for one document, redirects included. Default 15 s. */
  readonly timeoutMs?: number;
}

export interface AskDocumentOptions extends ReadOptions {
  readonly maxBodyBytes: number;
  /** Sent beside our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True: of a body that is too large its beginning is the answer; else it fails with `too-large`. */
  readonly mayBeCut?: boolean;
}

/** An answer as it came, or why none came. */
export type DocumentAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** The URL that answered, after redirects. */
      readonly url: string;
      /** Null when the status says that there is nothing to read; the body was dropped. */
      readonly text: string | null;
      /** True when the body went on past its limit: `text` is its beginning. */
      readonly cut: boolean;
      /** False when the body was in another charset than JSON has. */
      readonly utf8: boolean;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly ms: number;
    }
  | {
      readonly kind: "failure";
      readonly code: ErrorCode;
      /** A sentence. */
      readonly message: string;
      readonly ms: number;
    };

/**
 * One GET. Never rejects for what the origin does.
 * @throws OpenMcpError `aborted` when `signal` fires.
 */
export async function askDocument(url: string, options: AskDocumentOptions): Promise<DocumentAnswer> {
  const { exchange, signal, now } = options;
  const started = now();
  try {
    signal?.throwIfAborted();
    const response = await exchange(
      { method: "GET", url, headers: { accept: "application/json", ...options.headers }, signal },
      {
        timeoutMs: options.timeoutMs ?? DOCUMENT_TIMEOUT_MS,
        maxBodyBytes: options.mayBeCut === true ? MAX_CUT_BYTES : options.maxBodyBytes,
        maxRedirects: MAX_REDIRECTS,
      },
    );
    const good = response.status >= 200 && response.status < 300;
    const { status, headers } = response;
    // A 304 has nothing to drop, and leaves its connection for the look that follows.
    if (status === 304) await readText(response.body);
    // An event stream is no document, and may have no end.
    else if (!good || isEventStream(headers["content-type"])) response.cancel();
    const readable = good && !isEventStream(headers["content-type"]);
    const read = readable
      ? await readText(response.body, {
          contentType: headers["content-type"],
          maxBytes: options.maxBodyBytes,
        })
      : null;
    return {
      kind: "answer",
      status,
      url: response.url,
      text: read?.text ?? (good ? "" : null),
      cut: read?.cut ?? false,
      utf8: read?.utf8 ?? true,
      headers,
      ms: now() - started,
    };
  } catch (error) {
    if (signal?.aborted === true || isOpenMcpError(error, "aborted")) {
      throw new OpenMcpError("aborted", "the look was given up", { cause: error });
    }
    if (!isOpenMcpError(error)) throw error;
    return { kind: "failure", code: error.code, message: error.message, ms: now() - started };
  }
}

function isEventStream(contentType: string | undefined): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType ?? "");
}
