/** Bulk jobs: what is open, what became of each URL, and what a stop left behind. */
import assert from "node:assert/strict";
import type { BulkResult } from "../../spec/index.ts";
import { NOW } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const resultOf = (url: string, outcome: BulkResult["outcome"] = "listed"): BulkResult => ({
  url,
  outcome,
  relay: outcome === "listed" ? "a.example" : null,
  state: outcome === "listed" ? "online" : null,
  error: outcome === "listed" ? null : "a sentence",
});

export const jobCases: readonly StoreCase[] = [
  {
    name: "runs a job to its end, in any order, the first result of a place staying",
    async run(store) {
      const urls = ["https://a.example", "https://b.example", "https://a.example"];
      const at = new Date(NOW).toISOString();
      await store.jobs.create({ id: "job", urls, now: NOW });
      assert.deepEqual(await store.jobs.get("job"), {
        id: "job",
        createdAt: at,
        finishedAt: null,
        total: 3,
        done: 0,
        results: [],
      });
      assert.deepEqual(
        await store.jobs.open("job", 10),
        urls.map((url, position) => ({ position, url })),
      );
      assert.equal((await store.jobs.open("job", 2)).length, 2);
      await store.jobs.finish("job", 2, resultOf("third"), NOW + 1);
      await store.jobs.finish("job", 2, resultOf("third again", "failed"), NOW + 2);
      assert.deepEqual(await store.jobs.open("job", 10), [
        { position: 0, url: urls[0] },
        { position: 1, url: urls[1] },
      ]);
      await store.jobs.finish("job", 1, resultOf("second", "refused"), NOW + 3);
      assert.deepEqual(await store.jobs.unfinished(), ["job"]);
      assert.equal(await store.jobs.waiting(), 1);
      assert.equal((await store.jobs.get("job"))?.finishedAt, null);
      await store.jobs.finish("job", 0, resultOf("first"), NOW + 4);
      await store.jobs.finish("job", 0, resultOf("first again"), NOW + 5);
      assert.deepEqual(await store.jobs.get("job"), {
        id: "job",
        createdAt: at,
        finishedAt: new Date(NOW + 4).toISOString(),
        total: 3,
        done: 3,
        results: [resultOf("first"), resultOf("second", "refused"), resultOf("third")],
      });
      assert.deepEqual(await store.jobs.unfinished(), []);
      assert.deepEqual(await store.jobs.open("job", 10), []);
      assert.equal(await store.jobs.waiting(), 0);
    },
  },
  {
    name: "finishes an empty job at once, and knows no job that isn't",
    async run(store) {
      await store.jobs.create({ id: "empty", urls: [], now: NOW });
      assert.equal((await store.jobs.get("empty"))?.finishedAt, new Date(NOW).toISOString());
      assert.equal(await store.jobs.get("none"), null);
      assert.deepEqual(await store.jobs.open("none", 10), []);
      await store.jobs.finish("none", 0, resultOf("x"), NOW);
      await store.jobs.finish("empty", 5, resultOf("x"), NOW);
      assert.equal((await store.jobs.get("empty"))?.done, 0);
    },
  },
  {
    name: "lists what is unfinished, oldest first, and forgets what was finished long ago",
    async run(store) {
      await store.jobs.create({ id: "newer", urls: ["u"], now: NOW + 10 });
      await store.jobs.create({ id: "older", urls: ["u"], now: NOW });
      await store.jobs.create({ id: "done", urls: ["u"], now: NOW });
      await store.jobs.finish("done", 0, resultOf("u"), NOW + 1);
      assert.deepEqual(await store.jobs.unfinished(), ["older", "newer"]);
      assert.equal(await store.jobs.forget(NOW + 1), 0);
      assert.equal(await store.jobs.forget(NOW + 2), 1);
      assert.equal(await store.jobs.get("done"), null);
      assert.deepEqual(await store.jobs.unfinished(), ["older", "newer"]);
    },
  },
];
