/** One relay's tools, with their schemas. */
import { z } from "zod";
import type { RawJson, RelayIdInput, ToolDefinition } from "../../spec/index.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField, toolDefinitionSchema } from "../schemas.ts";

export interface ToolsAnswer {
  readonly relay: string;
  readonly online: boolean;
  readonly tools: RawJson<readonly ToolDefinition[]>;
}

export const tools = defineOperation<"tools", RelayIdInput, ToolsAnswer>({
  name: "tools",
  summary: "One relay's tools",
  description: "The tools of one relay as it lists them; the last known ones while it is offline.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({ relay: z.string(), online: z.boolean(), tools: z.array(toolDefinitionSchema) }),
  about: ({ id }) => id,
  async run({ store }, { id }) {
    const found = await store.tools.ofRelay(id);
    if (found === null) throw await relayNotFound(store, id);
    return { relay: id, online: found.online, tools: found.tools };
  },
});
