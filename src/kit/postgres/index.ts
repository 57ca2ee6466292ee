/**
 * What instances of one relay share, in PostgreSQL (14 or newer): sessions, the bus, and what was streamed. `pg` is yours: hand in a
 * pool of it, or a connection string and have it installed.
 */
import type { EventStore } from "@modelcontextprotocol/server";
import { type Clock, type Logger, OpenMcpError, silentLogger } from "../../spec/index.ts";
import type { EventBus } from "../sessions/event-bus.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { systemClock } from "../system-clock.ts";
import type { PostgresPool } from "./client.ts";
import { createPostgresEventBus } from "./event-bus.ts";
import { createPostgresEventStore } from "./event-store.ts";
import { MAX_CONNECTIONS } from "./limits.ts";
import { migrate } from "./migrate.ts";
import { createPostgresSessionStore } from "./session-store.ts";

export type { PostgresConnection, PostgresPool, PostgresResult } from "./client.ts";

export interface PostgresOptions {
  /** A pool of `pg`, which stays yours and is not closed, or a connection string. One of its connections listens all the time. */
  readonly client: PostgresPool | string;
  /** Where the tables are, made when they are missing; lower-case letters, digits and `_`. Default `openmcp_kit`. */
  readonly schema?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface PostgresShared extends AsyncDisposable {
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
 * Opens it, makes or brings up to date its tables, and listens.
 * @throws OpenMcpError `schema-too-new`, `invalid-input`, and whatever the database says.
 * @example
 * ```ts
 * const shared = await openPostgres({ client: process.env.DATABASE_URL ?? "postgres://localhost/relay" });
 * await server("greet", "1.0.0", { bus: shared.bus, sessions: { store: shared.store } })
 *   .tool("greet", {}, () => "Hello!")
 *   .listen(8080);
 * ```
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresShared> {
  const { schema = "openmcp_kit", logger = silentLogger, clock = systemClock } = options;
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {
    const message =
      "a schema's name has lower-case letters, digits and _, at most 48, and begins with no digit";
    throw new OpenMcpError("invalid-input", message, { data: { field: "schema" } });
  }
  const own = typeof options.client === "string" ? await createPool(options.client, logger) : null;
  const pool = own ?? (options.client as PostgresPool);
  let bus: EventBus;
  try {
    await migrate(pool, schema);
    bus = await createPostgresEventBus(pool, { schema, clock, logger });
  } catch (error) {
    await own?.end();
    throw error;
  }
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await bus.close();
      await own?.end();
    })();
    return closing;
  };
  return {
    store: createPostgresSessionStore(pool, { schema, close: async () => {} }),
    bus,
    eventStore: (session) => createPostgresEventStore(pool, { schema, session }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws OpenMcpError `unavailable` where `pg` is not installed. */
async function createPool(
  connectionString: string,
  logger: Logger,
): Promise<PostgresPool & { end(): Promise<void> }> {
  const { Pool } = await import("pg").then(
    // `pg` is CommonJS, and newer ones are both.
    (module) => (module.Pool === undefined ? module.default : module),
    (cause: unknown) => {
      throw new OpenMcpError("unavailable", "the package pg is not installed: npm install pg", {
        data: { part: "pg", reason: "missing" },
        cause,
      });
    },
  );
  const pool = new Pool({ connectionString, max: MAX_CONNECTIONS, application_name: "openmcp" });
  // Without a listener a connection that breaks while idle ends the process.
  pool.on("error", (error: Error) => logger.warn({ err: error }, "an idle connection broke"));
  return pool as never;
}
