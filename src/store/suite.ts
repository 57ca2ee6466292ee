/**
 * What every store does, as cases for any test framework: each gets an empty store of the adapter and rejects when the
 * store is wrong. It says nothing of files, versions or speed: that is each adapter's own to test.
 */

import { budgetCases } from "./suite/budgets.ts";
import { changeCases } from "./suite/changes.ts";
import { historyCases } from "./suite/history.ts";
import { importCases } from "./suite/imports.ts";
import { jobCases } from "./suite/jobs.ts";
import { listCases } from "./suite/lists.ts";
import { outboxCases } from "./suite/outbox.ts";
import { peerCases } from "./suite/peers.ts";
import { relayCases } from "./suite/relays.ts";
import { scheduleCases } from "./suite/schedule.ts";
import { searchCases } from "./suite/search.ts";
import type { StoreCase } from "./suite/store-case.ts";
import { toolCases } from "./suite/tools.ts";
import { webhookCases } from "./suite/webhooks.ts";

/**
 * @example
 * for (const { name, run } of storeSuite) it(name, async () => {
 *   await using store = await openSqliteStore({ path: ":memory:" });
 *   await run(store);
 * });
 */
export const storeSuite: readonly StoreCase[] = [
  ...relayCases,
  ...listCases,
  ...toolCases,
  ...changeCases,
  ...historyCases,
  ...jobCases,
  ...importCases,
  ...peerCases,
  ...searchCases,
  ...webhookCases,
  ...outboxCases,
  ...scheduleCases,
  ...budgetCases,
];

export type { StoreCase };
