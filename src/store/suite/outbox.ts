/** The outbox: one delivery for each change and subscription that wants it, handed out once, in order. */
import assert from "node:assert/strict";
import type { AttemptReport } from "../webhook-store.ts";
import { change, list, NOW, sampleRecord } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";
import { claim, delivered, expandAll, only, report, subscribe } from "./webhook-samples.ts";

export const outboxCases: readonly StoreCase[] = [
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
];
