/**
 * A session as its server's author sees it: an id, and a state that is kept as long as it lives. State is JSON, read and replaced
 * whole, so that it may lie in a database and be changed by two instances at once without a change getting lost.
 */
import { type JsonValue, OpenMcpError } from "../../spec/index.ts";
import { MAX_STATE_ATTEMPTS, MAX_STATE_BYTES } from "../limits.ts";
import type { SessionStore } from "./session-store.ts";

export interface SessionState<State> {
  /** A copy. */
  get(): Promise<State>;
  /**
   * Puts what `change` gives in place of what it is given; it runs again when another change came first.
   * @throws OpenMcpError `too-large` for a state over MAX_STATE_BYTES, `not-found` when the session has ended.
   */
  update(change: (state: State) => State): Promise<State>;
}

export interface Session<State = unknown> {
  readonly id: string;
  readonly state: SessionState<State>;
}

/** A new session's state, as its author says. */
export function stateOf(options: { readonly state?: () => unknown } | false | undefined): () => JsonValue {
  return () => (options === false || options?.state === undefined ? null : (options.state() as JsonValue));
}

export function createSession<State>(
  id: string,
  { store, now }: { readonly store: SessionStore; readonly now: () => number },
): Session<State> {
  async function read() {
    const record = await store.read(id, now());
    if (record === null) throw new OpenMcpError("not-found", "the session has ended");
    return record;
  }
  return {
    id,
    state: {
      get: async () => (await read()).state as State,
      async update(change) {
        for (let attempt = 0; attempt < MAX_STATE_ATTEMPTS; attempt += 1) {
          const { state, version } = await read();
          const next = change(state as State) as JsonValue;
          const text = JSON.stringify(next) ?? "null";
          if (text.length > MAX_STATE_BYTES) {
            throw new OpenMcpError("too-large", `a session's state has at most ${MAX_STATE_BYTES} bytes`);
          }
          if (await store.write(id, { state: JSON.parse(text) as JsonValue, version })) return next as State;
        }
        throw new OpenMcpError("conflict", "others change this session's state all the time");
      },
    },
  };
}
