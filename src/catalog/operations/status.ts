/** How the catalog is: what it lists, what waits, how far back its log of changes goes. */
import { z } from "zod";
import type { StatusOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";

export const status = defineOperation<"status", Record<never, never>, StatusOutput>({
  name: "status",
  summary: "How the catalog is",
  description: "Its version, how many relays it lists, the work that waits, and the log of changes.",
  access: "open",
  readOnly: true,
  input: z.object({}),
  output: z.object({
    version: z.string(),
    relays: z.number(),
    online: z.number(),
    waiting: z.object({
      searchIndex: z.number(),
      bulk: z.number(),
      imports: z.number(),
      looks: z.number(),
      webhooks: z.number(),
    }),
    changes: z.object({ oldest: z.number(), latest: z.number() }),
  }),
  async run({ store, identity, clock }) {
    const [counts, searchIndex, bulk, imports, schedule, webhooks, oldest, latest] = await Promise.all([
      store.relays.counts(),
      store.searchIndex.pending(),
      store.jobs.waiting(),
      store.imports.waiting(),
      store.schedule.counts(clock.now()),
      store.webhooks.waiting(),
      store.changes.oldest(),
      store.changes.latest(),
    ]);
    return {
      version: identity.version,
      ...counts,
      waiting: { searchIndex, bulk, imports, looks: schedule.due, webhooks },
      changes: { oldest, latest },
    };
  },
});
