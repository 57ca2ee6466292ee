/**
 * As much of the official `redis` client is used as is written down here: commands as they are, and a connection of one's own to wait
 * on. Whoever hands a client in needs no types of ours, and whoever has no Redis needs no `redis`.
 */

/** A client of `createClient()`. */
export interface RedisClient {
  readonly isOpen: boolean;
  sendCommand(command: string[]): Promise<unknown>;
  /** The same, not connected. */
  duplicate(): RedisClient;
  connect(): Promise<unknown>;
  /** Ends the connection; what waits on it rejects. */
  destroy(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Runs a script: many commands, nothing in between. */
export function script(source: string) {
  return (
    client: RedisClient,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> =>
    client.sendCommand(["EVAL", source, String(keys.length), ...keys, ...values.map(String)]);
}
