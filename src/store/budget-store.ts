/** How much of its budgets each client has used, over all catalogs on one database. Kept until a bucket is full again. */
import type { BudgetName, BudgetRule, BudgetTake } from "../spec/index.ts";

export interface BudgetAsk {
  /** Who asks: an address, or the network that stands for one. */
  readonly client: string;
  readonly budget: BudgetName;
  readonly rule: BudgetRule;
  /** Tokens. */
  readonly cost: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface BudgetStore {
  /** `takeTokens` on what is kept: all of it or nothing, whoever else takes at the same time. What is refused writes nothing. */
  take(ask: BudgetAsk): Promise<BudgetTake>;
  /** Drops buckets that are full at `now`, at most `limit` of them; gives how many. */
  prune(now: number, limit: number): Promise<number>;
}
