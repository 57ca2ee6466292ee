import { describe, expect, it } from "vitest";
import { createBulkRunner, operations } from "../../src/catalog/index.ts";
import { describe as factsOf } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { caller } from "./fixture.ts";
import { counter, PERIOD, startWatched } from "./watched.ts";

const OPEN = { mcp: "/mcp" };
const CLOSED = { mcp: "/mcp", catalog: "no-index" };

describe("an owner who asks for no listing", () => {
  it("is not listed, and the refusal says why", verifies("watch.opt-out"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed({ descriptor: OPEN });
    await watched.catalog.store.relays.remove(id, { id: "gone" }, watched.clock.now());
    relay.update({ descriptor: CLOSED });
    for (const url of [relay.url, relay.origin, `${relay.origin}/.well-known/openmcp.json`]) {
      await expect(watched.catalog.register(url)).rejects.toMatchObject({
        code: "not-listed",
        message: expect.stringContaining('"catalog": "no-index"'),
        data: { reason: "no-index", removed: false, probe: { state: "online" } },
      });
    }
    expect(await watched.catalog.ids()).toEqual([]);
    expect(await watched.events()).toEqual(["relay.registered", "relay.removed"]);
  });

  it("is refused in bulk too", verifies("watch.opt-out"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed({ descriptor: OPEN });
    await watched.catalog.store.relays.remove(id, { id: "gone" }, watched.clock.now());
    relay.update({ descriptor: CLOSED });
    const { context } = watched.catalog;
    const { job } = await operations.bulk.run(context, { urls: [relay.url] }, caller);
    await using runner = createBulkRunner(context);
    runner.start();
    const results = async () => (await operations.bulkJob.run(context, { job }, caller)).job.results;
    await expect
      .poll(results)
      .toMatchObject([{ outcome: "refused", relay: null, error: expect.stringContaining("no-index") }]);
  });

  it("is removed at the next planned look, and told of once", verifies("watch.opt-out"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed({ descriptor: OPEN });
    watched.watch();
    relay.update({ descriptor: CLOSED });
    await watched.pass(PERIOD);
    expect(await watched.catalog.ids()).toEqual([]);
    await expect(watched.catalog.get(id)).rejects.toMatchObject({ code: "not-found" });
    expect(await watched.events()).toEqual(["relay.registered", "relay.removed"]);
    const asked = counter(relay);
    await watched.pass(10 * PERIOD);
    expect(asked()).toEqual({});
    relay.update({ descriptor: OPEN });
    expect((await watched.catalog.register(relay.url)).created).toBe(true);
  });

  it.each(["refresh", "register"] as const)("is removed by a %s", verifies("watch.opt-out"), async (how) => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed({ descriptor: OPEN });
    relay.update({ descriptor: CLOSED });
    const asking = how === "refresh" ? watched.catalog.refresh(id) : watched.catalog.register(relay.url);
    await expect(asking).rejects.toMatchObject({ code: "not-listed", data: { removed: true } });
    expect(await watched.events()).toEqual(["relay.registered", "relay.removed"]);
  });

  it("speaks for every relay of the origin, whether it answers or not", async () => {
    await using watched = await startWatched();
    const { relay } = await watched.listed();
    relay.update({ descriptor: { mcp: "/other", catalog: "no-index" } });
    await expect(watched.catalog.register(relay.url)).rejects.toMatchObject({
      code: "not-listed",
      data: { reason: "no-index", removed: true },
    });
  });

  it.each([
    ["no-index", false],
    [" No-Index ", false],
    ["index", true],
    [{ relays: 1 }, true],
    [["no-index"], true],
    [true, true],
    [null, true],
  ])('says so by "catalog": %j (may be listed: %s)', (catalog, mayBeListed) => {
    expect(factsOf({ mcp: "/mcp", catalog }, "https://a.example/").mayBeListed).toBe(mayBeListed);
  });
});
