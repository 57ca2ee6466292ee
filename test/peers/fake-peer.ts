/** A catalog as a peer sees it: a list of relays behind `GET /v1/relays`, in the shape and with the manners of a test's choice. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type FakeRelay, type SeenRequest, startFakeRelay } from "../../src/testing/index.ts";

export interface FakePeerOptions {
  readonly host?: string;
  /** What it lists: endpoints, or entries as they are. */
  readonly relays?: readonly unknown[];
  /** Relays on a page, with cursors; absent: the shape of the 0.1 implementation, 500 at most and no cursor. */
  readonly pageSize?: number;
  /** Answers with an entity tag, and 304 to it. */
  readonly etags?: true;
  /** Answers `GET /v1/relays` in its own way; false: as the options say. */
  readonly answer?: (url: URL, response: ServerResponse) => boolean | Promise<boolean>;
  /** Key `catalog` of its descriptor; absent: it serves none. */
  readonly catalog?: Readonly<Record<string, string>>;
}

export interface FakePeer extends AsyncDisposable {
  readonly url: string;
  /** `GET` paths of its list, with what they were asked on condition of. */
  readonly asked: readonly { readonly path: string; readonly etag: string | undefined }[];
  update(changes: Partial<FakePeerOptions>): void;
  close(): Promise<void>;
}

/** An entry as the 0.1 implementation lists it, with words that nobody should believe. */
export function entryOf(endpoint: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    id: "whatever",
    source: endpoint,
    descriptor: { mcp: endpoint, name: "The peer's word" },
    tools: [{ name: "hearsay" }],
    server: null,
    verified: true,
    online: true,
    seenAt: "2026-01-01T00:00:00.000Z",
    firstSeenAt: "2026-01-01T00:00:00.000Z",
    failures: 0,
    lastError: null,
    via: null,
    ...changes,
  };
}

export async function startFakePeer(options: FakePeerOptions = {}): Promise<FakePeer> {
  let script = options;
  const asked: { path: string; etag: string | undefined }[] = [];
  const server: FakeRelay = await startFakeRelay({
    host: options.host,
    path: "/none",
    async intercept(seen: SeenRequest, response: ServerResponse) {
      const url = new URL(seen.path, "http://peer.invalid");
      if (url.pathname === "/.well-known/openmcp.json" && script.catalog !== undefined) {
        send(response, 200, { mcp: "/mcp", catalog: script.catalog });
        return true;
      }
      if (!url.pathname.endsWith("/relays")) return false;
      const etag = seen.headers["if-none-match"] as string | undefined;
      asked.push({ path: seen.path, etag });
      if (script.answer !== undefined && (await script.answer(url, response))) return true;
      answerList(response, { url, etag, script });
      return true;
    },
  });
  return {
    url: server.origin,
    asked,
    update(changes) {
      script = { ...script, ...changes };
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

function answerList(
  response: ServerResponse,
  asked: { readonly url: URL; readonly etag: string | undefined; readonly script: FakePeerOptions },
): void {
  const { url, script } = asked;
  const all = (script.relays ?? []).map((relay) => (typeof relay === "string" ? entryOf(relay) : relay));
  const limit = Math.min(Number(url.searchParams.get("limit") ?? 100), 500);
  const from = Number(url.searchParams.get("cursor") ?? 0);
  const end = from + Math.min(limit, script.pageSize ?? limit);
  const body =
    script.pageSize === undefined
      ? { ok: true, relays: all.slice(0, limit) }
      : {
          ok: true,
          relays: all.slice(from, end),
          total: all.length,
          nextCursor: end < all.length ? String(end) : null,
        };
  const text = JSON.stringify(body);
  const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
  if (script.etags === undefined) send(response, 200, text);
  else if (asked.etag === etag) response.writeHead(304, { etag }).end();
  else send(response, 200, text, { etag });
}
