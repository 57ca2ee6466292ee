/** The same question as `list`, answered in a paragraph a relay: for agents and terminals. */
import { z } from "zod";
import type { ListRelaysInput, RelaySummary } from "../../spec/index.ts";
import type { RelayPage } from "../../store/index.ts";
import { DEFAULT_LIST_LIMIT, MAX_PAGE_BYTES } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { pageShape, relaySummarySchema } from "../schemas.ts";
import { listInput } from "./list.ts";

export const summaries = defineOperation<"summaries", ListRelaysInput, RelayPage<RelaySummary>>({
  name: "summaries",
  summary: "List relays, a paragraph each",
  description:
    "The relays in this catalog: what each is called, says of itself, and which tools it has. " +
    "online (it answered) and verified (its own origin vouches for it) are two facts; look at both.",
  access: "open",
  readOnly: true,
  input: listInput,
  output: z.object({ relays: z.array(relaySummarySchema), ...pageShape }),
  async run({ store }, { limit = DEFAULT_LIST_LIMIT, cursor, ...filter }) {
    return store.relays.listSummaries(filter, { limit, cursor, maxBytes: MAX_PAGE_BYTES });
  },
});
