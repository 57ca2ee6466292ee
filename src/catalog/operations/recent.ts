/** What changed last, without the records: for pages and feeds. Whoever has to miss nothing reads `changes`. */
import { z } from "zod";
import type { RecentInput, RecentOutput } from "../../spec/index.ts";
import { changeDetailSchema } from "../changes-schemas.ts";
import { DEFAULT_RECENT_LIMIT, MAX_RECENT_LIMIT } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { countField, eventNameSchema, relayIdField } from "../schemas.ts";

export const recent = defineOperation<"recent", RecentInput, RecentOutput>({
  name: "recent",
  summary: "What changed last",
  description:
    "The newest events of all relays, or of one, newest first; also of one that is listed no longer.",
  access: "open",
  readOnly: true,
  input: z.object({
    relay: relayIdField("relay").describe("Only changes of this relay.").optional(),
    limit: countField("limit", { min: 1, max: MAX_RECENT_LIMIT })
      .describe(`Changes in the answer; ${DEFAULT_RECENT_LIMIT} unless given.`)
      .optional(),
  }),
  output: z.object({
    changes: z.array(
      z.object({
        seq: z.number(),
        id: z.string(),
        event: eventNameSchema,
        at: z.string(),
        relay: z.string(),
        detail: changeDetailSchema.nullable(),
      }),
    ),
  }),
  async run({ store }, { relay, limit = DEFAULT_RECENT_LIMIT }) {
    return { changes: await store.changes.recent(limit, relay === undefined ? {} : { relay }) };
  },
});
