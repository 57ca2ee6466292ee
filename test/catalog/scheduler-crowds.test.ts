import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLookRoom } from "../../src/catalog/watch/look-room.ts";
import { placeOf } from "../../src/catalog/watch/place-of.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { FakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { counter, PERIOD, startWatched, type Watched } from "./watched.ts";

/** Holds every request until it is told to go on; counts those that are held. */
function gate(): { readonly intercept: () => Promise<boolean>; readonly held: number; open(): void } {
  const opened = Promise.withResolvers<void>();
  let held = 0;
  return {
    async intercept() {
      held += 1;
      await opened.promise;
      held -= 1;
      return false;
    },
    get held() {
      return held;
    },
    open: () => opened.resolve(),
  };
}

async function crowd(watched: Watched, count: number, host: string): Promise<FakeRelay[]> {
  const relays: FakeRelay[] = [];
  for (let index = 0; index < count; index += 1) relays.push((await watched.listed({ host })).relay);
  return relays;
}

async function start(watched: Watched): Promise<void> {
  watched.watch();
  await watched.clock.sleeping();
  await watched.clock.advance(PERIOD);
}

describe("politeness", () => {
  it("asks four relays of one host at once, whatever their ports", verifies("watch.polite"), async () => {
    await using watched = await startWatched();
    const doors = gate();
    for (const relay of await crowd(watched, 10, "127.0.0.1")) relay.update({ intercept: doors.intercept });
    const other = await watched.listed({ host: "127.0.0.2" });
    const asked = counter(other.relay);
    await start(watched);
    await expect.poll(() => asked().POST).toBe(1);
    await expect.poll(() => doors.held).toBe(4);
    doors.open();
    await watched.settled();
  });

  it("asks eight relays of one registrable domain at once", verifies("watch.polite"), async () => {
    const hosts = Array.from({ length: 6 }, (_, index) => `h${index}.site.co.uk`);
    await using watched = await startWatched({
      lookup: async (hostname) => [{ address: `127.0.1.${hosts.indexOf(hostname) + 1}`, family: 4 }],
    });
    const doors = gate();
    for (const [index, host] of hosts.entries()) {
      for (const relay of await crowd(watched, 2, `127.0.1.${index + 1}`)) {
        await watched.catalog.register(relay.url.replace(`127.0.1.${index + 1}`, host));
        relay.update({ intercept: doors.intercept });
      }
    }
    await start(watched);
    // Twelve addresses without a domain, and of the twelve of the domain eight.
    await expect.poll(() => doors.held).toBe(20);
    doors.open();
    await watched.settled();
  });

  it.each([
    ["https://a.b.example.com/mcp", "a.b.example.com", "example.com"],
    ["https://a.example.co.uk:8443/mcp", "a.example.co.uk", "example.co.uk"],
    // Strangers share these.
    ["https://alice.github.io/mcp", "alice.github.io", "alice.github.io"],
    ["http://127.0.0.1:8080/mcp", "127.0.0.1", "127.0.0.1"],
    ["http://[::1]:8080/mcp", "::1", "::1"],
    ["http://localhost:8080/mcp", "localhost", "localhost"],
    ["https://com/mcp", "com", "com"],
  ])("counts %s at the host %s and in the domain %s", async (url, host, domain) => {
    expect(await placeOf(url)).toEqual({ host, domain });
  });
});

describe("slow relays", () => {
  it("hold up nobody, not even at their own host", verifies("watch.slow"), async () => {
    await using watched = await startWatched();
    const doors = gate();
    const slow = await crowd(watched, 8, "127.0.0.1");
    for (const relay of slow) relay.update({ intercept: doors.intercept });
    const quick = await watched.listed({ host: "127.0.0.1" });
    const asked = counter(quick.relay);
    await start(watched);
    await expect.poll(() => doors.held).toBe(4);
    expect(asked()).toEqual({});
    // Two seconds on they count as slow, and their places are taken by the next; so again.
    for (const held of [8, 8]) {
      await watched.clock.sleeping();
      await watched.clock.advance(2_001);
      await expect.poll(() => doors.held).toBe(held);
    }
    await expect.poll(() => asked().POST).toBe(1);
    doors.open();
    await watched.settled();
  });

  it("are set aside as far as there is room for all", () => {
    const room = createLookRoom({ quick: 2, most: 5, slowMs: 100 });
    const hang = (): Promise<void> => new Promise(() => {});
    expect(room.free(0)).toBe(2);
    room.run(0, hang);
    room.run(0, hang);
    expect(room.free(100)).toBe(0);
    expect(room.free(101)).toBe(2);
    room.run(101, hang);
    room.run(101, hang);
    // The clock was set back: who was slow stays so.
    expect(room.free(50)).toBe(0);
    expect(room.free(500)).toBe(1);
    room.run(500, hang);
    expect(room.free(9_999)).toBe(0);
  });
});

