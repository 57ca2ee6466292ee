/**
 * Where legacy sessions are kept, as a small interface: in memory here, in a database where several instances share them. The store
 * keeps facts and no sockets; who holds which stream is each instance's own. Every adapter passes the cases of suite.ts.
 */
import type { JsonObject, JsonValue } from "../../spec/index.ts";

/** All that another instance needs to go on with a session. */
export interface SessionRecord {
  readonly id: string;
  /** The id of the user that opened it; null where there are no users. */
  readonly user: string | null;
  /** The `initialize` request as it came: capabilities, the client's name, the revision it asked for. */
  readonly initialize: JsonObject;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** It is over from then on. */
  readonly expiresAt: number;
  readonly state: JsonValue;
  /** Counts the writes of `state`. */
  readonly version: number;
}

export interface SessionStore extends AsyncDisposable {
  /** @throws when there is one with this id. */
  open(record: SessionRecord): Promise<void>;
  /** Null when there is none, or it is over at `now`. */
  read(id: string, now: number): Promise<SessionRecord | null>;
  /** Moves its end; false when there is none, or it was over at `now`. */
  touch(id: string, times: { readonly now: number; readonly expiresAt: number }): Promise<boolean>;
  /** Replaces the state if it is still of `version`, which it then counts up; false when it is not, or there is none. */
  write(id: string, change: { readonly state: JsonValue; readonly version: number }): Promise<boolean>;
  /** Idempotent; true when there was one. */
  end(id: string): Promise<boolean>;
  /** Ends what is over at `now`, at most `limit` of them; how many. */
  prune(now: number, limit: number): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}
