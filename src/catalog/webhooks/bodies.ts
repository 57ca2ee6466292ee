/**
 * The bodies of deliveries, as bytes: everything but the id is made once for a change and shared by all who are told of it.
 * The last ones stay in memory; what was pushed out is read again.
 */
import { createHmac } from "node:crypto";
import { OpenMcpError } from "../../spec/index.ts";
import type { DueDelivery, WebhookStore } from "../../store/index.ts";
import { MAX_BODIES_BYTES } from "./limits.ts";

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

interface Kept {
  readonly tail: Promise<Buffer | null>;
  /** Bytes; 0 while it is being read. */
  size: number;
}

export function createBodies(store: Pick<WebhookStore, "body">, catalog: string): Bodies {
  /** By change, the one used last at the end; those who ask at the same time wait for one reading. */
  const all = new Map<number, Kept>();
  let held = 0;

  function tailOf(delivery: DueDelivery): Promise<Buffer | null> {
    const { change } = delivery;
    if (change === null) return Promise.resolve(tail(delivery, "null"));
    const kept = all.get(change) ?? begin(change, delivery);
    all.delete(change);
    all.set(change, kept);
    return kept.tail;
  }

  function begin(change: number, delivery: DueDelivery): Kept {
    const kept: Kept = { tail: read(change, delivery), size: 0 };
    kept.tail.then(
      (bytes) => {
        // Pushed out while it was read, it counts no more: another may have its place.
        if (all.get(change) !== kept) return;
        kept.size = bytes?.length ?? 0;
        held += kept.size;
        makeRoom(change);
      },
      () => {
        if (all.get(change) === kept) all.delete(change);
      },
    );
    return kept;
  }

  async function read(change: number, delivery: DueDelivery): Promise<Buffer | null> {
    const relay = await store.body(change);
    return relay === null ? null : tail(delivery, relay.text);
  }

  function makeRoom(newest: number): void {
    for (const [change, { size }] of all) {
      if (held <= MAX_BODIES_BYTES || change === newest) return;
      all.delete(change);
      held -= size;
    }
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
