/** Forwards one call to a relay and gives its result back whole. */
import { z } from "zod";
import type { CallToolInput } from "../../spec/index.ts";
import { type ForwardedCall, forwardCall } from "../forward-call.ts";
import { MAX_STATE_CHARS, MAX_TOKEN_CHARS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { jsonObjectSchema, objectField, relayIdField, textField, toolNameField } from "../schemas.ts";

export const call = defineOperation<"call", CallToolInput, ForwardedCall>({
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
    arguments: objectField("arguments").describe("The tool's arguments, by its input schema.").optional(),
    token: textField("token", { max: MAX_TOKEN_CHARS, what: "your credential for the relay" })
      .describe("Your own credential for the relay, where it wants one; never kept.")
      .optional(),
    inputResponses: objectField("inputResponses")
      .describe("Your answers to the inputRequests of an input_required result, by their keys.")
      .optional(),
    // Empty is a state too.
    requestState: z
      .string('"requestState" must be a text')
      .max(MAX_STATE_CHARS, `"requestState" is too long: at most ${MAX_STATE_CHARS} characters`)
      .describe("The requestState of an input_required result, exactly as it came.")
      .optional(),
    clientCapabilities: objectField("clientCapabilities")
      .describe(
        'What the relay may ask you for before it goes on, such as {"elicitation": {}}; nothing unless given.',
      )
      .optional(),
  }),
  output: z.object({ relay: z.string(), tool: z.string(), result: jsonObjectSchema }),
  about: ({ relay }) => relay,
  run: (context, input, call) => forwardCall(context, input, call),
});
