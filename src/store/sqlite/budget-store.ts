/** Budgets in SQLite: a refusal costs one read and no lock, a take is judged again in its transaction. */
import { type BudgetTake, takeTokens } from "../../spec/index.ts";
import type { BudgetAsk, BudgetStore } from "../budget-store.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./write-turns.ts";

export function createBudgetStore(database: Database, writer: Writer): BudgetStore {
  function fullAtOf({ client, budget }: BudgetAsk): number {
    const sql = "select full_at as fullAt from budget where client = ? and name = ?";
    return database.get<{ fullAt: number }>(sql, client, budget)?.fullAt ?? 0;
  }

  /** In a transaction. */
  function take(ask: BudgetAsk): BudgetTake {
    const taken = takeTokens(fullAtOf(ask), ask);
    if (taken.ok) {
      database.run(
        `insert into budget (client, name, full_at) values (?1, ?2, ?3)
          on conflict do update set full_at = ?3`,
        ask.client,
        ask.budget,
        taken.fullAt,
      );
    }
    return taken;
  }

  return {
    async take(ask) {
      const glance: BudgetTake = takeTokens(fullAtOf(ask), ask);
      return glance.ok ? writer.write(() => take(ask)) : glance;
    },
    prune: async (now, limit) =>
      writer.write(() =>
        database.run(
          `delete from budget where (client, name) in (select client, name from budget where full_at <= ? limit ?)`,
          now,
          limit,
        ),
      ),
  };
}
