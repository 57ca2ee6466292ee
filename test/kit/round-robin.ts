/** What stands before several instances: each request goes to the next one, whatever it is. */
import { createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  /** Which backend got which message: `POST tools/call 0`, `POST answer 1`, `GET 0`. */
  readonly log: readonly string[];
  /** The backends that are left. */
  use(urls: readonly string[]): void;
}

export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let backends = urls;
  let turn = 0;
  const log: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await read(incoming);
    const index = turn++ % backends.length;
    const target = new URL(backends[index] as string);
    log.push(`${incoming.method}${nameOf(body)} ${index}`);
    const onward = forward(
      {
        host: target.hostname,
        port: target.port,
        path: target.pathname,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.once("error", () => outgoing.destroy());
      },
    );
    onward.once("error", () => outgoing.destroy());
    outgoing.once("close", () => onward.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    log,
    use(left) {
      backends = left;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function nameOf(body: Buffer): string {
  if (body.length === 0) return "";
  const { method } = JSON.parse(body.toString()) as { readonly method?: string };
  return ` ${method ?? "answer"}`;
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
