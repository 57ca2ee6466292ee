/** The record that a relay's OpenAPI document is made from; doors write the document. */
import { z } from "zod";
import type { RawJson, RelayIdInput, RelayRecord } from "../../spec/index.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField, relayRecordSchema } from "../schemas.ts";

export interface OpenapiAnswer {
  readonly id: string;
  readonly relay: RawJson<RelayRecord>;
}

export const openapi = defineOperation<"openapi", RelayIdInput, OpenapiAnswer>({
  name: "openapi",
  summary: "One relay's tools as an OpenAPI document",
  description:
    "OpenAPI 3.1 of one relay's tools, each an operation that calls it through this catalog; the last known ones while it is offline.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({ id: z.string(), relay: relayRecordSchema }),
  about: ({ id }) => id,
  async run({ store }, { id }) {
    const relay = await store.relays.getJson(id);
    if (relay === null) throw await relayNotFound(store, id);
    return { id, relay };
  },
});
