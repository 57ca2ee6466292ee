/** The catalog's relays as an AI Catalog. */
import { z } from "zod";
import type { AiCatalog, RawJson } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { publishedAiCatalog } from "../publishing/published-catalogs.ts";
import { pageField } from "../publishing/schemas.ts";

export const aiCatalog = defineOperation<"aiCatalog", { readonly page?: number }, RawJson<AiCatalog>>({
  name: "aiCatalog",
  summary: "The relays as an AI Catalog",
  description: "The catalog's own card, then its relays; nested pages where they are many.",
  access: "open",
  readOnly: true,
  input: z.object({ page: pageField }),
  output: z.looseObject({
    specVersion: z.string(),
    entries: z.array(z.looseObject({ identifier: z.string() })),
  }),
  run: (context, { page }) => publishedAiCatalog(context, page),
});
