/** What instances share in Redis: the suites, what is Redis's own, and two processes, against the server that REDIS_URL names. */
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openRedis, type RedisShared } from "../../src/kit/redis/index.ts";
import { eventBusCases, sessionStoreCases } from "../../src/kit/suite.ts";
import { type Instance, startInstance } from "./instances.ts";
import { processCases, sharedCases } from "./shared-cases.ts";

const url = process.env.REDIS_URL ?? "";
const why = url === "" ? " (skipped: REDIS_URL names no server)" : "";
/** Nobody else's keys. */
const newPrefix = (): string => `openmcp:test:${crypto.randomUUID()}:`;

describe.skipIf(url === "")(`sessions in Redis${why}`, () => {
  it.each(sessionStoreCases)("$name", async ({ run }) => {
    await using shared = await openRedis({ client: url, prefix: newPrefix() });
    await run(shared.store);
    await shared.store.trim({ max: 0 });
  });
});

describe.skipIf(url === "")(`a bus in Redis${why}`, () => {
  it.each([2, 3] as const)("passes the suite with a client handed in that speaks RESP %i", async (RESP) => {
    const client = createClient({ url, RESP });
    client.on("error", () => {});
    await client.connect();
    for (const { run } of eventBusCases) {
      const prefix = newPrefix();
      await using one = await openRedis({ client, prefix });
      await using other = await openRedis({ client: url, prefix });
      await run(one.bus, other.bus);
    }
    expect(client.isOpen).toBe(true);
    client.destroy();
  });

  it("loses nothing when connections break, tells nothing twice, and says that it was away", async () => {
    const prefix = newPrefix();
    await using far = await openRedis({ client: url, prefix });
    await using near = await openRedis({ client: url, prefix });
    const heard: string[] = [];
    const done = Promise.withResolvers<void>();
    await far.bus.subscribe((event) => {
      heard.push(event.kind);
      if (event.kind === "last") done.resolve();
    });
    await near.bus.publish({ kind: "first" });
    const admin = createClient({ url });
    await admin.connect();
    // All that wait, and no other.
    const waiting = (await admin.sendCommand(["CLIENT", "LIST"])) as unknown as string;
    for (const [, id] of waiting.matchAll(/^id=(\d+) .*cmd=xread /gm)) {
      await admin.sendCommand(["CLIENT", "KILL", "ID", id as string]);
    }
    await near.bus.publish({ kind: "second" });
    await near.bus.publish({ kind: "third" });
    await expect.poll(() => heard).toContain("bus_gap");
    await near.bus.publish({ kind: "last" });
    await done.promise;
    expect(heard.filter((kind) => kind !== "bus_gap")).toEqual(["first", "second", "third", "last"]);
    admin.destroy();
  });
});

describe.skipIf(url === "")(`two processes that share Redis${why}`, () => {
  const prefix = newPrefix();
  let cleaner: RedisShared;
  let a: Instance;
  let b: Instance;
  beforeAll(async () => {
    cleaner = await openRedis({ client: url, prefix });
  });
  afterAll(async () => {
    await cleaner?.store.trim({ max: 0 });
    await cleaner?.close();
  });
  beforeEach(async () => {
    const database = ["redis", url, prefix];
    [a, b] = await Promise.all([startInstance("A", database), startInstance("B", database)]);
  });
  afterEach(async () => {
    await a[Symbol.asyncDispose]();
    await b[Symbol.asyncDispose]();
  });

  it("are one relay", async () => {
    for (const { run } of sharedCases) await run(a.url, b.url);
  });

  it.each(processCases)("$name", ({ run }) => run(a, b));
});
