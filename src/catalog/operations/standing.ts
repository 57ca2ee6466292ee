/** Where a relay stands, in a few facts: what a badge shows. Costs the same whatever the record weighs. */
import { z } from "zod";
import type { RelayIdInput, StandingOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { probeStateSchema, relayIdField } from "../schemas.ts";

export const standing = defineOperation<"standing", RelayIdInput, StandingOutput>({
  name: "standing",
  summary: "One relay's badge",
  description: "Whether a relay is online and verified, as an image for its own pages.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({
    relay: z.string(),
    standing: z
      .object({ online: z.boolean(), verified: z.boolean(), state: probeStateSchema })
      .nullable()
      .describe("Null when no such relay is listed: a badge of that is an answer too."),
  }),
  about: ({ id }) => id,
  foundNone: (output) => output.standing === null,
  async run({ store }, { id }) {
    return { relay: id, standing: await store.history.standing(id) };
  },
});
