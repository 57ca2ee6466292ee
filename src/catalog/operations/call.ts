/** Forwards one call to a relay and gives its result back whole. */
import { z } from "zod";
import type { CallToolInput, CallToolOutput } from "../../spec/index.ts";
import { forwardCall } from "../forward-call.ts";
import { MAX_TOKEN_CHARS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { jsonObjectSchema, relayIdField, textField, toolNameField } from "../schemas.ts";

export const call = defineOperation<"call", CallToolInput, CallToolOutput>({
  name: "call",
  summary: "Call a relay's tool",
  description:
    "Forwards one call to a relay and answers its result, untouched. A relay that wants a credential gets yours from token: " +
    "it is sent to that relay only and never kept.",
  access: "open",
  readOnly: false,
  budget: { name: "call" },
  input: z.object({
    relay: relayIdField("relay").describe("The relay's id."),
    tool: toolNameField.describe("The tool's name, as the relay lists it."),
    arguments: z
      .record(z.string(), z.any(), '"arguments" must be a JSON object')
      .describe("The tool's arguments, by its input schema.")
      .optional(),
    token: textField("token", { max: MAX_TOKEN_CHARS, what: "your credential for the relay" })
      .describe("Your own credential for the relay, where it wants one; never kept.")
      .optional(),
  }),
  output: z.object({ relay: z.string(), tool: z.string(), result: jsonObjectSchema }),
  about: ({ relay }) => relay,
  run: (context, input, call) => forwardCall(context, input, call),
});
