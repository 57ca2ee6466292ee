/**
 * One page of a peer's `GET /v1/relays`: asked conditionally where it was read before, its entries given on as they come.
 * Bounded in bytes and time; what the peer does never rejects.
 */
import { type ExchangeResponse, isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import type { PeerOffer } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { breathe } from "../worker.ts";
import {
  MAX_PEER_CURSOR_CHARS,
  MAX_PEER_ENTRY_BYTES,
  MAX_PEER_ETAG_CHARS,
  PEER_PAGE_IDLE_MS,
  PEER_PAGE_TIMEOUT_MS,
} from "./limits.ts";
import { createListScanner } from "./list-scanner.ts";
import { readOffer } from "./read-offer.ts";

export type PageReading =
  | { readonly kind: "unchanged" }
  /** Read to its end. `etag` null: it can't be asked for conditionally. */
  | { readonly kind: "read"; readonly etag: string | null; readonly next: string | null }
  /** `error` is a sentence. `retryAfterMs`: when the peer said so. */
  | {
      readonly kind: "failed";
      readonly error: string;
      /** Absent: there was no answer, or it was no refusal. */
      readonly status?: number;
      readonly retryAfterMs?: number;
    };

export interface ReadPageOptions {
  /** The tag that the page had when it was last read to its end. */
  readonly etag: string | null;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Told of each piece that came in: its bytes, its entries, and those of them that are of use here. */
  readonly onPiece: (piece: {
    readonly bytes: number;
    readonly entries: number;
    readonly offers: readonly PeerOffer[];
  }) => Promise<void>;
}

/** @throws OpenMcpError `aborted` when the signal fires, and whatever `onPiece` throws. */
export async function readPage(
  { exchange }: Pick<CatalogContext, "exchange">,
  url: string,
  options: ReadPageOptions,
): Promise<PageReading> {
  const { signal, etag } = options;
  let response: ExchangeResponse | null = null;
  try {
    response = await exchange(
      {
        method: "GET",
        url,
        headers: { accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) },
        signal,
      },
      { timeoutMs: PEER_PAGE_TIMEOUT_MS, idleMs: PEER_PAGE_IDLE_MS, maxBodyBytes: options.maxBytes },
    );
    if (response.status === 200) return await readBody(response, options);
    if (response.status === 304 && etag !== null) return { kind: "unchanged" };
    return refused(response);
  } catch (error) {
    if (signal.aborted) throw new OpenMcpError("aborted", "the sync was given up", { cause: error });
    if (!isOpenMcpError(error)) throw error;
    return { kind: "failed", error: `its list could not be read: ${error.message}` };
  } finally {
    response?.cancel();
  }
}

async function readBody(response: ExchangeResponse, options: ReadPageOptions): Promise<PageReading> {
  const scanner = createListScanner({ maxEntryBytes: MAX_PEER_ENTRY_BYTES });
  for await (const piece of response.body) {
    const entries = scanner.push(piece);
    const offers = entries
      .map((entry) => (entry === null ? null : readOffer(entry)))
      .filter((offer) => offer !== null);
    await options.onPiece({ bytes: piece.length, entries: entries.length, offers });
    // A page may be 64 MiB: requests that wait are served between its pieces.
    await breathe();
    if (scanner.complete) break;
  }
  if (!scanner.hasList) return failed("its answer has no list of relays: it is no OpenMCP catalog's");
  if (!scanner.complete) return failed("its list broke off in the middle");
  return { kind: "read", etag: usableTag(response.headers.etag), next: usableCursor(scanner.nextCursor) };
}

function failed(error: string): PageReading {
  return { kind: "failed", error };
}

function refused({ status, headers }: ExchangeResponse): PageReading {
  const error = `it answered ${status} to GET /v1/relays`;
  const seconds = headers["retry-after"];
  if (seconds === undefined || !/^\d{1,9}$/.test(seconds.trim())) return { kind: "failed", error, status };
  return { kind: "failed", error, status, retryAfterMs: Number(seconds) * 1_000 };
}

/** Sent back as it came, so only what a header can carry. */
function usableTag(etag: string | undefined): string | null {
  if (etag === undefined || etag.length > MAX_PEER_ETAG_CHARS) return null;
  return /^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag) ? etag : null;
}

function usableCursor(cursor: string | null): string | null {
  return cursor !== null && cursor.length <= MAX_PEER_CURSOR_CHARS ? cursor : null;
}
