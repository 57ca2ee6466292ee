/** Budgets: what is taken is gone until it comes back, nobody's is another's, and full buckets are dropped. */
import assert from "node:assert/strict";
import type { BudgetAsk } from "../budget-store.ts";
import { NOW } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const ask: BudgetAsk = {
  client: "192.0.2.1",
  budget: "register",
  rule: { perMinute: 60, burst: 3 },
  cost: 1,
  now: NOW,
};

export const budgetCases: readonly StoreCase[] = [
  {
    name: "gives what a budget holds, then what comes back",
    async run({ budgets }) {
      const remaining: number[] = [];
      for (let round = 0; round < 3; round += 1) remaining.push((await budgets.take(ask)).remaining);
      assert.deepEqual(remaining, [2, 1, 0]);
      const refused = await budgets.take(ask);
      assert.equal(refused.ok, false);
      assert.equal(Math.round(refused.retryAfterMs), 1_000);
      assert.equal((await budgets.take({ ...ask, now: NOW + 999 })).ok, false);
      assert.equal((await budgets.take({ ...ask, now: NOW + 1_000 })).ok, true);
      assert.equal((await budgets.take({ ...ask, now: NOW + 1_000 })).ok, false);
      assert.equal((await budgets.take({ ...ask, now: NOW + 60_000 })).remaining, 2);
    },
  },
  {
    name: "takes all of a cost or nothing of it",
    async run({ budgets }) {
      assert.equal((await budgets.take({ ...ask, cost: 2 })).remaining, 1);
      assert.equal((await budgets.take({ ...ask, cost: 2 })).ok, false);
      assert.equal((await budgets.take({ ...ask, cost: 1 })).ok, true);
    },
  },
  {
    name: "keeps clients and budgets apart",
    async run({ budgets }) {
      await budgets.take({ ...ask, cost: 3 });
      assert.equal((await budgets.take(ask)).ok, false);
      assert.equal((await budgets.take({ ...ask, client: "192.0.2.2" })).ok, true);
      assert.equal((await budgets.take({ ...ask, budget: "call" })).ok, true);
    },
  },
  {
    name: "never gives more than there is to those who take at the same time",
    async run({ budgets }) {
      const takes = await Promise.all(Array.from({ length: 20 }, () => budgets.take(ask)));
      assert.equal(takes.filter(({ ok }) => ok).length, 3);
    },
  },
  {
    name: "drops the budgets that are full again, and no others, a few at a time",
    async run({ budgets }) {
      for (const client of ["a", "b", "c"]) await budgets.take({ ...ask, client });
      await budgets.take({ ...ask, client: "late", cost: 3 });
      assert.equal(await budgets.prune(NOW + 999, 10), 0);
      assert.equal(await budgets.prune(NOW + 1_001, 2), 2);
      assert.equal(await budgets.prune(NOW + 1_001, 10), 1);
      assert.equal((await budgets.take({ ...ask, client: "late", now: NOW + 1_001, cost: 2 })).ok, false);
      assert.equal((await budgets.take({ ...ask, client: "a", now: NOW + 1_001, cost: 3 })).ok, true);
    },
  },
];
