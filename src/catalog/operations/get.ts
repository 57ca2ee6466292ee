/** One record, whole. */
import { z } from "zod";
import type { RawJson, RelayIdInput, RelayRecord } from "../../spec/index.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField, relayRecordSchema } from "../schemas.ts";

export const get = defineOperation<"get", RelayIdInput, { readonly relay: RawJson<RelayRecord> }>({
  name: "get",
  summary: "One relay's record",
  description:
    "Everything the catalog holds of one relay: its descriptor, its tools, and what the last look found.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({ relay: relayRecordSchema }),
  about: ({ id }) => id,
  async run({ store }, { id }) {
    const relay = await store.relays.getJson(id);
    if (relay === null) throw await relayNotFound(store, id);
    return { relay };
  },
});
