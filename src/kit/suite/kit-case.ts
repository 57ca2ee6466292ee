/** A case of the suites: for any test framework, it rejects when the adapter is wrong. */
import type { EventBus } from "../sessions/event-bus.ts";
import type { SessionStore } from "../sessions/session-store.ts";

export interface SessionStoreCase {
  readonly name: string;
  /** Gets an empty store. */
  run(store: SessionStore): Promise<void>;
}

export interface EventBusCase {
  readonly name: string;
  /** Gets two ends of one bus; where it is in memory, they are the same. */
  run(one: EventBus, other: EventBus): Promise<void>;
}
