/** The names under which imported lists have a relay: several people list one server, and none of them need be its owner. */
import { z } from "zod";
import type { ClaimsOutput, RelayIdInput } from "../../spec/index.ts";
import { CLAIMS_TOLD } from "../limits.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField } from "../schemas.ts";

export const claims = defineOperation<"claims", RelayIdInput, ClaimsOutput>({
  name: "claims",
  summary: "Names that others list a relay under",
  description:
    "The names under which registries and catalogs that were imported here list this relay's URLs. They are hearsay: whoever " +
    "lists a URL need not own it, and none of it is in the record.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({
    relay: z.string(),
    claims: z.array(
      z.object({
        name: z.string(),
        version: z.string().nullable(),
        source: z.string().describe("The registry's base URL, or the catalog's."),
        at: z.string().describe("When it was last read there."),
      }),
    ),
  }),
  about: ({ id }) => id,
  async run({ store }, { id }) {
    const found = await store.imports.claims(id, CLAIMS_TOLD);
    if (found === null) throw await relayNotFound(store, id);
    return { relay: id, claims: found };
  },
});
