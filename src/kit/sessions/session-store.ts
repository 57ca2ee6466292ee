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
  /** Moves its end later, never sooner; false when there is none, or it was over at `now`. */
  touch(id: string, times: { readonly now: number; readonly expiresAt: number }): Promise<boolean>;
  /** Replaces the state if it is still of `version`, which it then counts up; false when it is not, or there is none. */
  write(id: string, change: { readonly state: JsonValue; readonly version: number }): Promise<boolean>;
  /**
   * Keeps what the client asked its session to remember, one thing under each `key`; null forgets it. False when there is no such
   * session. At most MAX_REMEMBERED things of one session: what is more is not kept.
   */
  remember(id: string, kept: { readonly key: string; readonly value: JsonObject | null }): Promise<boolean>;
  /** All that it remembers, in no promised order. */
  recall(id: string): Promise<readonly JsonObject[]>;
  /** Idempotent; true when there was one. */
  end(id: string): Promise<boolean>;
  /** Ends what is over at `now`, at most `limit` of them; how many. */
  prune(now: number, limit: number): Promise<number>;
  /** Ends what is more than `max`, of one user or of all, those that would be over soonest first; their ids. */
  trim(limit: { readonly max: number; readonly user?: string }): Promise<readonly string[]>;
  /** Idempotent. */
  close(): Promise<void>;
}
