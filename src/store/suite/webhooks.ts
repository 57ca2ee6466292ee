/** Subscriptions and the outbox: one delivery for each change and subscription that wants it, handed out once, in order. */
import assert from "node:assert/strict";
import type { EventName } from "../../spec/index.ts";
import type { Store } from "../store.ts";
import type { AttemptReport, ClaimedWebhook, ClaimOptions, WebhookReport } from "../webhook-store.ts";
import { change, list, NOW, sampleRecord } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const ALL: readonly EventName[] = [
  "relay.registered",
  "relay.updated",
  "relay.online",
  "relay.offline",
  "relay.removed",
];

function subscribe(
  store: Store,
  id: string,
  options: { readonly events?: readonly EventName[]; readonly relays?: readonly string[] } = {},
) {
  const { events = ALL, relays = null } = options;
  return store.webhooks.create({
    id,
    url: `https://${id}.example/`,
    events,
    relays,
    secret: `s-${id}`,
    now: NOW,
  });
}

async function expandAll(store: Store, limit = 1_000): Promise<void> {
  for (let rounds = 0; await store.webhooks.expand(NOW, limit); rounds += 1) {
    assert(rounds < 1_000, "the outbox is never done");
  }
}

function claim(store: Store, changes: Partial<ClaimOptions> = {}): Promise<readonly ClaimedWebhook[]> {
  return store.webhooks.claim({
    dispatcher: "me",
    now: NOW,
    aliveUntil: NOW,
    doubtful: false,
    limit: 100,
    each: 100,
    maxPaused: 10,
    ...changes,
  });
}

function delivered(delivery: number): AttemptReport {
  return { delivery, state: "delivered", attempts: 1, status: 204, error: null, dueAt: NOW };
}

function report(webhook: ClaimedWebhook, attempts: readonly AttemptReport[]): WebhookReport {
  return {
    webhook: webhook.key,
    attempts,
    failures: 0,
    doubtful: false,
    active: true,
    reason: null,
    done: true,
    restUntil: 0,
  };
}

async function only(store: Store, changes: Partial<ClaimOptions> = {}): Promise<ClaimedWebhook> {
  const [first, ...others] = await claim(store, changes);
  assert(first !== undefined && others.length === 0, "one subscription was expected");
  return first;
}

