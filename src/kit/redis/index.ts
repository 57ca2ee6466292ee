/**
 * What instances of one relay share, in Redis (6.2 or newer, one server or one behind Sentinel): sessions, the bus, and what was
 * streamed. `redis` is yours: hand in a client of it, or a URL and have it installed.
 */
import type { EventStore } from "@modelcontextprotocol/server";
import { type Clock, type Logger, OpenMcpError, silentLogger } from "../../spec/index.ts";
import type { EventBus } from "../sessions/event-bus.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { systemClock } from "../system-clock.ts";
import type { RedisClient } from "./client.ts";
import { createRedisEventBus } from "./event-bus.ts";
import { createRedisEventStore } from "./event-store.ts";
import { createRedisSessionStore } from "./session-store.ts";

export type { RedisClient } from "./client.ts";

export interface RedisOptions {
  /** A client of `redis`, which stays yours and is not closed, or a URL. A second connection is made of it, to listen. */
  readonly client: RedisClient | string;
  /** What all keys begin with. Default `openmcp:kit:`. */
  readonly prefix?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface RedisShared extends AsyncDisposable {
  /** For `sessions.store`. */
  readonly store: SessionStore;
  /** For `bus`. */
  readonly bus: EventBus;
  /** For `sessions.eventStore`, where clients should be able to take up a stream that broke. */
  readonly eventStore: (session: string) => EventStore;
  /** Idempotent; after the relay's own `close()`. */
  close(): Promise<void>;
}

/**
 * Opens it, and listens.
 * @throws OpenMcpError `unavailable` where `redis` is not installed, and whatever the server says.
 * @example
 * ```ts
 * const shared = await openRedis({ client: process.env.REDIS_URL ?? "redis://localhost:6379" });
 * await server("greet", "1.0.0", { bus: shared.bus, sessions: { store: shared.store } })
 *   .tool("greet", {}, () => "Hello!")
 *   .listen(8080);
 * ```
 */
export async function openRedis(options: RedisOptions): Promise<RedisShared> {
  const { prefix = "openmcp:kit:", logger = silentLogger, clock = systemClock } = options;
  const own = typeof options.client === "string" ? await createOwn(options.client, logger) : null;
  const client = own ?? (options.client as RedisClient);
  let bus: EventBus;
  try {
    if (!client.isOpen) await client.connect();
    bus = await createRedisEventBus(client, { prefix, clock, logger });
  } catch (error) {
    if (own?.isOpen) own.destroy();
    throw error;
  }
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await bus.close();
      if (own?.isOpen) own.destroy();
    })();
    return closing;
  };
  return {
    store: createRedisSessionStore(client, { prefix, close: async () => {} }),
    bus,
    eventStore: (session) => createRedisEventStore(client, { prefix, session }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function createOwn(url: string, logger: Logger): Promise<RedisClient> {
  const { createClient } = await import("redis").catch((cause: unknown) => {
    throw new OpenMcpError("unavailable", "the package redis is not installed: npm install redis", {
      data: { part: "redis", reason: "missing" },
      cause,
    });
  });
  const client = createClient({ url });
  // Without a listener a connection that breaks ends the process; the client connects again by itself.
  client.on("error", (error: Error) => logger.warn({ err: error }, "a connection to Redis broke"));
  return client as unknown as RedisClient;
}
