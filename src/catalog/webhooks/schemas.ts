/** The zod shapes of subscriptions and deliveries. */
import { z } from "zod";
import { eventNames, TEST_EVENT } from "../../spec/index.ts";
import { MAX_ID_CHARS } from "../limits.ts";
import { eventNameSchema, textField } from "../schemas.ts";

export const webhookIdField = (field: string) =>
  textField(field, { max: MAX_ID_CHARS, what: "the id that was given when the subscription was made" });

export const webhookSchema = z
  .object({
    id: z.string().describe("The only handle on the subscription: keep it to yourself."),
    url: z.string(),
    events: z.array(eventNameSchema),
    relays: z.array(z.string()).nullable().describe("Ids; null: all relays."),
    createdAt: z.string(),
    failures: z.number().describe("Failed deliveries in a row."),
    active: z.boolean().describe("False after too many of them: nothing is delivered any more."),
    reason: z.string().nullable().describe("Why it is inactive, or why the last delivery failed."),
  })
  .describe("A subscription. Its secret is not in it.");

export const deliverySchema = z.object({
  id: z.string(),
  event: z.enum([...eventNames, TEST_EVENT]),
  relay: z.string().nullable().describe("Null in a test."),
  at: z.string(),
  state: z.enum(["waiting", "delivered", "failed"]),
  status: z.number().nullable().describe("HTTP status of the last attempt."),
  error: z.string().nullable().describe("Why the last attempt failed."),
  attempts: z.number(),
});

export const deliveryAnswerSchema = z.object({
  delivery: z.string().describe("The delivery's id; the subscription lists it with what became of it."),
});
