/** A catalog in a few lines over node:http: answers what a test says, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface FakeCatalog extends AsyncDisposable {
  readonly base: string;
  readonly asked: readonly Asked[];
}

type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

export async function startFakeCatalog(answer: Answer): Promise<FakeCatalog> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    asked.push(one);
    await answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers everything with one JSON document. */
export function json(
  document: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: object } = {},
): Answer {
  return (_asked, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(document));
  };
}

/** Answers everything with one text of another kind. */
export function text(body: string, { status = 200, type = "text/html" } = {}): Answer {
  return (_asked, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
}

/** A record as the wire has it. */
export function record(id: string, more: object = {}): object {
  return {
    id,
    source: `https://${id}/.well-known/openmcp.json`,
    descriptor: { mcp: "/mcp", name: `Relay ${id}` },
    tools: [{ name: "ping", inputSchema: { type: "object" } }],
    server: null,
    verified: true,
    online: true,
    seenAt: "2026-11-01T00:00:00.000Z",
    firstSeenAt: "2026-11-01T00:00:00.000Z",
    failures: 0,
    lastError: null,
    via: null,
    ...more,
  };
}
