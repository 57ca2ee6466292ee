/** How many relays are listed and how many of them are online: for the catalog's descriptor and health. */
import { z } from "zod";
import type { CountsOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";

export const counts = defineOperation<"counts", Record<never, never>, CountsOutput>({
  name: "counts",
  summary: "How many relays are listed",
  description: "The number of relays in the catalog, and of those that are online.",
  access: "open",
  readOnly: true,
  input: z.object({}),
  output: z.object({ relays: z.number(), online: z.number() }),
  async run({ store }) {
    return store.relays.counts();
  },
});
