/**
 * The bodies of deliveries, as bytes: everything but the id is made once for a change and shared by all who are told of it.
 * The last ones stay in memory; what was pushed out is read again.
 */
import { createHmac } from "node:crypto";
import { OpenMcpError } from "../../spec/index.ts";
import type { DueDelivery, WebhookStore } from "../../store/index.ts";
import { MAX_BODIES_CHARS } from "../limits.ts";

export interface Bodies {
  /**
   * The body of a delivery and its signature (spec/webhook-signature.ts has the form, and checks it).
   * Null when its change is no longer kept.
   */
  signed(
    delivery: DueDelivery,
    secret: string,
  ): Promise<{ readonly body: Uint8Array; readonly signature: string } | null>;
}

export function createBodies(store: Pick<WebhookStore, "body">, catalog: string): Bodies {
  /** By change, the one used last at the end. */
  const tails = new Map<number, Buffer>();
  let held = 0;

  async function tailOf(delivery: DueDelivery): Promise<Buffer | null> {
    const { change } = delivery;
    if (change === null) return tail(delivery, "null");
    const known = tails.get(change);
    if (known !== undefined) {
      tails.delete(change);
      tails.set(change, known);
      return known;
    }
    const relay = await store.body(change);
    if (relay === null) return null;
    const made = tail(delivery, relay.text);
    tails.set(change, made);
    held += made.length;
    for (const [oldest, bytes] of tails) {
      if (held <= MAX_BODIES_CHARS || oldest === change) break;
      tails.delete(oldest);
      held -= bytes.length;
    }
    return made;
  }

  function tail({ event, at }: DueDelivery, relay: string): Buffer {
    return Buffer.from(`${JSON.stringify({ event, at, catalog }).slice(1, -1)},"relay":${relay}}`);
  }

  return {
    async signed(delivery, secret) {
      if (secret === "") throw new OpenMcpError("internal", "a subscription has an empty secret");
      const rest = await tailOf(delivery);
      if (rest === null) return null;
      const body = Buffer.concat([Buffer.from(`{"id":${JSON.stringify(delivery.id)},`), rest]);
      // Node's own HMAC, in place of WebCrypto's that goes to a thread and back: a burst signs thousands a second.
      return { body, signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
    },
  };
}
