/** Imports: what is still to be read, what was taken once, what became of it, and the claims that stay. */
import assert from "node:assert/strict";
import type { DocumentReading, ImportEntry, NewImport } from "../import-store.ts";
import type { Store } from "../store.ts";
import { list, NOW, sampleRecord } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const SOURCE = "https://registry.example";

function job(changes: Partial<NewImport> = {}): NewImport {
  return {
    id: "job",
    input: { from: "registry", url: SOURCE },
    documents: [{ url: `${SOURCE}/1`, trail: "first" }],
    entries: [],
    now: NOW,
    ...changes,
  };
}

function entry(name: string, ...hosts: readonly string[]): ImportEntry {
  const urls = hosts.map((host) => ({
    url: `https://${host}/mcp`,
    endpoint: `https://${host}/mcp`,
    domain: host.split(".").slice(-2).join("."),
  }));
  return { key: `${name}@1`, name, version: "1", urls, skip: urls.length === 0 ? "no-remote" : null };
}

function reading(entries: readonly ImportEntry[], more: Partial<DocumentReading> = {}): DocumentReading {
  return { entries, documents: [], source: SOURCE, problems: [], ...more };
}

const listed = { outcome: "listed", relay: "a.example", failure: null, error: null } as const;
const failed = { outcome: "failed", relay: null, failure: "timeout", error: "a sentence" } as const;

/** The one document that waits is read. */
async function read(store: Store, given: DocumentReading, now = NOW): Promise<void> {
  const [first] = await store.imports.documents("job", 1);
  assert.ok(first !== undefined);
  assert.equal(await store.imports.finishDocument("job", first.position, given, now), true);
}

