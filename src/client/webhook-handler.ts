/**
 * A receiver of deliveries as one `fetch` handler, for any server that speaks Request and Response. It verifies, hands each
 * delivery on once, and answers what makes the catalog try again only where trying again helps.
 */
import { type DeliveryBody, isOpenMcpError, SIGNATURE_HEADER } from "../spec/index.ts";
import { MAX_DELIVERY_BYTES, REMEMBERED_DELIVERIES } from "./limits.ts";
import { readDelivery } from "./read-delivery.ts";

/** Which deliveries were dealt with already. Yours, when it has to outlive the process or be shared by several. */
export interface SeenDeliveries {
  has(id: string): boolean | Promise<boolean>;
  /** Called after `onDelivery` resolved. */
  add(id: string): void | Promise<void>;
}

export interface WebhookHandlerOptions {
  /** The subscription's secret; several while it is being changed. */
  readonly secret: string | readonly string[];
  /**
   * Deals with one delivery. When it rejects, the answer is 500 and the catalog tries again. An event that you do not know is
   * no error: there may be more of them one day, and `webhook.test` tells of nothing.
   */
  readonly onDelivery: (delivery: DeliveryBody) => void | Promise<void>;
  /** Deliveries come at least once; a second one of the same id is answered and not handed on. Default: the last 10,000, in memory. False: all are. */
  readonly seen?: SeenDeliveries | false;
  /** Milliseconds, as `readDelivery`. */
  readonly maxAgeMs?: number;
  /** Bytes of a body; default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Told why a request was refused, and what `onDelivery` rejected with. */
  readonly onError?: (error: unknown) => void;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
}

/**
 * @example
 * ```ts
 * import { webhookHandler } from "openmcp/client";
 *
 * export const handle = webhookHandler({
 *   secret: "the secret that was shown once",
 *   onDelivery({ event, relay }) {
 *     if (event === "relay.offline") console.log(`${relay?.id} is down`);
 *   },
 * });
 * ```
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const seen = options.seen === undefined ? rememberLast(REMEMBERED_DELIVERIES) : options.seen;
  const maxBytes = options.maxBodyBytes ?? MAX_DELIVERY_BYTES;
  /** Being dealt with: a second attempt waits for the first, and shares its end. */
  const underWay = new Map<string, Promise<Response>>();

  async function handOn(delivery: DeliveryBody): Promise<Response> {
    try {
      if (seen !== false && (await seen.has(delivery.id))) return answer(200, { ok: true, repeated: true });
      await options.onDelivery(delivery);
      if (seen !== false) await seen.add(delivery.id);
      return answer(200, { ok: true });
    } catch (error) {
      options.onError?.(error);
      return answer(500, { ok: false, error: "the delivery could not be dealt with; try again" });
    }
  }

  function once(delivery: DeliveryBody): Promise<Response> {
    if (seen === false) return handOn(delivery);
    const first = underWay.get(delivery.id);
    if (first !== undefined) return first.then((response) => response.clone());
    const handed = handOn(delivery).finally(() => underWay.delete(delivery.id));
    underWay.set(delivery.id, handed);
    return handed.then((response) => response.clone());
  }

  return async (request) => {
    if (request.method !== "POST")
      return answer(405, { ok: false, error: "deliveries are posted" }, { allow: "POST" });
    const body = await readBytes(request, maxBytes);
    if (body === null)
      return answer(413, { ok: false, error: `a delivery has at most ${maxBytes} bytes here` });
    try {
      const { secret, maxAgeMs, now } = options;
      const delivery = await readDelivery(body, {
        secret,
        signature: request.headers.get(SIGNATURE_HEADER),
        ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
        ...(now === undefined ? {} : { now: now() }),
      });
      return await once(delivery);
    } catch (error) {
      options.onError?.(error);
      if (!isOpenMcpError(error)) throw error;
      return answer(error.code === "unauthorized" ? 401 : 400, { ok: false, error: error.message });
    }
  };
}

/** Null when there are more than `most`; the rest is not read. */
async function readBytes(request: Request, most: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > most) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function rememberLast(most: number): SeenDeliveries {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size <= most) return;
      for (const oldest of ids) {
        ids.delete(oldest);
        return;
      }
    },
  };
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
