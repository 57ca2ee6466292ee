/** A registry of servers on loopback: `GET /v0.1/servers` over entries that are made as they are asked for, with the manners of a test's choice. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeRegistryOptions {
  readonly count: number;
  /** Entry `index`, from 0. */
  readonly entry: (index: number) => unknown;
  /** Where it is served; default `/v0.1/servers`. */
  readonly path?: string;
  /** Answers in its own way; false: as the options say. */
  readonly answer?: (page: AskedPage, response: ServerResponse) => boolean | Promise<boolean>;
  /** The cursor that leads to the entry at `offset`; null: there is none. */
  readonly cursor?: (offset: number) => string | null;
}

export interface AskedPage {
  readonly url: URL;
  readonly limit: number;
  /** Where the page begins; NaN for a cursor that is none. */
  readonly offset: number;
  /** How often this very page was asked for before. */
  readonly before: number;
}

export interface FakeRegistry extends AsyncDisposable {
  readonly url: string;
  /** Paths with query, in the order of asking. */
  readonly asked: readonly string[];
  /** Pages under way at once, at most. */
  readonly most: number;
  update(changes: Partial<FakeRegistryOptions>): void;
  close(): Promise<void>;
}

export async function startFakeRegistry(options: FakeRegistryOptions): Promise<FakeRegistry> {
  let script = options;
  const asked: string[] = [];
  let now = 0;
  let most = 0;

  async function serve(path: string, response: ServerResponse): Promise<void> {
    const url = new URL(path, "http://registry.invalid");
    const before = asked.filter((earlier) => earlier === path).length;
    asked.push(path);
    const limit = Number(url.searchParams.get("limit") ?? 30);
    const cursor = url.searchParams.get("cursor");
    const offset = cursor === null ? 0 : Number(/^after-(\d+)$/.exec(cursor)?.[1]);
    if ((await script.answer?.({ url, limit, offset, before }, response)) === true) return;
    if (url.pathname !== (script.path ?? "/v0.1/servers")) return send(response, 404, {});
    if (Number.isNaN(offset)) return send(response, 400, { error: "invalid cursor" });
    const end = Math.min(offset + limit, script.count);
    const servers = Array.from({ length: Math.max(0, end - offset) }, (_, at) => script.entry(offset + at));
    const nextCursor = end < script.count ? (script.cursor ?? cursorOf)(end) : null;
    send(response, 200, {
      servers,
      metadata: { count: servers.length, ...(nextCursor === null ? {} : { nextCursor }) },
    });
  }

  const server = createServer((request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on("close", () => {
      now -= 1;
    });
    serve(request.url ?? "/", response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get most() {
      return most;
    },
    update(changes) {
      script = { ...script, ...changes };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function cursorOf(offset: number): string {
  return `after-${offset}`;
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An entry as the official registry lists one that runs at `urls`. */
export function entryAt(
  name: string,
  urls: readonly string[],
  official: Readonly<Record<string, unknown>> = {},
): unknown {
  return {
    server: {
      name,
      description: "A server.",
      version: "1.0.0",
      ...(urls.length === 0 ? {} : { remotes: urls.map((url) => ({ type: "streamable-http", url })) }),
    },
    _meta: {
      "io.modelcontextprotocol.registry/official": { status: "active", isLatest: true, ...official },
    },
  };
}
