/** What changed, in the order of its commit, from any place that is still kept. The same events as the webhooks'. */
import { z } from "zod";
import type { ChangesInput } from "../../spec/index.ts";
import { checkSince } from "../changes-gone.ts";
import { changesFilterShape, relayChangeSchema, sinceField } from "../changes-schemas.ts";
import { DEFAULT_CHANGE_LIMIT, MAX_CHANGE_LIMIT, MAX_PAGE_BYTES } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { countField } from "../schemas.ts";
import { type ToldChange, toldChange } from "../told-change.ts";

export interface ChangesAnswer {
  readonly changes: readonly ToldChange[];
  readonly next: number;
}

export const changes = defineOperation<"changes", ChangesInput, ChangesAnswer>({
  name: "changes",
  summary: "What changed",
  description:
    "The events of all relays in the order of their commit, each with the record after it, kept for 30 days. Give `next` as " +
    "`since` to go on; an answer without changes has come to the end for now.",
  access: "open",
  readOnly: true,
  input: z.object({
    since: sinceField
      .describe("The `seq` of the last change that you know; absent: from the oldest that is kept.")
      .optional(),
    limit: countField("limit", { min: 1, max: MAX_CHANGE_LIMIT })
      .describe(`Changes on a page; ${DEFAULT_CHANGE_LIMIT} unless given.`)
      .optional(),
    ...changesFilterShape,
  }),
  output: z.object({
    changes: z.array(relayChangeSchema),
    next: z.number().describe("Give it as since for what comes after."),
  }),
  async run({ store }, { since, limit = DEFAULT_CHANGE_LIMIT, ...filter }) {
    const latest = await store.changes.latest();
    const list = await store.changes.list(since ?? 0, limit, { ...filter, maxChars: MAX_PAGE_BYTES });
    // After the list: what was dropped meanwhile is missing in it.
    if (since !== undefined) await checkSince(since, store.changes);
    // Nothing else that is meant was there up to `latest`: who goes on from it reads none of that again.
    const next = list.at(-1)?.seq ?? Math.max(since ?? 0, latest);
    return { changes: list.map(toldChange), next };
  },
});
