/** Budgets in SQLite: read, judge, and write if nobody wrote meanwhile. A refusal costs one read and no lock. */
import { type BudgetTake, takeTokens } from "../../spec/index.ts";
import type { BudgetAsk, BudgetStore } from "../budget-store.ts";
import type { Database } from "./database.ts";

export function createBudgetStore(database: Database): BudgetStore {
  function fullAtOf({ client, budget }: BudgetAsk): number {
    const sql = "select full_at as fullAt from budget where client = ? and name = ?";
    return database.get<{ fullAt: number }>(sql, client, budget)?.fullAt ?? 0;
  }

  /** False when another process took from it since `before` was read. */
  function write({ client, budget }: BudgetAsk, before: number, after: number): boolean {
    const written = database.run(
      `insert into budget (client, name, full_at) values (?1, ?2, ?3)
        on conflict do update set full_at = ?3 where full_at = ?4`,
      client,
      budget,
      after,
      before,
    );
    return written > 0;
  }

  return {
    async take(ask) {
      for (;;) {
        const before = fullAtOf(ask);
        const taken: BudgetTake = takeTokens(before, ask);
        if (!taken.ok || write(ask, before, taken.fullAt)) return taken;
      }
    },
    async prune(now, limit) {
      return database.run(
        `delete from budget where (client, name) in (select client, name from budget where full_at <= ? limit ?)`,
        now,
        limit,
      );
    },
  };
}
