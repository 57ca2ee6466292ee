/** The catalog's relays as an MCP Catalog. */
import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { type PublishedMcpCatalog, publishedMcpCatalog } from "../publishing/published-catalogs.ts";
import { pageField } from "../publishing/schemas.ts";

export const mcpCatalog = defineOperation<"mcpCatalog", { readonly page?: number }, PublishedMcpCatalog>({
  name: "mcpCatalog",
  summary: "The relays as an MCP Catalog",
  description: "The catalog's own card, then its relays; `next` is the URL of the next page.",
  access: "open",
  readOnly: true,
  input: z.object({ page: pageField }),
  output: z.object({
    document: z.looseObject({
      specVersion: z.literal("draft"),
      entries: z.array(z.looseObject({ url: z.string() })),
    }),
    next: z.string().nullable(),
  }),
  run: (context, { page }) => publishedMcpCatalog(context, page),
});
