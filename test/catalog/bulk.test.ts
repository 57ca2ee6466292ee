import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBulkRunner, operations } from "../../src/catalog/index.ts";
import { type BulkJob, type BulkOutput, DESCRIPTOR_PATH } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { caller, deadUrl, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await startTestCatalog();
});
afterEach(async () => {
  await catalog.close();
});

const relay = relaysOfTests();

const bulk = (urls: readonly string[]): Promise<BulkOutput> =>
  operations.bulk.run(catalog.context, { urls }, caller);

async function job(id: string): Promise<BulkJob> {
  return (await operations.bulkJob.run(catalog.context, { job: id }, caller)).job;
}

async function finished(id: string): Promise<BulkJob> {
  await expect.poll(async () => (await job(id)).finishedAt, { timeout: 10_000, interval: 10 }).not.toBeNull();
  return job(id);
}

describe("a bulk registration", () => {
  it("registers every URL and says what became of each", verifies("rest.bulk"), async () => {
    const good = await relay({ descriptor: { mcp: "/mcp" } });
    const known = await relay();
    await catalog.register(known.url);
    const gated = await relay({ token: "t" });
    await using runner = createBulkRunner(catalog.context);
    runner.start();
    const dead = await deadUrl();
    const { job: id, rejected } = await bulk([
      good.origin,
      "not a url",
      known.url,
      gated.url,
      dead,
      "ftp://x.example",
    ]);
    expect(rejected).toMatchObject([
      { url: "not a url", error: expect.stringContaining("white space") },
      { url: "ftp://x.example", error: expect.stringContaining("ftp") },
    ]);
    const done = await finished(id);
    expect(done).toMatchObject({ id, total: 4, done: 4 });
    expect(done.results).toMatchObject([
      { outcome: "listed", state: "online", error: null },
      { url: known.url, outcome: "known", state: "online", error: null },
      {
        url: gated.url,
        outcome: "refused",
        relay: null,
        state: "auth-required",
        error: expect.stringMatching(/\w/),
      },
      {
        url: dead,
        outcome: "refused",
        relay: null,
        state: "unreachable",
        error: expect.stringMatching(/\w/),
      },
    ]);
    expect(done.results[0]?.relay).toBe(
      (await catalog.ids()).find((each) => each === done.results[0]?.relay),
    );
  });

  it("goes on after a stop where it was", verifies("rest.bulk-survives"), async () => {
    const held = Promise.withResolvers<void>();
    const slow = await relay({
      async intercept() {
        await held.promise;
        return false;
      },
    });
    const quick = await Promise.all(["127.0.0.2", "127.0.0.3", "127.0.0.4"].map((host) => relay({ host })));
    const first = createBulkRunner(catalog.context);
    first.start();
    const { job: id } = await bulk([slow.url, ...quick.map((each) => each.url)]);
    await expect.poll(async () => (await job(id)).done, { interval: 10 }).toBe(3);
    await first.close();
    expect(await job(id)).toMatchObject({ done: 3, finishedAt: null });
    held.resolve();
    await using second = createBulkRunner(catalog.context);
    second.start();
    const done = await finished(id);
    expect(done.results.map((result) => result.outcome)).toEqual(["listed", "listed", "listed", "listed"]);
    // What had a result was not asked again.
    for (const each of quick) {
      expect(each.requests.filter(({ path }) => path === DESCRIPTOR_PATH)).toHaveLength(1);
    }
  });

  it("asks one host for two at a time at most, and others meanwhile", async () => {
    let now = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const crowd = await Promise.all(
      Array.from({ length: 6 }, () =>
        relay({
          host: "127.0.0.9",
          async intercept(seen) {
            if (seen.method !== "GET") return false;
            now += 1;
            most = Math.max(most, now);
            await gate.promise;
            now -= 1;
            return false;
          },
        }),
      ),
    );
    const other = await relay({ host: "127.0.0.10" });
    await using runner = createBulkRunner(catalog.context);
    runner.start();
    const { job: id } = await bulk([...crowd.map((each) => each.url), other.url]);
    await expect.poll(async () => (await job(id)).done, { interval: 10 }).toBe(1);
    expect((await job(id)).results).toMatchObject([{ url: other.url, outcome: "listed" }]);
    gate.resolve();
    await finished(id);
    expect(most).toBe(2);
  });

  it("takes several jobs at once, and one that came before the runner", async () => {
    const [one, two] = [await relay(), await relay({ host: "127.0.0.2" })];
    const early = await bulk([one.url, one.url, one.origin]);
    await using runner = createBulkRunner(catalog.context);
    runner.start();
    runner.start();
    const late = await bulk([two.url]);
    const { results } = await finished(early.job);
    expect(results.map((result) => result.relay)).toEqual(
      Array(3).fill(`127.0.0.1-${new URL(one.url).port}`),
    );
    expect(await finished(late.job)).toMatchObject({ done: 1 });
  });

  it("that holds no URL is refused, and an unknown job is not found", async () => {
    await expect(bulk(["", "a b"])).rejects.toMatchObject({ code: "invalid-input", data: { field: "urls" } });
    await expect(job("none")).rejects.toMatchObject({ code: "not-found" });
  });

  it("ends at once when it is closed before it was started", async () => {
    const runner = createBulkRunner(catalog.context);
    await runner.close();
    runner.start();
    await runner.close();
  });
});
