/** Subscriptions: kept, ended, given another chance; what is kept of their deliveries. */
import assert from "node:assert/strict";
import type { AttemptReport } from "../webhook-store.ts";
import { list, NOW, sampleRecord } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";
import { claim, delivered, expandAll, only, report, subscribe } from "./webhook-samples.ts";

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