describe("a clock", () => {
  it("that jumps ahead makes every relay due once", verifies("watch.clock"), async () => {
    await using watched = await startWatched();
    const relays = await crowd(watched, 6, "127.0.0.1");
    const counts = relays.map(counter);
    watched.watch();
    // One descriptor a look, and a card when a day has passed, whatever else is asked.
    await watched.pass(400 * 86_400_000);
    expect(counts.map((count) => count().GET)).toEqual(relays.map(() => 2));
    await watched.pass(PERIOD);
    expect(counts.map((count) => count().GET)).toEqual(relays.map(() => 1));
  });

  it("that is set back makes nobody wait for the time that was", verifies("watch.clock"), async () => {
    let skew = 0;
    await using watched = await startWatched({
      clockFrom: (clock) => ({
        now: () => clock.now() + skew,
        sleep: (ms, signal) => clock.sleep(ms, signal),
      }),
    });
    skew = 400 * 86_400_000;
    const { relay, id } = await watched.listed();
    const asked = counter(relay);
    watched.watch();
    await watched.clock.sleeping();
    skew = 0;
    await watched.pass(1_000);
    expect(asked().POST).toBe(1);
    expect(await watched.nextIn(id)).toBe(PERIOD);
    // A step back that is shorter than any plan changes nothing.
    skew = -PERIOD;
    await watched.pass(1_000);
    expect(asked()).toEqual({});
    await watched.pass(2 * PERIOD - 1_000);
    expect(asked().POST).toBe(1);
  });

  it(
    "loses or doubles nothing while a look is under way",
    verifies("watch.clock", "watch.once"),
    async () => {
      await using watched = await startWatched();
      const { relay, id } = await watched.listed();
      const doors = gate();
      const asked = counter(relay);
      relay.update({ intercept: doors.intercept });
      await start(watched);
      await expect.poll(() => doors.held).toBe(1);
      await watched.clock.advance(3_600_000);
      await watched.clock.sleeping();
      await watched.clock.advance(3_600_000);
      expect(doors.held).toBe(1);
      doors.open();
      await watched.settled();
      expect(asked()).toEqual({ GET: 1, POST: 1 });
      expect((await watched.catalog.get(id)).failures).toBe(0);
    },
  );
});

describe("a period that was made shorter", () => {
  it("holds from the start on", verifies("watch.restarts"), async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-watch-"));
    try {
      await using store = await openSqliteStore({ path: join(folder, "catalog.db") });
      await using before = await startWatched({ store, rules: { periodMs: 3_600_000 } });
      const { relay } = await before.listed();
      await using after = await startWatched({ store });
      const asked = counter(relay);
      after.watch();
      await after.settled();
      await expect.poll(() => asked().POST).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("two schedulers over one store", () => {
  it("share the work, each relay once", verifies("watch.once"), async () => {
    await using watched = await startWatched();
    const relays = await crowd(watched, 12, "127.0.0.1");
    const counts = relays.map(counter);
    watched.watch();
    watched.watch();
    await watched.clock.sleeping(2);
    await watched.clock.advance(PERIOD);
    await watched.settled();
    expect(counts.map((count) => count().POST)).toEqual(relays.map(() => 1));
  });

  it("count a look once when one lost its lease to the other", verifies("watch.once"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    relay.update({ descriptor: { mcp: "/mcp", name: "Changed" } });
    const doors = gate();
    relay.update({ intercept: doors.intercept });
    await start(watched);
    await expect.poll(() => doors.held).toBe(1);
    // Another process believes that the first one is gone; its own lease ends at a time that the first one believes.
    const ask = { leaseMs: -5_000, limit: 9, slowMs: 1, perHost: 9, perDomain: 9 };
    const later = watched.clock.now() + 15_001;
    const { relays } = await watched.catalog.store.schedule.lease({
      ...ask,
      owner: "another",
      now: later,
      mostPerHost: 9,
      mostPerDomain: 9,
    });
    expect(relays.map((one) => one.id)).toEqual([id]);
    doors.open();
    await expect.poll(() => relay.requests.length).toBeGreaterThan(4);
    await watched.clock.sleeping();
    expect(await watched.events()).toEqual(["relay.registered"]);
    await watched.catalog.store.schedule.handBack("another");
    await watched.pass(1_000);
    expect(await watched.events()).toEqual(["relay.registered", "relay.updated"]);
  });
});
