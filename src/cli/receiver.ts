/** A socket on this machine that answers with one fetch handler. Knows nothing of what comes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { OpenMcpError } from "../spec/index.ts";

export interface LocalReceiver extends AsyncDisposable {
  /** `http://address:port/` as bound. */
  readonly url: string;
  /** Answers from now on; what came earlier waited. */
  serve(handler: (request: Request) => Promise<Response>): void;
}

/** @throws OpenMcpError `unavailable` when the address can't be bound. */
export async function openReceiver({
  host,
  port,
}: {
  readonly host: string;
  /** 0: any. */
  readonly port: number;
}): Promise<LocalReceiver> {
  const handler = Promise.withResolvers<(request: Request) => Promise<Response>>();
  const answer = getRequestListener(async (request) => (await handler.promise)(request), { hostname: host });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new OpenMcpError(
          "unavailable",
          `${host} port ${port} can't be listened on (${cause.code}): give another with --port`,
          {
            cause,
          },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}/`,
    serve: handler.resolve,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
