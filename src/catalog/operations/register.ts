/** Registers a relay by any URL on its origin: what the probe finds is listed, never what was typed. */
import { z } from "zod";
import { OpenMcpError, type RegisterInput, type RegisterOutput } from "../../spec/index.ts";
import { parseGivenUrl } from "../given-url.ts";
import { defineOperation } from "../operation.ts";
import { registerUrl } from "../register-url.ts";
import { eventNameSchema, givenUrlField, relayRecordSchema } from "../schemas.ts";
import { shared } from "../shared.ts";

export const register = defineOperation<"register", RegisterInput, RegisterOutput>({
  name: "register",
  summary: "Register a relay",
  description:
    "Give any URL of a relay: its site, its MCP endpoint or its descriptor. The catalog looks for itself and lists what it finds; " +
    "a relay that it can neither verify nor reach is not listed, and the answer says what to serve.",
  access: "open",
  readOnly: false,
  budget: { name: "register" },
  input: z.object({
    url: givenUrlField.describe(
      "A site, an MCP endpoint or a descriptor, such as https://relay.example/mcp.",
    ),
  }),
  output: z.object({
    relay: relayRecordSchema,
    event: eventNameSchema.nullable(),
    events: z.array(eventNameSchema),
    created: z.boolean().describe("True when it was listed for the first time."),
    relays: z
      .array(relayRecordSchema)
      .describe("Other relays of the same origin that the same look listed.")
      .optional(),
  }),
  async run(context, { url }, { signal }) {
    const given = parseGivenUrl(url);
    if (!given.ok) {
      throw new OpenMcpError("invalid-input", `"url": ${given.problem}`, { data: { field: "url" } });
    }
    // Whoever adds a relay looks for its tools next.
    return shared(context.store).index.after({ clock: context.clock, signal }, () =>
      registerUrl(context, given.url, { signal }),
    );
  },
});
