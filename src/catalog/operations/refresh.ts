/** Looks at a relay now, whatever the schedule says. */
import { z } from "zod";
import { OpenMcpError, type RefreshOutput, type RelayIdInput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { eventNameSchema, relayIdField, relayRecordSchema } from "../schemas.ts";

export const refresh = defineOperation<"refresh", RelayIdInput, RefreshOutput>({
  name: "refresh",
  summary: "Look at a relay now",
  description: "Probes one relay again, at once, and answers its record and what changed.",
  access: "open",
  readOnly: false,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({
    relay: relayRecordSchema,
    event: eventNameSchema.nullable(),
    events: z.array(eventNameSchema),
  }),
  async run() {
    throw new OpenMcpError("unavailable", "refresh is not built yet");
  },
});
