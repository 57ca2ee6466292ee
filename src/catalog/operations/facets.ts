/** Ways to narrow a list, and how many relays each leaves: counts that are kept, not made by reading relays. */
import { z } from "zod";
import { eraFilters, type FacetsOutput } from "../../spec/index.ts";
import { TAGS_TOLD } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { authField } from "../schemas.ts";

export const facets = defineOperation<"facets", Record<never, never>, FacetsOutput>({
  name: "facets",
  summary: "How to narrow the list",
  description: "How many relays there are of each kind, and the tags that most of them have.",
  access: "open",
  readOnly: true,
  input: z.object({}),
  output: z.object({
    counts: z.array(
      z.object({
        online: z.boolean(),
        verified: z.boolean(),
        auth: authField,
        era: z.enum(eraFilters),
        relays: z.number(),
      }),
    ),
    tags: z.array(z.object({ tag: z.string(), relays: z.number() })),
  }),
  async run({ store }) {
    const [counts, tags] = await Promise.all([store.relays.facets(), store.relays.tags(TAGS_TOLD)]);
    return { counts, tags };
  },
});
