/** A web server for the tests of discovery: what is served at each path, and what was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SERVER_CARD_SCHEMA } from "../../src/spec/index.ts";

/** JSON, a text with its headers, or by hand. */
export type Served =
  | object
  | string
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
  /** Paths that were asked, sorted, each as often as it was. */
  paths(): readonly string[];
  /** Serves `served` at `path` from now on. */
  serve(path: string, served: Served | null): void;
}

export async function startSite(
  files: Readonly<Record<string, Served>> = {},
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Site> {
  const served = new Map(Object.entries(files));
  const requests: { path: string; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ path, headers: request.headers });
    answer(served.get(path) ?? served.get("*") ?? null, request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    origin: `http://${address.address}:${address.port}`,
    requests,
    paths: () => requests.map(({ path }) => path).sort(),
    serve(path, now) {
      if (now === null) served.delete(path);
      else served.set(path, now);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(served: Served | null, request: IncomingMessage, response: ServerResponse): void {
  if (served === null) {
    response.writeHead(404, { "content-type": "text/plain" }).end("not found");
  } else if (typeof served === "function") {
    served(request, response);
  } else if (typeof served === "string") {
    response.writeHead(200, { "content-type": "application/json" }).end(served);
  } else if ("status" in served || "body" in served || "headers" in served) {
    const { status, headers, body } = served as {
      status?: number;
      headers?: Record<string, string>;
      body?: string;
    };
    response.writeHead(status ?? 200, headers ?? {}).end(body ?? "");
  } else {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(served));
  }
}

/** A conformant card of a server at `endpoint`. */
export function card(name: string, endpoint: string, more: object = {}): object {
  return {
    $schema: SERVER_CARD_SCHEMA,
    name,
    version: "1.0.0",
    description: `The server ${name}.`,
    remotes: [{ type: "streamable-http", url: endpoint }],
    ...more,
  };
}

export function aiCatalog(entries: readonly object[], more: object = {}): object {
  return { specVersion: "1.0", entries, ...more };
}

export function cardEntry(name: string, url: string, more: object = {}): object {
  return {
    identifier: `urn:air:example.com:mcp:${name}`,
    type: "application/mcp-server-card+json",
    url,
    ...more,
  };
}

export function nestedEntry(url: string): object {
  return { identifier: url, type: "application/ai-catalog+json", url };
}

export function mcpCatalog(entries: readonly { readonly name: string; readonly url: string }[]): object {
  return {
    specVersion: "draft",
    entries: entries.map(({ name, url }) => ({
      identifier: `urn:mcp:server:${name}`,
      displayName: name,
      mediaType: "application/mcp-server-card+json",
      url,
    })),
  };
}
