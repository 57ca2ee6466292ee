/** What the directory keeps of its pages: it is never seen, whatever changes between two looks at them, and it never outgrows its room. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagesDoor } from "../../src/doors/pages/index.ts";
import { createKeep } from "../../src/doors/pages/keep.ts";
import type { RelayRecord } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";

const PATHS = ["/", "/?limit=7", "/?limit=3", "/?online=1", "/?verified=0&limit=5", "/?tag=b&limit=2"];

describe("a page of the directory", verifies("directory.kept"), () => {
  let catalog: CatalogFixture;
  let kept: ReturnType<typeof pagesDoor>;
  const records: RelayRecord[] = [];

  beforeAll(async () => {
    catalog = await openCatalog();
    kept = pagesDoor({ context: catalog.context });
    for (let at = 0; at < 12; at += 1) {
      const endpoint = `https://r${at}.example/mcp`;
      const descriptor = { mcp: endpoint, name: `Relay ${at} é 👩‍👩‍👧`, tags: [at % 2 === 0 ? "a" : "b"] };
      records.push(await catalog.list(endpoint, { descriptor }));
    }
  });
  afterAll(() => catalog[Symbol.asyncDispose]());

  const browse = async (app: ReturnType<typeof pagesDoor>, path: string, tag?: string) => {
    const answer = await app.request(path, {
      headers: { accept: "text/html", ...(tag === undefined ? {} : { "if-none-match": tag }) },
    });
    return { status: answer.status, tag: answer.headers.get("etag") ?? "", body: await answer.text() };
  };
  const save = async (record: RelayRecord) => {
    const stored = await catalog.context.store.relays.get(record.id);
    if (stored === null) throw new Error(`${record.id} is not listed`);
    const { endpoint, hints, revision } = stored;
    const written = await catalog.context.store.relays.save({
      record,
      endpoint,
      hints,
      revision,
      events: [],
      now: 0,
    });
    expect(written.ok).toBe(true);
  };
  const first = () => records[0] as RelayRecord;

  const changes: readonly (readonly [string, () => Promise<unknown>, boolean])[] = [
    ["nothing", async () => {}, false],
    ["a look that found the same", () => save({ ...first(), failures: 3 }), false],
    ["a relay that went offline", () => save({ ...first(), online: false }), true],
    ["a relay that is vouched for no longer", () => save({ ...first(), verified: false }), true],
    ["another name", () => save({ ...first(), descriptor: { mcp: first().source, name: "Other" } }), true],
    ["another tool", () => save({ ...first(), tools: [tool("echo"), tool("added_since")] }), true],
    ["one more relay", () => catalog.list("https://new.example/mcp"), true],
    ["one relay less", () => catalog.context.store.relays.remove("r3.example", { id: "gone" }, 0), true],
  ];
  it.each(changes)("is as if nothing of it had been kept, after %s", async (_what, change, shows) => {
    const before = await browse(kept, "/");
    await change();
    for (const path of PATHS) {
      const fresh = await browse(pagesDoor({ context: catalog.context }), path);
      for (let round = 0; round < 2; round += 1) {
        const page = await browse(kept, path);
        expect(page.body).toBe(fresh.body);
        expect(page.tag).toBe(fresh.tag);
        expect((await browse(kept, path, page.tag)).status).toBe(304);
      }
    }
    const after = await browse(kept, "/", before.tag);
    if (shows) {
      expect(after.status).toBe(200);
      expect(after.body).not.toBe(before.body);
    } else expect(after.status === 304 ? before.body : after.body).toBe(before.body);
  });

  it("is another one for another question, with a tag of its own", async () => {
    const pages = await Promise.all(PATHS.map((path) => browse(kept, path)));
    expect(new Set(pages.map(({ tag }) => tag)).size).toBe(PATHS.length);
    expect(new Set(pages.map(({ body }) => body)).size).toBe(PATHS.length);
  });
});

describe("what is kept", verifies("directory.kept"), () => {
  const bytes = (length: number) => new Uint8Array(length);

  it("never takes more than its room, and keeps what is asked for again and again", () => {
    const keep = createKeep(20_000);
    let often = 0;
    for (let at = 0; at < 1_000; at += 1) {
      keep.of("often", () => {
        often += 1;
        return bytes(500);
      });
      keep.of(`once ${at}`, () => bytes(at % 700));
      expect(keep.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(often).toBe(1);
    expect(keep.bytes).toBeGreaterThan(8_000);
  });

  it("gives what is too large for it, and keeps the rest", () => {
    const keep = createKeep(1_000);
    keep.of("small", () => bytes(10));
    expect(keep.of("large", () => bytes(5_000)).length).toBe(5_000);
    expect(keep.of("k".repeat(600), () => bytes(1)).length).toBe(1);
    expect(keep.of("small", () => bytes(11)).length).toBe(10);
  });
});
