/** Real servers on loopback for the tests of net/: one that speaks HTTP, one that is a bare socket, both end with the test. */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createExchange, type NetworkPolicy, type OwnedExchange } from "../../src/net/index.ts";
import { type ExchangeLimits, type ExchangeResponse, OpenMcpError } from "../../src/spec/index.ts";

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Sockets accepted so far. */
  readonly accepted: number;
  /** Sockets open now. */
  readonly open: number;
  /** Resolves when `count` sockets have been closed in all. */
  closed(count: number): Promise<void>;
  /** Resolves when `count` sockets have been accepted in all. */
  connected(count: number): Promise<void>;
}

export const limits: ExchangeLimits = { timeoutMs: 10_000, maxBodyBytes: 1024 * 1024 };

/** An exchange that may call loopback, closed with the test. */
export function network(policy: Partial<NetworkPolicy> = {}): OwnedExchange {
  const owned = createExchange({ allowLoopback: true, allowNetworks: [], ...policy });
  onTestFinished(() => owned.close());
  return owned;
}

export async function serveHttp(listener: RequestListener, host = "127.0.0.1"): Promise<TestServer> {
  return watch(createHttpServer({ keepAliveTimeout: 60_000 }, listener), host);
}

export async function serveSocket(
  onSocket: (socket: Socket) => void,
  host = "127.0.0.1",
): Promise<TestServer> {
  return watch(createSocketServer(onSocket), host);
}

export async function watch(server: Server, host = "127.0.0.1", scheme = "http"): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let closed = 0;
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const check of waiting) check();
  };
  server.on("connection", (socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => {
      closed++;
      sockets.delete(socket);
      changed();
    });
    changed();
  });
  const reach = (done: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!done()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    closed: (count) => reach(() => closed >= count),
    connected: (count) => reach(() => accepted >= count),
  };
}

/** Reads a body to its end as text. */
export async function text(response: ExchangeResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The error that something fails with; fails the test when it does not. */
export async function failure(work: Promise<unknown>): Promise<OpenMcpError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OpenMcpError) return error;
    throw error;
  }
  throw new Error("expected a failure");
}
