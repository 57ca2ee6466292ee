/** What the sessions of the legacy era are made of. Types only. */
import type { EventStore } from "@modelcontextprotocol/server";
import type { Clock, JsonValue, Logger } from "../../spec/index.ts";
import type { Scope } from "../call-scope.ts";
import type { BuiltServer } from "../sdk-internals.ts";
import type { Teller } from "../subscriptions.ts";
import type { Viewer, Visibility, WantedTools } from "../visibility.ts";
import type { EventBus } from "./event-bus.ts";
import type { SessionStore } from "./session-store.ts";

/** How much of sessions there may be. */
export interface SessionLimits {
  /** Milliseconds without a request and without an open stream. */
  readonly ttlMs: number;
  /** In this process. */
  readonly max: number;
  /** In a store that is shared. */
  readonly maxShared: number;
  readonly maxOfUser: number;
}

/** A request of the legacy era, read. */
export interface LegacyRequest {
  readonly request: Request;
  /** As `authenticate` judged it. */
  readonly viewer: Viewer<unknown>;
  /** Null where there are no users. */
  readonly userId: string | null;
  /** Undefined for GET and DELETE. */
  readonly body: JsonValue | undefined;
  readonly wanted: WantedTools;
}

/** A server made for a session, not connected yet. */
export interface SessionServer {
  readonly server: BuiltServer;
  readonly visibility: Visibility<unknown>;
  readonly tell: Teller;
}

export interface LegacySessionsOptions {
  readonly store: SessionStore;
  /** What instances that share the store tell each other by; null where this process is the only one. */
  readonly shared: { readonly bus: EventBus; readonly instance: string } | null;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly limits: SessionLimits;
  readonly logger: Logger;
  readonly initialState: () => JsonValue;
  readonly build: (scope: Scope) => Promise<SessionServer>;
  readonly keepAliveMs: number | undefined;
  readonly eventStore: ((session: string) => EventStore) | undefined;
  /** Answer calls with plain JSON instead of a stream. */
  readonly jsonResponses: boolean;
}