export const importCases: readonly StoreCase[] = [
  {
    name: "keeps what a URL is called by the first list that tells",
    async run(store) {
      const { imports } = store;
      const called = (name: string, identifier: string): ImportEntry => {
        const { urls, ...rest } = entry(name, "a.example");
        return { ...rest, urls: urls.map((url) => ({ ...url, identifier })) };
      };
      await imports.create(job());
      await read(
        store,
        reading([entry("x/a", "a.example", "b.example"), called("x/b", "urn:1"), called("x/c", "urn:2")], {
          documents: [{ url: `${SOURCE}/2`, trail: "" }],
        }),
      );
      assert.deepEqual(
        (await imports.open("job", 10)).map(({ url, identifier }) => [url, identifier]),
        [
          ["https://a.example/mcp", "urn:1"],
          ["https://b.example/mcp", null],
        ],
      );
    },
  },
  {
    name: "reads an import to its end, counts each entry once, takes each URL once, and ends the job with the last outcome",
    async run({ imports }) {
      assert.equal(await imports.create(job()), null);
      assert.equal(await imports.create(job({ id: "second" })), "job");
      const [first] = await imports.documents("job", 10);
      assert.deepEqual(first, {
        position: 1,
        url: `${SOURCE}/1`,
        trail: "first",
        stale: 0,
        tries: 0,
        dueAt: NOW,
      });
      const page = reading(
        [entry("x/a", "a.example"), entry("x/b", "b.example", "a.example"), entry("x/c")],
        {
          documents: [{ url: `${SOURCE}/2`, trail: "second", repeated: "round" }],
        },
      );
      assert.equal(await imports.finishDocument("job", 1, page, NOW + 1), true);
      assert.equal(await imports.finishDocument("job", 1, page, NOW + 1), false);
      assert.equal(await imports.waiting(), 3);
      const half = await imports.get("job");
      assert.equal(half?.state, "reading");
      assert.equal(half.complete, null);
      const again = reading([entry("x/a", "a.example"), entry("x/d", "a.example")], {
        documents: [{ url: `${SOURCE}/1`, trail: "", repeated: "round" }],
        problems: ["odd"],
      });
      assert.equal(await imports.finishDocument("job", 2, again, NOW + 2), true);
      assert.deepEqual(await imports.documents("job", 10), []);
      assert.deepEqual(
        (await imports.open("job", 10)).map(({ position, url }) => [position, url]),
        [
          [1, "https://a.example/mcp"],
          [2, "https://b.example/mcp"],
        ],
      );
      await imports.finish("job", 1, listed, NOW + 3);
      await imports.finish("job", 1, failed, NOW + 3);
      assert.equal((await imports.get("job"))?.state, "probing");
      await imports.finish("job", 2, failed, NOW + 4);
      assert.deepEqual(await imports.get("job"), {
        id: "job",
        from: "registry",
        url: SOURCE,
        since: null,
        limit: null,
        dryRun: false,
        createdAt: new Date(NOW).toISOString(),
        finishedAt: new Date(NOW + 4).toISOString(),
        state: "done",
        complete: false,
        problems: ["odd", "round"],
        waitsUntil: null,
        report: {
          documents: 2,
          seen: 4,
          taken: 2,
          shared: 2,
          skipped: { "no-remote": 1 },
          listed: 1,
          known: 0,
          failed: { timeout: 1 },
        },
      });
      assert.deepEqual(await imports.unfinished(), []);
      const whole = await imports.results("job", { limit: 10 });
      assert.deepEqual(whole.results, [
        { url: "https://a.example/mcp", names: ["x/a", "x/b", "x/d"], ...listed },
        { url: "https://b.example/mcp", names: ["x/b"], ...failed },
      ]);
      assert.equal(whole.nextCursor, null);
      const page1 = await imports.results("job", { limit: 1 });
      assert.equal(page1.results.length, 1);
      const page2 = await imports.results("job", { limit: 1, cursor: page1.nextCursor ?? "" });
      assert.deepEqual(page2, { results: [whole.results[1]], nextCursor: null });
      await assert.rejects(imports.results("job", { limit: 1, cursor: "x" }), { code: "invalid-input" });
      assert.equal(await imports.create(job({ id: "third" })), null);
      assert.deepEqual(
        (await imports.list(2)).map(({ id }) => id),
        ["third", "job"],
      );
    },
  },
  {
    name: "takes as many URLs as an import was to, and reads no further",
    async run(store) {
      const { imports } = store;
      await imports.create(job({ input: { from: "registry", url: SOURCE, limit: 2 } }));
      const documents = [{ url: `${SOURCE}/2`, trail: "" }];
      await read(
        store,
        reading([entry("x/a", "a.example", "b.example", "c.example"), entry("x/d")], { documents }),
      );
      const { report, state, complete } = (await imports.get("job")) ?? assert.fail();
      assert.deepEqual(
        { seen: report.seen, taken: report.taken, state, complete },
        { seen: 1, taken: 2, state: "probing", complete: true },
      );
      assert.deepEqual(await imports.documents("job", 10), []);
    },
  },
  {
    name: "only counts in a dry run, and says what is listed already",
    async run(store) {
      const { imports } = store;
      await list(store, sampleRecord("a.example"));
      await imports.create(job({ input: { from: "registry", url: SOURCE, dryRun: true } }));
      await read(store, reading([entry("x/a", "a.example"), entry("x/b", "b.example")]));
      const { report, state, finishedAt } = (await imports.get("job")) ?? assert.fail();
      assert.equal(state, "done");
      assert.notEqual(finishedAt, null);
      assert.deepEqual({ taken: report.taken, known: report.known }, { taken: 2, known: 1 });
      const { results } = await imports.results("job", { limit: 10 });
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ["known", "taken"],
      );
      assert.deepEqual(await imports.claims("a.example", 9), []);
    },
  },
  {
    name: "gives every domain of an import its turn, and a document that is put off waits behind the others",
    async run(store) {
      const { imports } = store;
      await imports.create(
        job({ documents: [1, 2].map((page) => ({ url: `${SOURCE}/${page}`, trail: "" })) }),
      );
      await imports.postpone("job", 1, NOW + 500);
      assert.deepEqual(
        (await imports.documents("job", 10)).map(({ position, tries, dueAt }) => [position, tries, dueAt]),
        [
          [2, 0, NOW],
          [1, 1, NOW + 500],
        ],
      );
      assert.equal((await imports.get("job"))?.waitsUntil, null);
      await read(
        store,
        reading([entry("x/a", "1.big.example", "2.big.example", "3.big.example", "small.test")]),
      );
      assert.equal((await imports.get("job"))?.waitsUntil, new Date(NOW + 500).toISOString());
      assert.deepEqual(
        (await imports.open("job", 2)).map(({ url }) => url),
        ["https://1.big.example/mcp", "https://small.test/mcp"],
      );
    },
  },
  {
    name: "ends a cancelled import where it is, keeps the outcome of what was under way, and forgets it in time",
    async run(store) {
      const { imports } = store;
      await imports.create(job());
      await read(
        store,
        reading([entry("x/a", "a.example", "b.example")], { documents: [{ url: `${SOURCE}/2`, trail: "" }] }),
      );
      assert.equal(await imports.cancel("job", NOW + 5), true);
      assert.equal(await imports.cancel("job", NOW + 6), false);
      assert.equal(await imports.cancel("none", NOW + 6), false);
      assert.equal(await imports.waiting(), 0);
      assert.deepEqual(await imports.documents("job", 10), []);
      assert.deepEqual(await imports.open("job", 10), []);
      assert.equal(
        await imports.finishDocument("job", 2, reading([entry("x/z", "z.example")]), NOW + 7),
        false,
      );
      await imports.finish("job", 1, listed, NOW + 8);
      const ended = (await imports.get("job")) ?? assert.fail();
      assert.equal(ended.state, "cancelled");
      assert.equal(ended.complete, false);
      assert.equal(ended.finishedAt, new Date(NOW + 5).toISOString());
      assert.deepEqual([ended.report.taken, ended.report.listed], [2, 1]);
      assert.equal(await imports.forget(NOW + 5), 0);
      assert.equal(await imports.forget(NOW + 6), 1);
      assert.equal(await imports.get("job"), null);
      assert.deepEqual(await imports.list(9), []);
    },
  },
  {
    name: "keeps who claims a relay's URLs, by whose list, and drops what a list takes back",
    async run(store) {
      const { imports } = store;
      await list(store, sampleRecord("a.example"));
      await imports.create(job());
      await read(store, reading([entry("y/b", "a.example"), entry("x/a", "a.example", "b.example")]));
      await imports.cancel("job", NOW);
      const at = new Date(NOW).toISOString();
      assert.deepEqual(await imports.claims("a.example", 9), [
        { name: "x/a", version: "1", source: SOURCE, at },
        { name: "y/b", version: "1", source: SOURCE, at },
      ]);
      assert.equal((await imports.claims("a.example", 1))?.length, 1);
      assert.equal(await imports.claims("b.example", 9), null);
      await imports.forget(NOW + 1);
      await imports.create(job());
      const back = { ...entry("y/b"), key: "y/b@2", withdrawn: true } as const;
      await read(
        store,
        reading([{ ...entry("x/a", "a.example"), key: "x/a@2", version: "2" }, back]),
        NOW + 9,
      );
      assert.deepEqual(await imports.claims("a.example", 9), [
        { name: "x/a", version: "2", source: SOURCE, at: new Date(NOW + 9).toISOString() },
      ]);
    },
  },
  {
    name: "counts the documents of an import in a row that bring nothing new",
    async run(store) {
      const { imports } = store;
      await imports.create(job());
      const stale: (number | undefined)[] = [];
      for (const name of ["x/a", "x/a", "x/a", "x/b", "x/b"]) {
        const url = `${SOURCE}/${stale.length + 2}`;
        await read(store, reading([entry(name, "a.example")], { documents: [{ url, trail: "" }] }));
        stale.push((await imports.documents("job", 1))[0]?.stale);
      }
      assert.deepEqual(stale, [0, 1, 2, 0, 1]);
    },
  },
  {
    name: "ends an import at once that has nothing to read or look at, and knows none that isn't",
    async run({ imports }) {
      await imports.create(job({ input: { from: "urls" }, documents: [] }));
      assert.equal((await imports.get("job"))?.state, "done");
      await imports.create(
        job({ id: "urls", input: { from: "urls" }, documents: [], entries: [entry("x/a", "a.example")] }),
      );
      await imports.create(
        job({ id: "more", input: { from: "urls" }, documents: [], entries: [entry("x/a", "a.example")] }),
      );
      assert.deepEqual(await imports.unfinished(), ["urls", "more"]);
      assert.equal(await imports.get("none"), null);
      assert.deepEqual(await imports.results("none", { limit: 1 }), { results: [], nextCursor: null });
      assert.equal(await imports.finishDocument("none", 1, reading([]), NOW), false);
      await imports.finish("none", 1, listed, NOW);
      await imports.postpone("none", 1, NOW);
    },
  },
];
