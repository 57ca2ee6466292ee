/**
 * Asking an origin for one of its documents: bounded bytes and what went with them, nothing judged.
 * Whoever reads a kind of document (read-descriptor.ts) turns the answer into a verdict.
 */
import { type ErrorCode, type Exchange, isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { DOCUMENT_TIMEOUT_MS, MAX_REDIRECTS } from "./limits.ts";

export interface ReadOptions {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds for one document, redirects included. Default 15 s. */
  readonly timeoutMs?: number;
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
export async function askDocument(
  url: string,
  options: ReadOptions & {
    readonly maxBodyBytes: number;
    /** Sent beside our own. */
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<DocumentAnswer> {
  const { exchange, signal, now } = options;
  const started = now();
  try {
    signal?.throwIfAborted();
    const response = await exchange(
      { method: "GET", url, headers: { accept: "application/json", ...options.headers }, signal },
      {
        timeoutMs: options.timeoutMs ?? DOCUMENT_TIMEOUT_MS,
        maxBodyBytes: options.maxBodyBytes,
        maxRedirects: MAX_REDIRECTS,
      },
    );
    const good = response.status >= 200 && response.status < 300;
    const { status, headers } = response;
    // A 304 has nothing to drop, and leaves its connection for the look that follows.
    if (status === 304) await readText(response.body);
    else if (!good) response.cancel();
    const text = good ? await readText(response.body) : null;
    return { kind: "answer", status, url: response.url, text, headers, ms: now() - started };
  } catch (error) {
    if (signal?.aborted === true || isOpenMcpError(error, "aborted")) {
      throw new OpenMcpError("aborted", "the look was given up", { cause: error });
    }
    if (!isOpenMcpError(error)) throw error;
    return { kind: "failure", code: error.code, message: error.message, ms: now() - started };
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
