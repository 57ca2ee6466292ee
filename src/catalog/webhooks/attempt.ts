/**
 * One attempt at a delivery: `postDelivery` asks, the pure `judgeReceipt` says what the answer means and `nextAttempt` what
 * comes then. Redirects are not followed: who answers has to be who subscribed.
 */
import { type Exchange, isOpenMcpError, type OpenMcpError } from "../../spec/index.ts";
import {
  ATTEMPT_JITTER,
  ATTEMPT_PAUSES_MS,
  DELIVERY_TIMEOUT_MS,
  MAX_ATTEMPT_PAUSE_MS,
  MAX_ATTEMPTS,
  MAX_RECEIPT_BYTES,
  RECEIPT_IDLE_MS,
} from "./limits.ts";

export interface DeliveryPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

/** What came back: an answer's head, or why there was none. */
export type Receipt =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly error: OpenMcpError };

/** `untried`: this machine could not, or the attempt was broken off here; it says nothing of the receiver. */
export type Judgement =
  | { readonly outcome: "arrived"; readonly status: number }
  | {
      readonly outcome: "failed";
      readonly status: number | null;
      /** A sentence. */
      readonly error: string;
      /** What the receiver asked for. */
      readonly waitMs: number;
    }
  | { readonly outcome: "untried" };

/** Never rejects for what the network or the receiver did. */
export async function postDelivery(exchange: Exchange, post: DeliveryPost): Promise<Receipt> {
  try {
    const response = await exchange(
      { method: "POST", ...post },
      {
        timeoutMs: DELIVERY_TIMEOUT_MS,
        idleMs: RECEIPT_IDLE_MS,
        maxBodyBytes: MAX_RECEIPT_BYTES,
        maxRedirects: 0,
      },
    );
    const receipt = { status: response.status, retryAfter: response.headers["retry-after"] ?? null };
    await readToEnd(response.body);
    return receipt;
  } catch (error) {
    if (isOpenMcpError(error)) return { error };
    throw error;
  }
}

/** The status has said it all; the rest is read so that the connection serves the next delivery. */
async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch {
    // Too long, too slow or broken off: then the connection is not used again.
  }
}

/** `now`: milliseconds since the epoch, for a `Retry-After` that is a date (RFC 9110 section 10.2.3). */
export function judgeReceipt(receipt: Receipt, now: number): Judgement {
  if ("error" in receipt) {
    const { code, message } = receipt.error;
    if (code === "aborted" || code === "unavailable") return { outcome: "untried" };
    return { outcome: "failed", status: null, error: message, waitMs: 0 };
  }
  const { status, retryAfter } = receipt;
  if (status >= 200 && status < 300) return { outcome: "arrived", status };
  const more = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
  return {
    outcome: "failed",
    status,
    error: `the receiver answered ${status}${more}`,
    waitMs: retryAfterMs(retryAfter, now),
  };
}

/**
 * Milliseconds until the next attempt; null when `attempts`, those so far, are all there are.
 * @param random from 0 to 1
 */
export function nextAttempt(
  attempts: number,
  { waitMs, random }: { readonly waitMs: number; readonly random: number },
): number | null {
  const pause = ATTEMPT_PAUSES_MS[attempts - 1];
  if (pause === undefined || attempts >= MAX_ATTEMPTS) return null;
  const jittered = Math.round(pause * (1 + ATTEMPT_JITTER * (2 * random - 1)));
  return Math.min(Math.max(jittered, waitMs), MAX_ATTEMPT_PAUSE_MS);
}

function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
