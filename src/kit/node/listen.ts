/** A relay's own socket on Node: its limits, and a stop that drains. Knows no route. Node's HTTP is loaded with the first socket. */
import type { AddressInfo } from "node:net";
import { type Logger, OpenMcpError } from "../../spec/index.ts";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  LAST_WORDS_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
} from "../limits.ts";
import type { Listening, ListenOptions } from "../options.ts";

export interface Listened {
  readonly fetch: (request: Request, options: object) => Promise<Response>;
  /** The endpoint's path. */
  readonly path: string;
  readonly drainMs: number;
  /** Ends what the relay does, calls first. */
  readonly close: () => Promise<void>;
  readonly logger: Logger;
}

/** @throws OpenMcpError `unavailable` when the address can't be bound. */
export async function listen(
  { port = 0, host = "127.0.0.1" }: ListenOptions,
  { fetch, path, drainMs, close: closeKit, logger }: Listened,
): Promise<Listening> {
  const [{ createServer }, { getRequestListener }] = await Promise.all([
    import("node:http"),
    import("@hono/node-server"),
  ]);
  const listener = getRequestListener((request) => fetch(request, {}), { hostname: host });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(unbound(error, `${host} port ${port}`)));
    server.listen(port, host, resolve);
  });
  server.on("error", (error) => logger.error({ err: error }, "the listening socket failed"));
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  const origin = `http://${name}:${bound.port}`;

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      await closeKit();
      server.closeIdleConnections();
      // What still hangs after the drain is not waited for.
      const cut = setTimeout(() => server.closeAllConnections(), Math.min(drainMs, LAST_WORDS_MS));
      await closed;
      clearTimeout(cut);
    })();
    return closing;
  };
  return { origin, url: `${origin}${path}`, port: bound.port, close, [Symbol.asyncDispose]: close };
}

function unbound(error: NodeJS.ErrnoException, where: string): OpenMcpError {
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `${where} is in use`,
    EACCES: `${where} is not allowed to this user`,
    EADDRNOTAVAIL: `${where} is not an address of this machine`,
  };
  const message = known[error.code ?? ""] ?? `${where} can't be bound: ${error.message}`;
  return new OpenMcpError("unavailable", message, {
    data: { part: "listener", reason: error.code ?? "unknown" },
    cause: error,
  });
}
