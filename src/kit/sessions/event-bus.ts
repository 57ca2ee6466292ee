/**
 * What instances of one server tell each other: that a list changed, that a resource did. In memory here; an adapter over a
 * database's channels tells other processes too. Delivery is at most once and in no promised order: who was not there reads again.
 * Every adapter passes the cases of suite.ts.
 */
import type { JsonObject } from "../../spec/index.ts";
import { createBusListeners } from "./bus-listeners.ts";

/** A change that clients may want to hear of; the SDK's own events, as JSON. */
export type ChangeEvent =
  | { readonly kind: "tools_list_changed" | "prompts_list_changed" | "resources_list_changed" }
  | { readonly kind: "resource_updated"; readonly uri: string };

/** What an adapter says when it was away: something that was published meanwhile may be lost, so read again. */
export interface BusGap {
  readonly kind: "bus_gap";
}

/** What is published: JSON that an adapter may carry as it is. */
export type BusEvent = ChangeEvent | BusGap | ({ readonly kind: string } & JsonObject);

export interface EventBus extends AsyncDisposable {
  /** Resolves when it is on its way; every listener hears of it, those of this process too. */
  publish(event: BusEvent): Promise<void>;
  /** Resolves when the listener hears; what it gives ends that, any number of times. A listener that throws disturbs no other. */
  subscribe(listener: (event: BusEvent) => void): Promise<() => void>;
  /** Idempotent; nothing is heard afterwards. */
  close(): Promise<void>;
}

export function createMemoryEventBus(): EventBus {
  const listeners = createBusListeners<BusEvent>();
  const close = async (): Promise<void> => listeners.clear();
  return {
    async publish(event) {
      listeners.tell(event);
    },
    subscribe: listeners.subscribe,
    close,
    [Symbol.asyncDispose]: close,
  };
}
