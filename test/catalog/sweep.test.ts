import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSweep } from "../../src/catalog/index.ts";
import {
  createManualClock,
  type FakeRelay,
  type FakeRelayOptions,
  type ManualClock,
  startFakeRelay,
} from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startTestCatalog, type TestCatalog } from "./fixture.ts";

const EVERY = 6_000;

let clock: ManualClock;
let catalog: TestCatalog;
let open: FakeRelay[] = [];
beforeEach(async () => {
  clock = createManualClock();
  catalog = await startTestCatalog({ clock });
});
afterEach(async () => {
  await Promise.all(open.map((relay) => relay.close()));
  open = [];
  await catalog.close();
});

async function listed(options: FakeRelayOptions = {}): Promise<{ relay: FakeRelay; id: string }> {
  const relay = await startFakeRelay(options);
  open.push(relay);
  return { relay, id: (await catalog.register(relay.url)).relay.id };
}

/** One interval on, and until the round it starts is over. */
async function round(): Promise<void> {
  await clock.sleeping();
  await clock.advance(EVERY);
  await clock.sleeping();
}

const looks = (relay: FakeRelay) => relay.requests.filter((seen) => seen.method === "GET").length;

describe("a sweep", () => {
  it(
    "looks at every relay in every round, whatever it was found to be",
    verifies("probe.on-a-schedule"),
    async () => {
      const up = await listed({ descriptor: { mcp: "/mcp" } });
      const gated = await listed({ host: "127.0.0.2", token: "t", descriptor: { mcp: "/mcp" } });
      const down = await listed({ host: "127.0.0.3" });
      await down.relay.close();
      await using sweep = createSweep(catalog.context, EVERY);
      sweep.start();
      sweep.start();
      await round();
      expect(looks(up.relay)).toBe(2);
      expect((await catalog.get(gated.id)).failures).toBe(2);
      expect(await catalog.get(down.id)).toMatchObject({
        online: false,
        failures: 1,
        probe: { attempts: 2 },
      });
      await round();
      expect(looks(up.relay)).toBe(3);
      expect(await catalog.get(up.id)).toMatchObject({
        online: true,
        seenAt: new Date(clock.now()).toISOString(),
        probe: { nextAt: new Date(clock.now() + EVERY).toISOString() },
      });
      // One that is down already gets one look: nothing is lost by it.
      expect(await catalog.get(down.id)).toMatchObject({ failures: 2, probe: { attempts: 1 } });
      expect((await catalog.changes()).map((change) => change.event)).toEqual([
        "relay.registered",
        "relay.registered",
        "relay.registered",
        "relay.offline",
      ]);
    },
  );

  it("never starts a round while one is under way, and lets no slow relay hold up the others", async () => {
    const slow = await listed();
    const quick = await listed({ host: "127.0.0.2" });
    const held = Promise.withResolvers<void>();
    slow.relay.update({
      async intercept() {
        await held.promise;
        return false;
      },
    });
    await using sweep = createSweep(catalog.context, EVERY);
    sweep.start();
    await clock.sleeping();
    await clock.advance(EVERY);
    await expect
      .poll(async () => (await catalog.get(quick.id)).probe.at)
      .toBe(new Date(clock.now()).toISOString());
    expect(looks(slow.relay)).toBe(2);
    await clock.advance(3 * EVERY);
    expect(clock.sleepers).toBe(0);
    expect(looks(quick.relay)).toBe(2);
    held.resolve();
    await clock.sleeping();
    expect(looks(slow.relay)).toBe(2);
    // The long round is followed at once.
    await clock.advance(0);
    await expect.poll(() => looks(quick.relay)).toBe(3);
  });

  it("breaks off what is under way when it is closed", async () => {
    const { relay, id } = await listed();
    const before = await catalog.get(id);
    const asked = Promise.withResolvers<void>();
    relay.update({
      intercept() {
        asked.resolve();
        return true;
      },
    });
    const sweep = createSweep(catalog.context, EVERY);
    sweep.start();
    await clock.sleeping();
    await clock.advance(EVERY);
    await asked.promise;
    await Promise.all([sweep.close(), sweep.close()]);
    expect(await catalog.get(id)).toEqual(before);
    expect(clock.sleepers).toBe(0);
  });

  it("comes to relays beyond one page of ids", async () => {
    await listed();
    const stored = await catalog.store.relays.get((await catalog.ids())[0] ?? "");
    if (stored === null) throw new Error("nothing is listed");
    // Dead relays by the page: written, not probed, so that the test is about the walk alone.
    for (let index = 0; index < 250; index += 1) {
      const endpoint = `http://127.0.0.1:1/r${index}/mcp`;
      await catalog.store.relays.save({
        record: {
          ...stored.record,
          id: `dead-${index}`,
          source: endpoint,
          descriptor: { mcp: endpoint },
          online: false,
        },
        endpoint,
        hints: null,
        revision: null,
        events: [],
        now: clock.now(),
      });
    }
    await using sweep = createSweep(catalog.context, EVERY);
    sweep.start();
    await round();
    const ids = await catalog.ids();
    expect(ids).toHaveLength(251);
    const records = await Promise.all(ids.map((id) => catalog.get(id)));
    expect(new Set(records.map((record) => record.probe.at))).toEqual(
      new Set([new Date(clock.now()).toISOString()]),
    );
  });
});
