/** The records, filtered, a page at a time. The store's JSON goes out as it is. */
import { z } from "zod";
import type { ListRelaysInput, RelayRecord } from "../../spec/index.ts";
import type { EndpointPage, RelayPage } from "../../store/index.ts";
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

/** `view`: for a catalog that learns from this one, which would read every page anew after each look at a relay on it. */
type ListInput = ListRelaysInput & { readonly view?: "endpoints" };

export const list = defineOperation<"list", ListInput, RelayPage<RelayRecord> | EndpointPage>({
  name: "list",
  summary: "List relays",
  description: "The relays this catalog has reached or verified, in the order of their first listing.",
  access: "open",
  readOnly: true,
  input: listInput.extend({
    view: z
      .enum(["endpoints"], '"view" must be endpoints, or left out')
      .describe(
        "endpoints: of each record `id`, `source`, `descriptor.mcp` and `via` alone, and no `total`: a page that stays the same while " +
          "its relays do.",
      )
      .optional(),
  }),
  output: z.object({
    relays: z.array(relayRecordSchema),
    total: pageShape.total.optional(),
    nextCursor: pageShape.nextCursor,
  }),
  async run({ store }, { limit = DEFAULT_LIST_LIMIT, cursor, view, ...filter }) {
    const page = { limit, cursor, maxBytes: MAX_PAGE_BYTES };
    return view === undefined ? store.relays.list(filter, page) : store.relays.listEndpoints(filter, page);
  },
});
