import { describe, expect, it } from "vitest";
import { verifies } from "../requirements.ts";
import { counter, down, PERIOD, startWatched } from "./watched.ts";

describe("a relay that answers", () => {
  it(
    "is looked at when it is due, not before, and says when that is",
    verifies("probe.on-a-schedule", "watch.next-at"),
    async () => {
      await using watched = await startWatched();
      const { relay, id } = await watched.listed();
      expect(await watched.nextIn(id)).toBe(PERIOD);
      watched.watch();
      const asked = counter(relay);
      await watched.pass(PERIOD - 1);
      expect(asked()).toEqual({});
      await watched.pass(1);
      expect(asked().POST).toBe(1);
      expect(await watched.nextIn(id)).toBe(PERIOD);
      await watched.pass(PERIOD);
      expect(asked().POST).toBe(1);
      expect(await watched.catalog.get(id)).toMatchObject({
        online: true,
        seenAt: new Date(watched.clock.now()).toISOString(),
        probe: { attempts: 1 },
      });
    },
  );

  it("has its next look put off by one made by hand", async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    watched.watch();
    await watched.pass(PERIOD / 2);
    await watched.catalog.refresh(id);
    const asked = counter(relay);
    await watched.pass(PERIOD - 1);
    expect(asked()).toEqual({});
    await watched.pass(1);
    expect(asked().POST).toBe(1);
  });

  it(
    "is asked less often when its list says that it holds, and never more often",
    verifies("watch.hints"),
    async () => {
      await using watched = await startWatched();
      const short = await watched.listed({ ttlMs: 1 });
      const long = await watched.listed({ host: "127.0.0.2", ttlMs: 86_400_000 });
      watched.watch();
      await watched.pass(PERIOD);
      expect(await watched.nextIn(short.id)).toBe(PERIOD);
      await watched.pass(PERIOD);
      expect(await watched.nextIn(long.id)).toBe(2 * PERIOD);
    },
  );
});

describe("one lost probe", () => {
  it(
    "is no outage: the relay stays online, and the next look comes soon",
    verifies("watch.second-look"),
    async () => {
      await using watched = await startWatched();
      const { relay, id } = await watched.listed();
      const before = await watched.catalog.get(id);
      watched.watch();
      relay.update({ intercept: down });
      await watched.pass(PERIOD);
      expect(await watched.catalog.get(id)).toMatchObject({
        online: true,
        failures: 1,
        tools: before.tools,
        toolsFrom: "relay",
        seenAt: before.seenAt,
        lastError: expect.any(String),
        probe: { state: "unreachable" },
      });
      expect(await watched.nextIn(id)).toBe(PERIOD / 2);
      relay.update({ intercept: () => false });
      await watched.pass(PERIOD / 2);
      expect(await watched.catalog.get(id)).toMatchObject({ online: true, failures: 0, lastError: null });
      expect(await watched.events()).toEqual(["relay.registered"]);
    },
  );

  it(
    "is an outage when the second look fails too",
    verifies("watch.second-look", "webhook.events"),
    async () => {
      await using watched = await startWatched();
      const { relay, id } = await watched.listed();
      watched.watch();
      relay.update({ intercept: down });
      await watched.pass(PERIOD);
      await watched.pass(PERIOD / 2);
      expect(await watched.catalog.get(id)).toMatchObject({
        online: false,
        failures: 2,
        toolsFrom: "earlier",
      });
      expect(await watched.events()).toEqual(["relay.registered", "relay.offline"]);
      relay.update({ intercept: () => false });
      await watched.pass(PERIOD);
      expect(await watched.events()).toEqual(["relay.registered", "relay.offline", "relay.online"]);
    },
  );

  it.each([1, 2, 3])("is believed after %i looks where that is the rule", async (confirmOffline) => {
    await using watched = await startWatched({ rules: { confirmOffline } });
    const { relay, id } = await watched.listed();
    watched.watch();
    relay.update({ intercept: down });
    await watched.pass(PERIOD);
    for (let look = 1; look < confirmOffline; look += 1) {
      expect((await watched.catalog.get(id)).online).toBe(true);
      await watched.pass(PERIOD / 2);
    }
    expect(await watched.catalog.get(id)).toMatchObject({ online: false, failures: confirmOffline });
  });

  it("is settled at once by hand, also in between", verifies("record.refresh-judges"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    watched.watch();
    relay.update({ intercept: down });
    await watched.pass(PERIOD);
    expect(await watched.catalog.refresh(id)).toMatchObject({
      events: ["relay.offline"],
      relay: { online: false, failures: 2, probe: { attempts: 2 } },
    });
  });

  it("is no lost probe when the relay refuses: a refusal is an answer", async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed({ descriptor: { mcp: "/mcp" } });
    watched.watch();
    relay.update({ token: "gated" });
    await watched.pass(PERIOD);
    expect(await watched.catalog.get(id)).toMatchObject({
      online: false,
      probe: { state: "auth-required" },
    });
    // That is how it is: there is nothing to back off from.
    await watched.pass(PERIOD);
    expect(await watched.nextIn(id)).toBe(PERIOD);
  });
});

