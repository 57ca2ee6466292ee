/** A list's entity tag is made from revisions and not from its bytes: it must be another one whenever they are. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import type { RelayRecord } from "../../src/spec/index.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts";
import { sampleRecord, sampleTool, sampleWrite } from "../../src/store/suite/samples.ts";
import { type CatalogFixture, openCatalog } from "./catalog-fixture.ts";

let catalog: CatalogFixture;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog?.[Symbol.asyncDispose]());

const PATHS = ["", "?limit=2", "?limit=1", "?online=1", "?q=search", "?tag=one", "?limit=2&online=1"].map(
  (query) => `/v1/relays${query}`,
);
const ids = ["a.example", "b.example", "c.example"];

function doorOf(store: SqliteStore) {
  return restDoor({ context: { ...catalog.context, store }, adminToken: null });
}

/** A relay as something changed it; equal choices make equal records. */
const record = fc.record({
  id: fc.constantFrom(...ids),
  online: fc.boolean(),
  tools: fc.subarray(["search_jobs", "search_files"]),
  tags: fc.subarray(["one", "two"]),
  failures: fc.nat(2),
});
const step = fc.oneof(
  { weight: 5, arbitrary: record.map((made) => ({ kind: "save" as const, ...made })) },
  { weight: 1, arbitrary: fc.constantFrom(...ids).map((id) => ({ kind: "remove" as const, id })) },
);

async function act(store: SqliteStore, made: typeof step extends fc.Arbitrary<infer S> ? S : never) {
  if (made.kind === "remove") {
    await store.relays.remove(made.id, { id: crypto.randomUUID() }, 1);
    return;
  }
  const { id, tags, tools, online, failures } = made;
  const next: RelayRecord = sampleRecord(id, {
    descriptor: { mcp: `https://${id}/mcp`, tags },
    tools: tools.map((name) => sampleTool(name)),
    online,
    failures,
  });
  const stored = await store.relays.get(id);
  const outcome = await store.relays.save(sampleWrite(next, { revision: stored?.revision ?? null }));
  expect(outcome.ok).toBe(true);
}

describe("the entity tag of a list", () => {
  it("never stands for two bodies, whatever is written, by whichever catalog", async () => {
    // Over all runs and stores: a client may meet them one after the other under one address.
    const bodies = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await using store = await openSqliteStore({ path: ":memory:" });
        const door = doorOf(store);
        for (const made of [null, ...steps]) {
          if (made !== null) await act(store, made);
          for (const path of PATHS) {
            const answer = await door.request(path);
            const tag = answer.headers.get("etag") as string;
            const body = await answer.text();
            expect(bodies.get(tag) ?? body).toBe(body);
            bodies.set(tag, body);
            const again = await door.request(path, { headers: { "if-none-match": tag } });
            expect(again.status).toBe(304);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it("is another one when the file was opened anew or replaced: its revisions may mean another history", async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-tags-"));
    const path = join(folder, "catalog.db");
    const tagOf = async (store: SqliteStore) =>
      (await doorOf(store).request("/v1/relays")).headers.get("etag");
    try {
      const tags: (string | null)[] = [];
      for (const round of [1, 2]) {
        await using store = await openSqliteStore({ path });
        if (round === 1)
          await act(store, { kind: "save", id: "a.example", online: true, tools: [], tags: [], failures: 0 });
        tags.push(await tagOf(store), await tagOf(store));
        if (round === 1) continue;
        await store.backup(join(folder, "copy.db"));
        await store.replace(join(folder, "copy.db"), join(folder, "kept.db"));
        tags.push(await tagOf(store));
      }
      const [one, oneAgain, two, twoAgain, three] = tags;
      expect([oneAgain, twoAgain]).toEqual([one, two]);
      expect(new Set([one, two, three]).size).toBe(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
