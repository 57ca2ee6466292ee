/**
 * The connections of one exchange: one undici `Client` (one socket, HTTP/1.1, no pipelining) for each request in
 * flight, kept for a few seconds afterwards. Written instead of undici's `Agent` because an Agent bounds neither the
 * sockets nor the clients over many origins, walks all origins whenever one disconnects, and can't take back a
 * request that still waits for its connection; here, ending an exchange is closing its own socket. HTTP/2 is not spoken: a look is a handful of requests.
 */
import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Dial } from "./connector.ts";
import {
  keepAliveMarginMs,
  keepAliveMs,
  maxConnectionsPerOrigin,
  maxHeaderBytes,
  maxIdleConnections,
} from "./limits.ts";

/** Someone who waits for a connection. */
export interface ConnectionUser {
  /** True: a connection that was used before will not do. */
  readonly fresh: boolean;
  /** Called once, perhaps at once, with a connection that is this user's alone until given back or discarded. */
  use(connection: Connection): void;
}

/** One socket to one origin, or the attempt at one. */
export interface Connection {
  /** Exchanges that went over it before this one. */
  readonly uses: number;
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** The answer was read to its end: the next exchange may have it. */
  release(): void;
  /** Closes the socket, also one that is still connecting. Idempotent. */
  discard(): void;
}

export interface Connections {
  /** Hands `user` an idle or a new connection to `origin`, or queues it while the origin has too many. */
  acquire(origin: string, user: ConnectionUser): void;
  /** Takes a user out of the queue again. */
  forget(origin: string, user: ConnectionUser): void;
  /** Sockets open or opening, in use and idle: for tests and metrics. */
  count(): { readonly open: number; readonly idle: number };
  /** Closes all sockets, the ones in use too. Resolves when they are closed. Idempotent. */
  close(): Promise<void>;
}

interface Origin {
  readonly idle: PooledConnection[];
  readonly waiting: ConnectionUser[];
  open: number;
}

const clientOptions = {
  allowH2: false,
  pipelining: 1,
  // One timer covers the whole exchange; undici's own would only be three more.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: keepAliveMs,
  keepAliveMaxTimeout: keepAliveMs,
  keepAliveTimeoutThreshold: keepAliveMarginMs,
  maxHeaderSize: maxHeaderBytes,
} as const satisfies Client.Options;

/** One for all: undici would make an error, with the stack's text, for each connection that ends. Nobody is shown it. */
const GIVEN_UP = new Error("the connection was given up");

export function createConnections(dial: Dial): Connections {
  const origins = new Map<string, Origin>();
  const all = new Set<PooledConnection>();
  /** In the order in which they became idle: a Set keeps insertion order and forgets in constant time. */
  const idle = new Set<PooledConnection>();
  const closing = new Set<Promise<unknown>>();

  const pool: Pool = {
    dial,
    becameIdle(connection) {
      const origin = origins.get(connection.origin);
      const next = origin?.waiting[0];
      if (origin === undefined || next?.fresh === true) {
        connection.discard();
        return;
      }
      if (next !== undefined) {
        origin.waiting.shift();
        connection.lend(next);
        return;
      }
      idle.add(connection);
      origin.idle.push(connection);
      if (idle.size <= maxIdleConnections) return;
      for (const oldest of idle) {
        oldest.discard();
        break;
      }
    },
    ended(connection, closed) {
      all.delete(connection);
      closing.add(closed);
      closed.finally(() => closing.delete(closed));
      const origin = origins.get(connection.origin);
      if (origin === undefined) return;
      if (idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1);
      origin.open -= 1;
      const next = origin.waiting.shift();
      if (next !== undefined) open(connection.origin, origin).lend(next);
      else if (origin.open === 0) origins.delete(connection.origin);
    },
  };

  function open(name: string, origin: Origin): PooledConnection {
    const connection = new PooledConnection(name, pool);
    all.add(connection);
    origin.open += 1;
    return connection;
  }

  return {
    acquire(name, user) {
      let origin = origins.get(name);
      if (origin === undefined) {
        origin = { idle: [], waiting: [], open: 0 };
        origins.set(name, origin);
      }
      if (!user.fresh) {
        const connection = origin.idle.pop();
        if (connection !== undefined) {
          idle.delete(connection);
          connection.lend(user);
          return;
        }
      }
      if (origin.open < maxConnectionsPerOrigin) open(name, origin).lend(user);
      else origin.waiting.push(user);
    },
    forget(name, user) {
      const waiting = origins.get(name)?.waiting ?? [];
      const at = waiting.indexOf(user);
      if (at !== -1) waiting.splice(at, 1);
    },
    count: () => ({ open: all.size, idle: idle.size }),
    async close() {
      for (const origin of origins.values()) origin.waiting.length = 0;
      for (const connection of all) connection.discard();
      await Promise.all(closing);
    },
  };
}

interface Pool {
  readonly dial: Dial;
  becameIdle(connection: PooledConnection): void;
  ended(connection: PooledConnection, closed: Promise<unknown>): void;
}

class PooledConnection implements Connection {
  readonly origin: string;
  uses = 0;
  readonly #pool: Pool;
  readonly #client: Client;
  #socket: Socket | undefined;
  #lent = false;
  #ended = false;

  constructor(origin: string, pool: Pool) {
    this.origin = origin;
    this.#pool = pool;
    this.#client = new Client(origin, {
      ...clientOptions,
      connect: (options, callback) => {
        this.#socket = pool.dial(options, callback);
      },
    });
    // An idle socket that closed (keep-alive over, server gone) ends the connection; one in use is its user's to judge.
    this.#client.on("disconnect", () => {
      if (!this.#lent) this.discard();
    });
  }

  lend(user: ConnectionUser): void {
    this.#lent = true;
    user.use(this);
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  release(): void {
    if (this.#ended || !this.#lent) return;
    this.uses += 1;
    this.#lent = false;
    this.#pool.becameIdle(this);
  }

  discard(): void {
    if (this.#ended) return;
    this.#ended = true;
    const connecting = this.#socket;
    const closed = this.#client.destroy(GIVEN_UP).then(() => {
      // Undici leaves a socket that is still connecting to its connector.
      if (connecting !== undefined && !connecting.closed) {
        return new Promise<void>((resolve) => {
          connecting.once("close", () => resolve());
          connecting.destroy();
        });
      }
      return undefined;
    });
    this.#pool.ended(this, closed);
  }
}
