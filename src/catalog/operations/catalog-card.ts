/** The catalog's own Server Card. */
import { z } from "zod";
import type { ServerCard } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { catalogCard as cardOf } from "../publishing/describe-catalog.ts";

export const catalogCard = defineOperation<"catalogCard", Record<never, never>, ServerCard>({
  name: "catalogCard",
  summary: "The catalog's own Server Card",
  description: "Who this catalog is, and where its MCP endpoint is.",
  access: "open",
  readOnly: true,
  input: z.object({}),
  output: z.looseObject({
    $schema: z.string(),
    name: z.string(),
    version: z.string(),
    description: z.string(),
  }),
  async run({ identity }) {
    return cardOf(identity);
  },
});
