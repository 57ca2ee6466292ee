/** A catalog's published documents read as a stranger reads them, over a real socket, and held against the strict readers. */
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { CatalogContext } from "../../src/catalog/index.ts";
import {
  type CatalogDocument,
  type CatalogEntry,
  readCatalog,
  readServerCard,
  type ServerCard,
} from "../../src/spec/index.ts";

export const PUBLIC_URL = "https://catalog.example";

/** What is asked for under the public URL goes to the socket. */
export function reader(origin: string) {
  async function get(url: string, init: RequestInit = {}): Promise<Response> {
    const path = url.startsWith(PUBLIC_URL) ? url.slice(PUBLIC_URL.length) : url;
    return fetch(`${origin}${path}`, init);
  }
  return {
    get,
    /** Expects a catalog that is conformant, without any remark but those named. */
    async catalog(url: string): Promise<CatalogDocument> {
      const response = await get(url);
      const text = await response.text();
      expect(response.status, text.slice(0, 300)).toBe(200);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
      const reading = readCatalog(text, { url: url.startsWith("http") ? url : `${PUBLIC_URL}${url}` });
      expect(reading.diagnostics).toEqual([]);
      expect(reading).toMatchObject({ conformant: true, usable: true });
      return reading.value as CatalogDocument;
    },
    async card(url: string): Promise<ServerCard> {
      const response = await get(url);
      const text = await response.text();
      expect(response.status, text.slice(0, 300)).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
      const reading = readServerCard(text, { url: url.startsWith("http") ? url : `${PUBLIC_URL}${url}` });
      expect(reading.diagnostics).toEqual([]);
      expect(reading).toMatchObject({ conformant: true, usable: true, shape: "v1" });
      return reading.value as ServerCard;
    },
  };
}

/** Every card's entry of an AI Catalog and its pages, in order. */
export async function allEntries(
  read: (url: string) => Promise<CatalogDocument>,
  url: string,
): Promise<CatalogEntry[]> {
  const { entries } = await read(url);
  const all: CatalogEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === "catalog") all.push(...(await allEntries(read, entry.url ?? "")));
    else all.push(entry);
  }
  return all;
}

/** Repeats the one relay of a database as `count` of them: a save each would take a test's whole time. */
export function repeatRelay(db: string, count: number): void {
  const database = new DatabaseSync(db);
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count - 1})
      insert into relay (id, revision, online, verified, auth, endpoint, tail)
      select 'r' || i || '.example.com', 1, online, verified, auth, 'https://r' || i || '.example.com/mcp', tail
      from n, relay where seq = 1;
    insert into relay_text (relay, head, summary)
      select seq, replace(t.head, 'r0.example.com', id), replace(t.summary, 'r0.example.com', id)
      from relay, relay_text t where t.relay = 1 and seq > 1;
    insert into relay_words (relay, text)
      select seq, replace(w.text, 'r0.example.com', id) from relay, relay_words w where w.relay = 1 and seq > 1;
  `);
  database.close();
}

/** The context with every read of records counted: how many at a time, and how many bytes. */
export function counted(context: CatalogContext): {
  readonly context: CatalogContext;
  readonly reads: { readonly records: number; readonly bytes: number }[];
} {
  const reads: { records: number; bytes: number }[] = [];
  const { store } = context;
  const relays = {
    ...store.relays,
    async list(...asked: Parameters<typeof store.relays.list>) {
      const page = await store.relays.list(...asked);
      const { text } = page.relays;
      reads.push({ records: (JSON.parse(text) as unknown[]).length, bytes: text.length });
      return page;
    },
  };
  return { context: { ...context, store: { ...store, relays } }, reads };
}
