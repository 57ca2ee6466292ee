/** The records, filtered, a page at a time. The store's JSON goes out as it is. */
import { z } from "zod";
import type { ListRelaysInput, RelayRecord } from "../../spec/index.ts";
import type { RelayPage } from "../../store/index.ts";
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT, MAX_PAGE_BYTES } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { countField, cursorField, pageShape, relayFilterShape, relayRecordSchema } from "../schemas.ts";

/** What lists take, whatever form their entries have. */
export const listInput = z.object({
  ...relayFilterShape,
  limit: countField("limit", { min: 1, max: MAX_LIST_LIMIT })
    .describe(`Relays on a page; ${DEFAULT_LIST_LIMIT} unless given.`)
    .optional(),
  cursor: cursorField.describe("nextCursor of the page before.").optional(),
});

export const list = defineOperation<"list", ListRelaysInput, RelayPage<RelayRecord>>({
  name: "list",
  summary: "List relays",
  description: "The relays this catalog has reached or verified, in the order of their first listing.",
  access: "open",
  readOnly: true,
  input: listInput,
  output: z.object({ relays: z.array(relayRecordSchema), ...pageShape }),
  async run({ store }, { limit = DEFAULT_LIST_LIMIT, cursor, ...filter }) {
    return store.relays.list(filter, { limit, cursor, maxBytes: MAX_PAGE_BYTES });
  },
});
