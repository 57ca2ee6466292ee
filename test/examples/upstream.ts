/** A weather API's local stand-in: it knows one key, and keeps what it was asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const KEY = "key-f00d-that-nobody-may-see";

export interface Upstream extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly string[];
  /** What it answers from now on; null: the weather. */
  answer: { readonly status: number; readonly body: string; readonly location?: string } | null;
}

export async function startUpstream(): Promise<Upstream> {
  const asked: string[] = [];
  const upstream: Pick<Upstream, "answer"> = { answer: null };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { answer } = upstream;
    if (request.headers["x-api-key"] !== KEY)
      response.writeHead(401).end(`no such key: ${request.headers["x-api-key"]}`);
    else if (answer !== null) {
      response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location });
      response.end(answer.body);
    } else response.end(JSON.stringify({ temp: 21.5, humidity: 40, wind_speed: 3, more: KEY }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/weather`;
  return Object.assign(upstream, {
    url,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