describe("a relay that keeps failing", () => {
  it(
    "is asked ever more seldom, and as often as before once it is back",
    verifies("watch.backoff"),
    async () => {
      await using watched = await startWatched();
      const { relay, id } = await watched.listed();
      watched.watch();
      relay.update({ intercept: down });
      const pauses: number[] = [];
      await watched.pass(PERIOD);
      for (let look = 0; look < 6; look += 1) {
        pauses.push(await watched.nextIn(id));
        await watched.pass(pauses.at(-1) ?? 0);
      }
      expect(pauses).toEqual([0.5, 1, 2, 4, 8, 16].map((periods) => periods * PERIOD));
      relay.update({ intercept: () => false });
      await watched.pass(await watched.nextIn(id));
      expect(await watched.nextIn(id)).toBe(PERIOD);
    },
  );

  it("is put off by nobody who asks by hand", verifies("watch.backoff"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    watched.watch();
    relay.update({ intercept: down });
    await watched.catalog.refresh(id);
    for (let look = 0; look < 12; look += 1) await watched.catalog.refresh(id);
    expect((await watched.catalog.get(id)).failures).toBe(13);
    expect(await watched.nextIn(id)).toBe(PERIOD);
    await watched.pass(PERIOD);
    // Nor later: the pause is never longer than the outage has been.
    expect(await watched.nextIn(id)).toBe(PERIOD);
  });

  it("is left alone for as long as it asks", async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    watched.watch();
    relay.update({
      intercept(_, response) {
        response.writeHead(503, { "retry-after": "120" }).end();
        return true;
      },
    });
    await watched.pass(PERIOD);
    expect(await watched.nextIn(id)).toBe(120_000);
  });

  it.each([
    ["at most a period", PERIOD / 1_000, true],
    ["longer than a period", PERIOD / 1_000 + 1, false],
  ])("is still doubted when it asks to be left alone for %s", async (_, seconds, online) => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    watched.watch();
    relay.update({
      intercept(_seen, response) {
        response.writeHead(503, { "retry-after": String(seconds) }).end();
        return true;
      },
    });
    await watched.pass(PERIOD);
    expect(await watched.catalog.get(id)).toMatchObject({ online, failures: 1 });
    expect(await watched.nextIn(id)).toBe(seconds * 1_000);
  });
});

describe("a look that can't be written", () => {
  it("is made again later, and holds no lease meanwhile", verifies("watch.once"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    const { store } = watched.catalog;
    const { save } = store.relays;
    let refused = 0;
    Object.assign(store.relays, {
      save(write: Parameters<typeof save>[0]) {
        if (write.lease === undefined || refused > 0) return save(write);
        refused += 1;
        return Promise.reject(new Error("the disk is full"));
      },
    });
    watched.watch();
    const asked = counter(relay);
    await watched.pass(PERIOD);
    expect([refused, asked().POST]).toEqual([1, 1]);
    await watched.pass(60_000);
    expect(asked().POST).toBe(1);
    expect((await watched.catalog.get(id)).probe.at).toBe(new Date(watched.clock.now()).toISOString());
  });
});

describe("a stop", () => {
  it("breaks off what is under way, and leaves it due", verifies("watch.restarts"), async () => {
    await using watched = await startWatched();
    const { relay, id } = await watched.listed();
    const before = await watched.catalog.get(id);
    const asked = Promise.withResolvers<void>();
    relay.update({
      intercept() {
        asked.resolve();
        return true;
      },
    });
    const first = watched.watch();
    await watched.clock.sleeping();
    await watched.clock.advance(PERIOD);
    await asked.promise;
    await Promise.all([first.close(), first.close()]);
    expect(await watched.catalog.get(id)).toEqual(before);
    expect(watched.clock.sleepers).toBe(0);
    expect(await watched.catalog.store.schedule.counts(watched.clock.now())).toEqual({ due: 1, leased: 0 });
    relay.update({ intercept: () => false });
    watched.watch();
    await watched.settled();
    expect((await watched.catalog.get(id)).probe.at).toBe(new Date(watched.clock.now()).toISOString());
  });

  it("plans nothing anew: what is not due at the start is not asked", async () => {
    await using watched = await startWatched();
    const { relay } = await watched.listed();
    await watched.watch().close();
    const asked = counter(relay);
    watched.watch();
    await watched.clock.sleeping();
    await watched.clock.advance(PERIOD / 2);
    expect(asked()).toEqual({});
  });
});
