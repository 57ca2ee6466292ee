/**
 * Asks for one document of an import: bounded in bytes and patient in time. Whatever the other side does is an answer that says
 * whether it is worth asking again.
 */
import { readText } from "../../discovery/index.ts";
import { type ErrorCode, isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import type { CatalogContext } from "../context.ts";
import { IMPORT_IDLE_MS, IMPORT_TIMEOUT_MS, MAX_IMPORT_CUT_BYTES, MAX_IMPORT_WAIT_MS } from "../limits.ts";

export type FetchedText =
  | {
      readonly kind: "text";
      readonly text: string;
      /** That answered, after redirects. */
      readonly url: string;
      /** There was more. */
      readonly cut: boolean;
      /** The header `Link`. */
      readonly link: string | undefined;
    }
  | {
      readonly kind: "failed";
      /** It may be better later. */
      readonly passing: boolean;
      /** Null: there was no answer. */
      readonly status: number | null;
      /** A part of a sentence: "it answered 500". */
      readonly error: string;
      /** Milliseconds, when it said so itself. */
      readonly retryAfterMs: number | null;
    };

/** @throws OpenMcpError `aborted` when the signal fires, `unavailable` when this machine has no socket left. */
export async function fetchText(
  { exchange }: Pick<CatalogContext, "exchange">,
  url: string,
  options: {
    readonly accept: string;
    readonly maxBytes: number;
    /** True: of what is larger the beginning is taken; else it fails. */
    readonly mayBeCut?: boolean;
    readonly signal: AbortSignal;
  },
): Promise<FetchedText> {
  const { signal } = options;
  try {
    const response = await exchange(
      { method: "GET", url, headers: { accept: options.accept }, signal },
      {
        timeoutMs: IMPORT_TIMEOUT_MS,
        idleMs: IMPORT_IDLE_MS,
        maxBodyBytes: options.mayBeCut === true ? MAX_IMPORT_CUT_BYTES : options.maxBytes,
      },
    );
    const { status, headers } = response;
    if (status < 200 || status > 299) {
      response.cancel();
      const passing = status === 408 || status === 425 || status === 429 || status >= 500;
      return {
        kind: "failed",
        passing,
        status,
        error: `it answered ${status}`,
        retryAfterMs: retryAfter(headers["retry-after"]),
      };
    }
    const { text, cut } = await readText(response.body, {
      contentType: headers["content-type"],
      maxBytes: options.maxBytes,
    });
    return { kind: "text", text, url: response.url, cut, link: headers.link };
  } catch (error) {
    if (signal.aborted) throw new OpenMcpError("aborted", "the import was given up", { cause: error });
    if (!isOpenMcpError(error) || error.code === "unavailable") throw error;
    return {
      kind: "failed",
      passing: passingCodes.includes(error.code),
      status: null,
      error: `it could not be read: ${error.message.replace(/\.$/, "")}`,
      retryAfterMs: null,
    };
  }
}

const passingCodes: readonly ErrorCode[] = ["timeout", "unreachable", "tls-failed"];

/** Seconds only: a date is by a clock that may be wrong. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header.trim())) return null;
  return Math.min(Number(header) * 1_000, MAX_IMPORT_WAIT_MS);
}
