/** Looks at a relay now, whatever the schedule says. */
import { z } from "zod";
import type { RefreshOutput, RelayIdInput } from "../../spec/index.ts";
import { lookAgain } from "../look-again.ts";
import { defineOperation } from "../operation.ts";
import { eventNameSchema, relayIdField, relayRecordSchema } from "../schemas.ts";

export const refresh = defineOperation<"refresh", RelayIdInput, RefreshOutput>({
  name: "refresh",
  summary: "Look at a relay now",
  description: "Probes one relay again, at once, and answers its record and what changed.",
  access: "open",
  readOnly: false,
  budget: { name: "refresh" },
  input: z.object({ id: relayIdField("id") }),
  output: z.object({
    relay: relayRecordSchema,
    event: eventNameSchema.nullable(),
    events: z.array(eventNameSchema),
  }),
  about: ({ id }) => id,
  async run(context, { id }, { signal, onStep }) {
    const { relay, events } = await lookAgain(context, id, { signal, onStep });
    return { relay, event: events[0] ?? null, events };
  },
});
