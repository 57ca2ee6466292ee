/**
 * Notices between instances, as one stream (`XADD`, `XREAD`): unlike Redis's channels it keeps what was said, so that an instance
 * whose connection broke goes on where it was. It is told of a gap besides, for it may have been away for longer than notices are kept.
 */
import type { Clock, Logger } from "../../spec/index.ts";
import { createBusListeners } from "../sessions/bus-listeners.ts";
import type { BusEvent, EventBus } from "../sessions/event-bus.ts";
import { type RedisClient, script } from "./client.ts";
import {
  FIRST_RETRY_MS,
  KEEP_NOTICES_MS,
  LAST_RETRY_MS,
  MAX_NOTICES_AT_ONCE,
  WAIT_MARGIN_MS,
  WAIT_MS,
} from "./limits.ts";

/** The server's clock numbers notices, so it says which are old too; where nobody says anything, nothing is left. */
const say = script(`
local oldest = redis.call('TIME')[1] * 1000 - ARGV[2]
local id = redis.call('XADD', KEYS[1], 'MINID', '~', string.format('%.0f', oldest), '*', 'notice', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return id`);

export interface RedisBusOptions {
  readonly prefix: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A bus that listens: it resolves when it does. */
export async function createRedisEventBus(
  client: RedisClient,
  { prefix, clock, logger }: RedisBusOptions,
): Promise<EventBus> {
  const key = `${prefix}notices`;
  const listeners = createBusListeners<BusEvent>();
  const stop = new AbortController();
  let reader: RedisClient | null = null;
  const newest = (await client.sendCommand(["XREVRANGE", key, "+", "-", "COUNT", "1"])) as unknown[][];
  let last = String(newest[0]?.[0] ?? "0-0");

  /** A connection of its own: one that waits takes no other command. */
  async function connect(): Promise<RedisClient> {
    const own = client.duplicate();
    own.on("error", (error) => logger.debug({ err: error }, "the connection that listens broke"));
    reader = own;
    await own.connect();
    return own;
  }

  async function read(own: RedisClient): Promise<void> {
    const command = [
      "XREAD",
      "COUNT",
      String(MAX_NOTICES_AT_ONCE),
      "BLOCK",
      String(WAIT_MS),
      "STREAMS",
      key,
      last,
    ];
    const timer = new AbortController();
    const late = clock.sleep(WAIT_MS + WAIT_MARGIN_MS, timer.signal).then(() => {
      throw new Error("the connection that listens does not answer");
    });
    const reply = await Promise.race([own.sendCommand(command), late]).finally(() => timer.abort());
    for (const [id, [, text]] of entriesOf(reply)) {
      last = String(id);
      try {
        listeners.tell(JSON.parse(String(text)) as BusEvent);
      } catch (error) {
        logger.error({ err: error }, "a notice between instances was not read");
      }
    }
  }

  async function listen(): Promise<void> {
    let own: RedisClient | null = null;
    let wait = FIRST_RETRY_MS;
    let away = false;
    while (!stop.signal.aborted) {
      try {
        own ??= await connect();
        // After a loss what was missed is asked for at once, and there is no waiting for it.
        await read(own);
        if (away) listeners.tell({ kind: "bus_gap" });
        [away, wait] = [false, FIRST_RETRY_MS];
      } catch (error) {
        if (own !== null) end(own);
        own = null;
        if (stop.signal.aborted) return;
        away = true;
        logger.warn({ err: error }, "other instances are not heard; trying again");
        await clock.sleep(wait, stop.signal);
        wait = Math.min(wait * 2, LAST_RETRY_MS);
      }
    }
  }

  const listening = listen().catch(() => {});
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stop.abort();
      listeners.clear();
      if (reader !== null) end(reader);
      await listening;
    })();
    return closing;
  };

  return {
    async publish(event) {
      await say(client, [key], [JSON.stringify(event), KEEP_NOTICES_MS]);
    },
    subscribe: listeners.subscribe,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One that was ended already says so by an error. */
function end(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

type Entry = readonly [id: unknown, fields: readonly unknown[]];

/** The entries of the one stream that was asked for; null when there was none in time. RESP 2 gives lists, RESP 3 a map. */
function entriesOf(reply: unknown): readonly Entry[] {
  if (reply === null || reply === undefined) return [];
  const streams = Array.isArray(reply)
    ? reply.map((stream: unknown[]) => stream[1])
    : reply instanceof Map
      ? [...reply.values()]
      : Object.values(reply);
  return streams.flat(1) as Entry[];
}
