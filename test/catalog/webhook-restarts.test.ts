/** Deliveries over stops, kills and two dispatchers: none lost, none in two hands, and a second one is the first again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { openWebhooks, type WebhookFixture } from "./webhook-fixture.ts";

let folder: string;
let receiver: Receiver;
let open: AsyncDisposable[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-webhooks-"));
  receiver = await startReceiver();
  open = [];
});
afterEach(async () => {
  await receiver.close();
  for (const part of open.reverse()) await part[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function node(clock = createManualClock()): Promise<WebhookFixture & { readonly store: Store }> {
  const store = await openSqliteStore({ path: join(folder, "catalog.db") });
  const fixture = await openWebhooks({ store, clock, receiver });
  open.push(store, fixture);
  return { ...fixture, store };
}

const done = (count: number) => (deliveries: readonly { readonly state: string }[]) =>
  deliveries.length >= count && deliveries.every(({ state }) => state !== "waiting");

describe("a stop", () => {
  it(
    "lets what is under way end, and leaves the rest to the next start",
    verifies("webhook.crash"),
    async () => {
      const first = await node();
      const { webhook } = await first.subscribe();
      for (let index = 0; index < 6; index += 1) await first.happen("a.example", "relay.updated");
      const held = Promise.withResolvers<number>();
      receiver.answers(() => held.promise);
      const worker = first.start();
      await receiver.received(1);
      const closed = worker.close();
      held.resolve(200);
      await closed;
      expect(receiver.all).toHaveLength(1);
      receiver.answers(() => 200);
      (await node(first.clock)).start();
      await first.until(webhook.id, done(6));
      expect(receiver.all).toHaveLength(6);
      expect(new Set(receiver.all.map(({ delivery }) => delivery)).size).toBe(6);
    },
  );

  it("breaks off what hangs, counts it as no attempt, and sends it again under the same id", async () => {
    const first = await node();
    const { webhook } = await first.subscribe();
    await first.happen("a.example", "relay.updated");
    receiver.answers(() => "never");
    const worker = first.start();
    await receiver.received(1);
    const closed = worker.close();
    // The tick has stopped; what sleeps now is the grace.
    await first.clock.sleeping();
    await first.clock.advance(3_000);
    await closed;
    expect(await first.store.webhooks.deliveries(webhook.id, 1)).toMatchObject([
      { state: "waiting", attempts: 0 },
    ]);
    receiver.answers(() => 200);
    (await node(first.clock)).start();
    await first.until(webhook.id, done(1));
    expect(receiver.all.map(({ raw }) => raw)).toEqual([receiver.all[0]?.raw, receiver.all[0]?.raw]);
  });
});

describe("two dispatchers over one file", () => {
  it("deliver each delivery once", verifies("webhook.same-id"), async () => {
    const one = await node();
    const two = await node(one.clock);
    const subscribed = await Promise.all(
      Array.from({ length: 20 }, (_, index) => one.subscribe({ url: `${receiver.url}/${index}` })),
    );
    one.start();
    two.start();
    for (let index = 0; index < 30; index += 1) {
      const [happens] = index % 2 === 0 ? [one] : [two];
      await happens.happen(`r-${index % 5}.example`, "relay.updated");
    }
    // Each looks at what the other wrote when its clock ticks.
    await one.clock.advance(250);
    for (const { webhook } of subscribed) await one.until(webhook.id, done(30));
    expect(receiver.all).toHaveLength(600);
    expect(new Set(receiver.all.map(({ delivery }) => delivery)).size).toBe(600);
  });

  it(
    "deliver what was left while the clock was ahead, once it is right again",
    verifies("webhook.crash"),
    async () => {
      const YEAR = 365 * 24 * 60 * 60_000;
      const real = createManualClock();
      let ahead = YEAR;
      const clock = { ...real, now: () => real.now() + ahead };
      const one = await node(clock);
      const { webhook } = await one.subscribe();
      receiver.answers(() => 500);
      one.start();
      await one.happen("tried.example", "relay.updated");
      await one.until(webhook.id, ([first]) => first?.attempts === 1);
      receiver.answers(() => 200);
      ahead = 0;
      await clock.sleeping();
      await clock.advance(250);
      await one.happen("tried.example", "relay.offline");
      await one.until(webhook.id, done(2));
      expect(receiver.all.map(({ event }) => event)).toEqual([
        "relay.updated",
        "relay.updated",
        "relay.offline",
      ]);
    },
  );

  it("take over from one that died, after a few seconds", verifies("webhook.crash"), async () => {
    const { clock, ...one } = await node();
    const { webhook } = await one.subscribe();
    await one.happen("a.example", "relay.updated");
    await one.store.webhooks.expand(clock.now(), 100);
    // One that was killed: it had said that it lives, and taken the subscription.
    const taken = await one.store.webhooks.claim({
      dispatcher: "dead",
      now: clock.now(),
      aliveUntil: clock.now() + 3_000,
      doubtful: false,
      limit: 1,
      each: 1,
      maxPaused: 1,
    });
    expect(taken).toHaveLength(1);
    (await node(clock)).start();
    await clock.advance(2_750);
    expect(receiver.all).toEqual([]);
    await clock.advance(500);
    await one.until(webhook.id, done(1));
    expect(receiver.all.map(({ delivery }) => delivery)).toEqual([taken[0]?.deliveries[0]?.id]);
  });
});
