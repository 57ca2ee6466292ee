/** What is delivered, to whom, in which order, and what becomes of what does not arrive. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { MAX_FAILED_DELIVERIES } from "../../src/catalog/webhooks/limits.ts";
import { createExchange } from "../../src/net/index.ts";
import { verifies } from "../requirements.ts";
import { caller } from "./fixture.ts";
import { openWebhooks, type WebhookFixture } from "./webhook-fixture.ts";

let fixture: WebhookFixture;
beforeEach(async () => {
  fixture = await openWebhooks();
});
afterEach(() => fixture.close());

const done = (count: number) => (deliveries: readonly { readonly state: string }[]) =>
  deliveries.length >= count && deliveries.every(({ state }) => state !== "waiting");
const attempted = (count: number) => (deliveries: readonly { readonly attempts: number }[]) =>
  deliveries.some(({ attempts }) => attempts >= count);

describe("a delivery", () => {
  it(
    "is one signed POST with the event, the record and the same id in header and body",
    verifies("webhook.delivery", "webhook.signature"),
    async () => {
      const { receiver, catalog } = fixture;
      fixture.start();
      const { webhook, secret } = await fixture.subscribe();
      await fixture.happen("a.example", "relay.registered");
      await fixture.until(webhook.id, done(1));
      const [received] = receiver.all;
      expect(received).toMatchObject({
        path: "/",
        event: "relay.registered",
        body: {
          id: received?.delivery,
          event: "relay.registered",
          at: new Date(fixture.clock.now()).toISOString(),
          catalog: "http://127.0.0.1:1",
          relay: await catalog.get("a.example"),
        },
      });
      expect(Object.keys(received?.body ?? {})).toEqual(["id", "event", "at", "catalog", "relay"]);
      expect(received?.signature).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(received?.headers["content-type"]).toBe("application/json");
      if (received !== undefined) {
        expect(await receiver.verified(received, secret)).toBe(true);
        expect(await receiver.verified(received, `${secret}x`)).toBe(false);
      }
      expect((await fixture.webhook(webhook.id)).deliveries).toEqual([
        {
          id: received?.delivery,
          event: "relay.registered",
          relay: "a.example",
          at: received?.body.at,
          state: "delivered",
          status: 204,
          error: null,
          attempts: 1,
        },
      ]);
    },
  );

  it("of a removal has the id alone", verifies("webhook.removed-body"), async () => {
    fixture.start();
    await fixture.happen("a.example", "relay.registered");
    const { webhook } = await fixture.subscribe();
    await fixture.remove("a.example");
    await fixture.until(webhook.id, done(1));
    expect(fixture.receiver.all.map(({ body }) => [body.event, body.relay])).toEqual([
      ["relay.removed", { id: "a.example" }],
    ]);
  });

  it(
    "goes to those who want its event and its relay, each under an id of its own",
    verifies("webhook.filters"),
    async () => {
      const { receiver } = fixture;
      fixture.start();
      const all = (await fixture.subscribe({ url: `${receiver.url}/all` })).webhook;
      await fixture.subscribe({ url: `${receiver.url}/down`, events: ["relay.offline"] });
      await fixture.subscribe({ url: `${receiver.url}/b`, relays: ["b.example"] });
      await fixture.happen("a.example", "relay.registered");
      await fixture.happen("b.example", "relay.registered");
      await fixture.happen("b.example", "relay.updated", "relay.offline");
      await receiver.received(4, "/all");
      await receiver.received(3, "/b");
      await receiver.received(1, "/down");
      await fixture.until(all.id, done(4));
      expect(receiver.at("/down").map(({ event }) => event)).toEqual(["relay.offline"]);
      expect(receiver.at("/b").map(({ event }) => event)).toEqual([
        "relay.registered",
        "relay.updated",
        "relay.offline",
      ]);
      expect(new Set(receiver.all.map(({ delivery }) => delivery)).size).toBe(8);
    },
  );
});

describe("order", () => {
  it(
    "is kept for one relay, also over an attempt that failed, and other relays go ahead",
    verifies("webhook.order"),
    async () => {
      const { receiver, clock } = fixture;
      fixture.start();
      let down = true;
      receiver.answers(({ body }) => (down && body.relay?.id === "a.example" ? 503 : 200));
      const { webhook } = await fixture.subscribe();
      await fixture.happen("a.example", "relay.registered");
      await fixture.until(webhook.id, attempted(1));
      await fixture.happen("a.example", "relay.offline");
      await fixture.happen("b.example", "relay.registered");
      await fixture.happen("a.example", "relay.online");
      const told = () => receiver.all.map(({ event, body }) => `${event} ${body.relay?.id}`);
      await receiver.received(2);
      expect(told()).toEqual(["relay.registered a.example", "relay.registered b.example"]);
      down = false;
      await clock.advance(3_250);
      await fixture.until(webhook.id, done(4));
      expect(told().slice(2)).toEqual([
        "relay.registered a.example",
        "relay.offline a.example",
        "relay.online a.example",
      ]);
      expect(receiver.all[2]?.delivery).toBe(receiver.all[0]?.delivery);
    },
  );

  it("is kept through a burst, for every relay and subscription", verifies("webhook.order"), async () => {
    const { receiver } = fixture;
    const subscribed = await Promise.all(
      Array.from({ length: 8 }, (_, index) => fixture.subscribe({ url: `${receiver.url}/${index}` })),
    );
    for (let round = 0; round < 20; round += 1) {
      for (const relay of ["a", "b", "c", "d", "e"]) {
        await fixture.happen(`${relay}.example`, round % 2 === 0 ? "relay.offline" : "relay.online");
      }
    }
    fixture.start();
    for (const { webhook } of subscribed) await fixture.until(webhook.id, done(100));
    for (const [index] of subscribed.entries()) {
      const received = receiver.at(`/${index}`);
      expect(received).toHaveLength(100);
      for (const relay of ["a", "b", "c", "d", "e"]) {
        const failures = received
          .filter(({ body }) => body.relay?.id === `${relay}.example`)
          .map(({ body }) => (body.relay as { failures: number }).failures);
        expect(failures).toEqual(failures.toSorted((one, other) => one - other));
        expect(failures).toHaveLength(20);
      }
    }
  });
});

describe("attempts", () => {
  it(
    "are three, with growing pauses, under one id; then the failure is recorded",
    verifies("webhook.attempts", "webhook.same-id"),
    async () => {
      const { receiver, clock } = fixture;
      fixture.start();
      receiver.answers(() => 500);
      const { webhook } = await fixture.subscribe();
      await fixture.happen("a.example", "relay.registered");
      await fixture.until(webhook.id, attempted(1));
      await clock.advance(2_750);
      expect(receiver.all).toHaveLength(1);
      await clock.advance(500);
      await fixture.until(webhook.id, attempted(2));
      await clock.advance(29_500);
      expect(receiver.all).toHaveLength(2);
      await clock.advance(1_000);
      await fixture.until(webhook.id, done(1));
      await clock.advance(600_000);
      expect(new Set(receiver.all.map(({ delivery }) => delivery)).size).toBe(1);
      expect(receiver.all).toHaveLength(3);
      const after = await fixture.webhook(webhook.id);
      expect(after.deliveries).toMatchObject([
        { state: "failed", status: 500, error: "the receiver answered 500", attempts: 3 },
      ]);
      expect(after.webhook).toMatchObject({
        failures: 1,
        active: true,
        reason: "the receiver answered 500",
      });
    },
  );

  it(
    "follow Retry-After where it asks for more, for all relays of the subscription",
    verifies("webhook.retry-after"),
    async () => {
      const { receiver, clock } = fixture;
      fixture.start();
      receiver.answers(() => ({ status: 429, headers: { "retry-after": "120" } }));
      const { webhook } = await fixture.subscribe();
      await fixture.happen("a.example", "relay.registered");
      await fixture.until(webhook.id, attempted(1));
      await fixture.happen("b.example", "relay.registered");
      await clock.advance(119_000);
      expect(receiver.all).toHaveLength(1);
      receiver.answers(() => 200);
      await clock.advance(2_000);
      await fixture.until(webhook.id, done(2));
      expect(receiver.all).toHaveLength(3);
    },
  );

  it("do not follow redirects", verifies("webhook.no-redirects"), async () => {
    const { receiver } = fixture;
    fixture.start();
    receiver.answers(({ path }) =>
      path === "/" ? { status: 307, headers: { location: "/elsewhere" } } : 200,
    );
    const { webhook } = await fixture.subscribe();
    await fixture.happen("a.example", "relay.registered");
    await fixture.until(webhook.id, attempted(1));
    expect(receiver.at("/elsewhere")).toEqual([]);
    expect((await fixture.webhook(webhook.id)).deliveries).toMatchObject([
      { state: "waiting", status: 307, error: "the receiver answered 307, and redirects are not followed" },
    ]);
  });

  it(
    "are judged by the network policy each time, whatever was subscribed",
    verifies("webhook.policy"),
    async () => {
      await using strict = createExchange({ allowLoopback: false, allowNetworks: [] });
      await using other = await openWebhooks({ context: { exchange: strict.exchange } });
      other.start();
      const { webhook } = await other.subscribe();
      await other.happen("a.example", "relay.registered");
      await other.until(webhook.id, attempted(1));
      expect(other.receiver.all).toEqual([]);
      const [delivery] = (await other.webhook(webhook.id)).deliveries;
      expect(delivery).toMatchObject({ state: "waiting", status: null, attempts: 1 });
      expect(delivery?.error).toMatch(/loopback/);
    },
  );

  it("say nothing of the receiver when this machine has no socket left", async () => {
    const { clock } = fixture;
    const { OpenMcpError } = await import("../../src/spec/index.ts");
    let asked = 0;
    const exchange = async () => {
      asked += 1;
      throw new OpenMcpError("unavailable", "no socket is left");
    };
    await using other = await openWebhooks({ clock, context: { exchange } });
    other.start();
    const { webhook } = await other.subscribe();
    await other.happen("a.example", "relay.registered");
    for (let round = 0; round < 5; round += 1) {
      await other.until(webhook.id, () => asked > round);
      await clock.advance(1_250);
    }
    const { deliveries, webhook: after } = await other.webhook(webhook.id);
    expect(deliveries).toMatchObject([{ state: "waiting", attempts: 0, error: null }]);
    expect(after.failures).toBe(0);
  });
});

describe("a subscription whose deliveries fail", () => {
  it(
    "is inactive after fifty in a row, still there, and says why",
    verifies("webhook.inactive"),
    async () => {
      const { receiver, clock } = fixture;
      fixture.start();
      receiver.answers(() => 500);
      const { webhook } = await fixture.subscribe();
      for (let index = 0; index < MAX_FAILED_DELIVERIES + 10; index += 1) {
        await fixture.happen(`relay-${index}.example`, "relay.registered");
      }
      await receiver.received(MAX_FAILED_DELIVERIES + 10);
      for (const attempt of [2, 3]) {
        await fixture.until(webhook.id, (all) => all.every(({ attempts }) => attempts >= attempt - 1));
        await clock.advance(40_000);
      }
      for (let rounds = 0; rounds < 500 && (await fixture.webhook(webhook.id)).webhook.active; rounds += 1) {
        await clock.advance(250);
      }
      const after = await fixture.webhook(webhook.id);
      expect(after.webhook).toMatchObject({
        active: false,
        failures: MAX_FAILED_DELIVERIES,
        reason: "50 deliveries in a row failed; of the last, the receiver answered 500",
      });
      const sent = receiver.all.length;
      await fixture.happen("another.example", "relay.registered");
      await clock.advance(60_000);
      expect(receiver.all).toHaveLength(sent);
      // A handle on it is a credential, and so no part of the log.
      expect(fixture.log.join("\n")).toContain("inactive");
      expect(fixture.log.join("\n")).not.toContain(webhook.id);

      receiver.answers(() => 200);
      const { delivery } = await operations.testWebhook.run(fixture.context, { id: webhook.id }, caller);
      await fixture.until(webhook.id, (all) =>
        all.some(({ id, state }) => id === delivery && state === "delivered"),
      );
      expect((await fixture.webhook(webhook.id)).webhook).toMatchObject({
        active: true,
        failures: 0,
        reason: null,
      });
    },
  );

  it("counts only failures in a row", async () => {
    const { receiver, clock } = fixture;
    fixture.start();
    receiver.answers(({ body }) => (body.relay?.id === "bad.example" ? 500 : 200));
    const { webhook } = await fixture.subscribe();
    await fixture.happen("bad.example", "relay.registered");
    await fixture.until(webhook.id, attempted(1));
    await clock.advance(4_000);
    await fixture.until(webhook.id, attempted(2));
    await clock.advance(37_000);
    await fixture.until(webhook.id, done(1));
    expect((await fixture.webhook(webhook.id)).webhook.failures).toBe(1);
    await fixture.happen("good.example", "relay.registered");
    await fixture.until(webhook.id, done(2));
    expect((await fixture.webhook(webhook.id)).webhook).toMatchObject({ failures: 0, reason: null });
  });
});

describe("a receiver that hangs", () => {
  it("delays no other", verifies("webhook.lanes"), async () => {
    const { receiver } = fixture;
    fixture.start();
    receiver.answers(({ path }) => (path.startsWith("/hangs") ? "never" : 200));
    for (let index = 0; index < 5; index += 1)
      await fixture.subscribe({ url: `${receiver.url}/hangs-${index}` });
    const { webhook } = await fixture.subscribe({ url: `${receiver.url}/quick` });
    for (let index = 0; index < 100; index += 1)
      await fixture.happen(`r-${index}.example`, "relay.registered");
    // The clock stands still: nobody waited for a time-out.
    await fixture.until(webhook.id, done(100));
    expect(receiver.at("/quick")).toHaveLength(100);
  });

  it("leaves its place to others when many do", async () => {
    const { receiver, clock } = fixture;
    fixture.start();
    receiver.answers(({ path }) => (path === "/hangs" ? "never" : 200));
    for (let index = 0; index < 80; index += 1) await fixture.subscribe({ url: `${receiver.url}/hangs` });
    await fixture.happen("a.example", "relay.registered");
    await receiver.received(64, "/hangs");
    const { webhook } = await fixture.subscribe({ url: `${receiver.url}/quick` });
    await fixture.happen("b.example", "relay.registered");
    await clock.advance(1_500);
    await fixture.until(webhook.id, done(1));
    expect(receiver.at("/quick")).toHaveLength(1);
  });
});

describe("by hand", () => {
  it("a test is delivered, signed, without a relay", verifies("rest.webhook-test"), async () => {
    const { receiver } = fixture;
    fixture.start();
    const { webhook, secret } = await fixture.subscribe({ relays: ["a.example"], events: ["relay.offline"] });
    const { delivery } = await operations.testWebhook.run(fixture.context, { id: webhook.id }, caller);
    await fixture.until(webhook.id, done(1));
    const [received] = receiver.all;
    expect(received?.body).toEqual({
      id: delivery,
      event: "webhook.test",
      at: new Date(fixture.clock.now()).toISOString(),
      catalog: "http://127.0.0.1:1",
      relay: null,
    });
    if (received !== undefined) expect(await receiver.verified(received, secret)).toBe(true);
  });

  it(
    "a delivery is delivered again, byte for byte",
    verifies("rest.webhook-test", "webhook.same-id"),
    async () => {
      const { receiver, context } = fixture;
      fixture.start();
      const { webhook } = await fixture.subscribe();
      await fixture.happen("a.example", "relay.registered");
      await fixture.until(webhook.id, done(1));
      await fixture.happen("a.example", "relay.offline");
      await fixture.until(webhook.id, done(2));
      const [first] = receiver.all;
      const again = { id: webhook.id, delivery: first?.delivery ?? "" };
      expect(await operations.redeliver.run(context, again, caller)).toEqual({ delivery: first?.delivery });
      await receiver.received(3);
      expect(receiver.all[2]).toMatchObject({ raw: first?.raw, signature: first?.signature });
      await expect(
        operations.redeliver.run(context, { id: webhook.id, delivery: "none" }, caller),
      ).rejects.toMatchObject({ code: "not-found", data: { field: "delivery" } });
    },
  );

  it("a subscription that ends takes what waits with it", async () => {
    const { receiver, context } = fixture;
    let go = (): void => {};
    const held = new Promise<number>((resolve) => {
      go = () => resolve(200);
    });
    receiver.answers(() => held);
    const { webhook } = await fixture.subscribe();
    for (const event of ["relay.registered", "relay.offline", "relay.online"] as const) {
      await fixture.happen("a.example", event);
    }
    fixture.start();
    await receiver.received(1);
    await operations.unsubscribe.run(context, { id: webhook.id }, caller);
    go();
    const other = await fixture.subscribe({ url: `${receiver.url}/other` });
    await fixture.happen("b.example", "relay.registered");
    await fixture.until(other.webhook.id, done(1));
    expect(receiver.at("/")).toHaveLength(1);
    await expect(fixture.webhook(webhook.id)).rejects.toMatchObject({ code: "not-found" });
  });
});

it("a store that fails in the middle is no failure of the receiver, and is asked again in a while", async () => {
  const { catalog, clock } = fixture;
  let broken = true;
  let asked = 0;
  const webhooks = {
    ...catalog.store.webhooks,
    body(change: number) {
      asked += 1;
      return broken ? Promise.reject(new Error("the disk is gone")) : catalog.store.webhooks.body(change);
    },
  };
  await using other = await openWebhooks({ clock, context: { store: { ...catalog.store, webhooks } } });
  other.start();
  const { webhook } = await other.subscribe();
  await fixture.happen("a.example", "relay.registered");
  await fixture.until(webhook.id, () => asked === 1);
  await clock.advance(750);
  expect(asked).toBe(1);
  broken = false;
  await clock.advance(500);
  await fixture.until(webhook.id, done(1));
  expect(other.receiver.all).toHaveLength(1);
  expect((await fixture.webhook(webhook.id)).deliveries).toMatchObject([{ attempts: 1, status: 204 }]);
  expect(other.log.join("\n")).toContain("the disk is gone");
});