export const webhookCases: readonly StoreCase[] = [
  {
    name: "keeps subscriptions, and tells nobody their secret",
    async run(store) {
      const made = await subscribe(store, "a", { events: ["relay.offline"], relays: ["y", "x", "y"] });
      assert.deepEqual(made.events, ["relay.offline"]);
      const read = await store.webhooks.get("a");
      assert(read !== null && !JSON.stringify(read).includes("s-a"));
      assert.deepEqual(
        { ...read, relays: [...(read.relays ?? [])].sort() },
        {
          id: "a",
          url: "https://a.example/",
          events: ["relay.offline"],
          relays: ["x", "y"],
          createdAt: new Date(NOW).toISOString(),
          failures: 0,
          active: true,
          reason: null,
        },
      );
      assert.equal((await subscribe(store, "b")).relays, null);
      assert.equal((await store.webhooks.get("b"))?.relays, null);
      assert.equal(await store.webhooks.get("none"), null);
      assert.equal(await store.webhooks.remove("none"), false);
      assert.equal(await store.webhooks.remove("a"), true);
      assert.equal(await store.webhooks.get("a"), null);
      assert.equal(await store.webhooks.deliveries("a", 10), null);
    },
  },
  {
    name: "makes one delivery for each change and subscription that wants it",
    async run(store) {
      await list(store, sampleRecord("before.example"));
      await subscribe(store, "all");
      await subscribe(store, "down", { events: ["relay.offline"] });
      await subscribe(store, "one", { relays: ["a.example"] });
      const record = sampleRecord("a.example");
      await list(store, record);
      await list(store, sampleRecord("b.example"));
      await change(store, { ...record, online: false }, ["relay.updated", "relay.offline"]);
      await store.relays.remove("b.example", { id: "gone" }, NOW);
      // In small steps, as when there are many: no pair is left out or taken twice.
      await expandAll(store, 2);
      assert.equal(await store.webhooks.waiting(), 9);
      await subscribe(store, "late");
      await expandAll(store);
      const of = async (id: string) =>
        (await store.webhooks.deliveries(id, 100))?.map(({ event, relay }) => `${event} ${relay}`).reverse();
      assert.deepEqual(await of("all"), [
        "relay.registered a.example",
        "relay.registered b.example",
        "relay.updated a.example",
        "relay.offline a.example",
        "relay.removed b.example",
      ]);
      assert.deepEqual(await of("down"), ["relay.offline a.example"]);
      assert.deepEqual(await of("one"), [
        "relay.registered a.example",
        "relay.updated a.example",
        "relay.offline a.example",
      ]);
      assert.deepEqual(await of("late"), []);
      assert.equal(await store.webhooks.waiting(), 9);
      const ids = (await store.webhooks.deliveries("all", 100))?.map(({ id }) => id);
      assert.equal(new Set(ids).size, 5);
    },
  },
  {
    name: "hands a subscription to one dispatcher at a time, and on when that one died",
    async run(store) {
      await subscribe(store, "a");
      await list(store, sampleRecord("a.example"));
      await expandAll(store);
      const mine = await only(store, { aliveUntil: NOW + 10 });
      assert.deepEqual([mine.id, mine.url, mine.secret], ["a", "https://a.example/", "s-a"]);
      assert.equal(await store.webhooks.holds(mine.key, "me"), true);
      assert.equal(await store.webhooks.holds(mine.key, "other"), false);
      assert.deepEqual(await claim(store, { dispatcher: "other", now: NOW + 9 }), []);
      const theirs = await only(store, { dispatcher: "other", now: NOW + 10 });
      assert.deepEqual(theirs.deliveries, mine.deliveries);
      await store.webhooks.beat("other", NOW + 20);
      assert.equal(await store.webhooks.holds(mine.key, "me"), false);
      // Who was thought dead reports after all: what arrived has arrived, and the subscription stays the other's.
      const late = {
        ...report(
          mine,
          mine.deliveries.map(({ key }) => delivered(key)),
        ),
        active: false,
      };
      await store.webhooks.report([late], { dispatcher: "me", now: NOW, keep: 10 });
      assert.equal(await store.webhooks.holds(mine.key, "other"), true);
      assert.equal(await store.webhooks.waiting(), 0);
      assert.equal(
        await store.webhooks.redeliver("a", {
          delivery: mine.deliveries[0]?.id ?? "",
          now: NOW,
          failures: 0,
        }),
        true,
      );
      assert.deepEqual(await claim(store, { now: NOW + 11 }), []);
      await store.webhooks.resign("other");
      assert.equal((await only(store, { now: NOW + 11 })).id, "a");
    },
  },
  {
    name: "hands out in order, and nothing of a relay behind an attempt that waits",
    async run(store) {
      await subscribe(store, "a");
      for (const id of ["x", "y"]) {
        const record = sampleRecord(`${id}.example`);
        await list(store, record);
        await change(store, { ...record, online: false }, ["relay.offline"]);
      }
      await expandAll(store);
      const first = await only(store, { each: 3 });
      assert.deepEqual(
        first.deliveries.map(({ event, relay }) => [event, relay]),
        [
          ["relay.registered", "x.example"],
          ["relay.offline", "x.example"],
          ["relay.registered", "y.example"],
        ],
      );
      const [x, , y] = first.deliveries;
      assert(x !== undefined && y !== undefined);
      const body = await store.webhooks.body(x.change ?? 0);
      assert.deepEqual(JSON.parse(body?.text ?? ""), sampleRecord("x.example"));
      const failed: AttemptReport = {
        delivery: x.key,
        state: "waiting",
        attempts: 1,
        status: 500,
        error: "it answered 500",
        dueAt: NOW + 5,
      };
      await store.webhooks.report([{ ...report(first, [failed, delivered(y.key)]), doubtful: true }], {
        dispatcher: "me",
        now: NOW,
        keep: 10,
      });
      assert.deepEqual(await claim(store), [], "a doubtful one is no sure one");
      const second = await only(store, { doubtful: true });
      assert.deepEqual(
        second.deliveries.map(({ event, relay }) => [event, relay]),
        [["relay.offline", "y.example"]],
      );
      await store.webhooks.report(
        [
          report(
            second,
            second.deliveries.map(({ key }) => delivered(key)),
          ),
        ],
        {
          dispatcher: "me",
          now: NOW,
          keep: 10,
        },
      );
      assert.deepEqual(await claim(store, { now: NOW + 4 }), []);
      const third = await only(store, { now: NOW + 5 });
      assert.deepEqual(
        third.deliveries.map(({ event, relay, attempts }) => [event, relay, attempts]),
        [
          ["relay.registered", "x.example", 1],
          ["relay.offline", "x.example", 0],
        ],
      );
      assert.deepEqual((await store.webhooks.deliveries("a", 10))?.at(-1), {
        id: x.id,
        event: "relay.registered",
        relay: "x.example",
        at: new Date(NOW).toISOString(),
        state: "waiting",
        status: 500,
        error: "it answered 500",
        attempts: 1,
      });
    },
  },
  {
    name: "hands out nothing more of a subscription with too many attempts that wait",
    async run(store) {
      await subscribe(store, "a");
      for (const id of ["x", "y", "z"]) await list(store, sampleRecord(`${id}.example`));
      await expandAll(store);
      const first = await only(store, { each: 2 });
      await store.webhooks.report(
        [
          report(
            first,
            first.deliveries.map(({ key }) => ({
              ...delivered(key),
              state: "waiting" as const,
              dueAt: NOW + 5,
            })),
          ),
        ],
        { dispatcher: "me", now: NOW, keep: 10 },
      );
      assert.deepEqual(await claim(store, { maxPaused: 2 }), []);
      assert.deepEqual(await claim(store, { now: NOW + 4, maxPaused: 2 }), []);
      assert.equal((await only(store, { now: NOW + 5, maxPaused: 2 })).deliveries.length, 3);
    },
  },
  {
    name: "hands out who waits longest first, and takes a claim for a sign of life",
    async run(store) {
      await subscribe(store, "a");
      await subscribe(store, "b");
      for (const id of ["x", "y"]) await list(store, sampleRecord(`${id}.example`));
      await expandAll(store);
      const order: string[] = [];
      for (let turn = 1; turn <= 4; turn += 1) {
        const mine = await only(store, { limit: 1, each: 1, now: NOW + turn });
        order.push(mine.id);
        await store.webhooks.report(
          [
            report(
              mine,
              mine.deliveries.map(({ key }) => delivered(key)),
            ),
          ],
          {
            dispatcher: "me",
            now: NOW + turn,
            keep: 10,
          },
        );
      }
      assert.deepEqual(
        [order[0] === order[1], order[2] === order[3], new Set(order).size],
        [false, false, 2],
      );
      await list(store, sampleRecord("z.example"));
      await expandAll(store);
      await claim(store, { now: NOW + 5, aliveUntil: NOW + 8 });
      assert.deepEqual(await claim(store, { dispatcher: "other", now: NOW + 7 }), []);
      assert.equal((await claim(store, { dispatcher: "other", now: NOW + 8 })).length, 2);
    },
  },
  {
    name: "lets a subscription rest, whatever comes, until it is over or a test is asked for",
    async run(store) {
      await subscribe(store, "a");
      await list(store, sampleRecord("x.example"));
      await expandAll(store);
      const first = await only(store);
      const resting = { ...report(first, []), restUntil: NOW + 5 };
      await store.webhooks.report([resting], { dispatcher: "me", now: NOW, keep: 10 });
      await list(store, sampleRecord("y.example"));
      await expandAll(store);
      assert.deepEqual(await claim(store, { now: NOW + 4 }), []);
      const second = await only(store, { now: NOW + 5 });
      assert.equal(second.deliveries.length, 2);
      await store.webhooks.report([resting], { dispatcher: "me", now: NOW, keep: 10 });
      assert.deepEqual(await claim(store, { now: NOW + 4 }), []);
      await store.webhooks.addTest("a", { id: "t", now: NOW + 1, failures: 0 });
      assert.equal((await only(store, { now: NOW + 1 })).deliveries.length, 3);
    },
  },
  {
    name: "has what was planned by a clock that was ahead due when it is set back, and keeps to what could be planned now",
    async run(store) {
      const ahead = 1_000_000;
      const day = 100_000;
      const beyond = { now: NOW, attempt: NOW + 100, rest: NOW + day, word: NOW + 10 };
      for (const id of ["never-tried", "tried", "resting", "rested-too-long", "soon"])
        await subscribe(store, id);
      await list(store, sampleRecord("a.example"));
      while (await store.webhooks.expand(NOW + ahead, 100));
      // Its dispatcher died while the clock was ahead.
      const claimed = await claim(store, { now: NOW + ahead, aliveUntil: NOW + ahead + 10 });
      const plans: Readonly<Record<string, { readonly dueAt: number; readonly restUntil: number }>> = {
        tried: { dueAt: NOW + ahead + 50, restUntil: 0 },
        resting: { dueAt: NOW + day, restUntil: NOW + day },
        "rested-too-long": { dueAt: NOW + ahead + day, restUntil: NOW + ahead + day },
        soon: { dueAt: NOW + 100, restUntil: 0 },
      };
      const reports = claimed.flatMap((webhook) => {
        const plan = plans[webhook.id];
        if (plan === undefined) return [];
        const attempts = webhook.deliveries.map(
          ({ key }): AttemptReport => ({ ...delivered(key), state: "waiting", dueAt: plan.dueAt }),
        );
        return [{ ...report(webhook, attempts), restUntil: plan.restUntil }];
      });
      await store.webhooks.report(reports, { dispatcher: "me", now: NOW, keep: 10 });
      assert.deepEqual(await claim(store, { dispatcher: "other" }), []);
      await store.webhooks.recall(beyond);
      const due = async (now: number) =>
        (await claim(store, { dispatcher: "other", now, aliveUntil: NOW + day + 1 }))
          .map(({ id }) => id)
          .sort();
      assert.deepEqual(await due(NOW), ["never-tried", "rested-too-long", "tried"]);
      assert.deepEqual(await due(NOW + 100), ["soon"]);
      assert.deepEqual(await due(NOW + day), ["resting"]);
      // Who said that he lives within what a living one says keeps what he has.
      await store.webhooks.beat("other", beyond.word);
      await store.webhooks.recall(beyond);
      assert.deepEqual(await claim(store), []);
    },
  },
  {
    name: "delivers nothing of an inactive subscription until it is given another chance",
    async run(store) {
      await subscribe(store, "a");
      await list(store, sampleRecord("a.example"));
      await expandAll(store);
      const mine = await only(store);
      const [one] = mine.deliveries;
      assert(one !== undefined);
      const failed: AttemptReport = {
        ...delivered(one.key),
        state: "failed",
        status: null,
        error: "no answer",
      };
      await store.webhooks.report(
        [{ ...report(mine, [failed]), active: false, failures: 50, reason: "too many" }],
        { dispatcher: "me", now: NOW, keep: 10 },
      );
      await list(store, sampleRecord("b.example"));
      await expandAll(store);
      assert.deepEqual(await claim(store), []);
      assert.equal(await store.webhooks.waiting(), 0);
      const inactive = await store.webhooks.get("a");
      assert.deepEqual([inactive?.active, inactive?.failures, inactive?.reason], [false, 50, "too many"]);
      assert.equal(await store.webhooks.redeliver("a", { delivery: "none", now: NOW, failures: 49 }), false);
      assert.equal((await store.webhooks.get("a"))?.active, false);
      assert.equal(await store.webhooks.redeliver("a", { delivery: one.id, now: NOW, failures: 49 }), true);
      assert.deepEqual(
        [(await store.webhooks.get("a"))?.active, (await store.webhooks.get("a"))?.failures],
        [true, 49],
      );
      const again = await only(store);
      assert.deepEqual(
        again.deliveries.map(({ id, attempts }) => [id, attempts]),
        [[one.id, 0]],
      );
      assert.equal(await store.webhooks.addTest("none", { id: "t", now: NOW, failures: 49 }), false);
      assert.equal(await store.webhooks.addTest("a", { id: "t", now: NOW, failures: 49 }), true);
      assert.deepEqual((await store.webhooks.deliveries("a", 1))?.[0], {
        id: "t",
        event: "webhook.test",
        relay: null,
        at: new Date(NOW).toISOString(),
        state: "waiting",
        status: null,
        error: null,
        attempts: 0,
      });
    },
  },
  {
    name: "keeps the last finished deliveries of each subscription, and none of long ago",
    async run(store) {
      await subscribe(store, "a");
      await subscribe(store, "b");
      for (const id of ["v", "w", "x", "y"]) await list(store, sampleRecord(`${id}.example`));
      await expandAll(store);
      for (const claimed of await claim(store)) {
        const attempts = claimed.deliveries.slice(0, 3).map(({ key }) => delivered(key));
        await store.webhooks.report([report(claimed, attempts)], { dispatcher: "me", now: NOW, keep: 2 });
      }
      const relays = (await store.webhooks.deliveries("a", 10))?.map(({ relay, state }) => [relay, state]);
      assert.deepEqual(relays, [
        ["y.example", "waiting"],
        ["x.example", "delivered"],
        ["w.example", "delivered"],
      ]);
      assert.equal(await store.webhooks.forget(NOW, 100), 0);
      assert.equal(await store.webhooks.forget(NOW + 1, 2), 2);
      assert.equal(await store.webhooks.forget(NOW + 1, 100), 4);
      assert.equal(await store.webhooks.waiting(), 0);
    },
  },
  {
    name: "drops what waits with its subscription, also while someone has it",
    async run(store) {
      await subscribe(store, "a");
      await list(store, sampleRecord("x.example"));
      await expandAll(store);
      const mine = await only(store);
      assert.equal(await store.webhooks.remove("a"), true);
      assert.equal(await store.webhooks.waiting(), 0);
      assert.equal(await store.webhooks.holds(mine.key, "me"), false);
      await store.webhooks.report(
        [
          report(
            mine,
            mine.deliveries.map(({ key }) => delivered(key)),
          ),
        ],
        {
          dispatcher: "me",
          now: NOW,
          keep: 10,
        },
      );
      assert.deepEqual(await claim(store), []);
    },
  },
  {
    name: "replaces a secret only as it was read",
    async run(store) {
      await subscribe(store, "a");
      await subscribe(store, "b");
      const [first, second] = await store.webhooks.secrets(0, 10);
      assert(first !== undefined && second !== undefined);
      assert.deepEqual([first.id, first.secret, second.secret], ["a", "s-a", "s-b"]);
      await store.webhooks.reseal(first.key, { from: "another", to: "wrong" });
      await store.webhooks.reseal(second.key, { from: "s-b", to: "sealed" });
      assert.deepEqual(
        (await store.webhooks.secrets(0, 10)).map(({ secret }) => secret),
        ["s-a", "sealed"],
      );
      assert.deepEqual(await store.webhooks.secrets(first.key, 1), [{ ...second, secret: "sealed" }]);
    },
  },
];
