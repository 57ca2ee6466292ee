/** A receiver of deliveries on loopback, scripted by the test; it keeps what it was sent, and lets tests wait for it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verifySignature } from "../../src/client/index.ts";
import type { DeliveryBody } from "../../src/spec/index.ts";

export interface Received {
  readonly path: string;
  readonly event: string;
  readonly delivery: string;
  readonly signature: string;
  readonly raw: string;
  readonly body: DeliveryBody;
  readonly headers: IncomingMessage["headers"];
}

export type Answer =
  | number
  | { readonly status: number; readonly headers?: Record<string, string> }
  | "never";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly all: readonly Received[];
  /** Of one path, in the order of arrival. */
  at(path: string): readonly Received[];
  /** What is answered from now on; `never` holds the request open. Default 204. */
  answers(script: (received: Received) => Answer | Promise<Answer>): void;
  /** Resolves when at least so many have come; with `path`, to it. */
  received(count: number, path?: string): Promise<void>;
  verified(received: Received, secret: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  let script: (received: Received) => Answer | Promise<Answer> = () => 204;
  let watchers: { readonly met: () => boolean; readonly resolve: () => void }[] = [];
  const at = (path: string) => all.filter((received) => received.path === path);

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    const header = (name: string) => String(request.headers[name] ?? "");
    const received: Received = {
      path: request.url ?? "",
      event: header("x-openmcp-event"),
      delivery: header("x-openmcp-delivery"),
      signature: header("x-openmcp-signature"),
      raw,
      body: JSON.parse(raw) as DeliveryBody,
      headers: request.headers,
    };
    all.push(received);
    const met = watchers.filter((watcher) => watcher.met());
    watchers = watchers.filter((watcher) => !met.includes(watcher));
    for (const { resolve } of met) resolve();
    const answer = await script(received);
    if (answer === "never") return;
    const { status, headers = {} } = typeof answer === "number" ? { status: answer } : answer;
    response.writeHead(status, headers).end();
  }

  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all,
    at,
    answers(next) {
      script = next;
    },
    received(count, path) {
      const met = () => (path === undefined ? all : at(path)).length >= count;
      return met() ? Promise.resolve() : new Promise((resolve) => watchers.push({ met, resolve }));
    },
    verified: ({ raw, signature }, secret) => verifySignature(secret, raw, signature),
    close,
    [Symbol.asyncDispose]: close,
  };
}
