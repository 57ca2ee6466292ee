/** Sends a subscriber a delivery that tells of nothing, to see whether one arrives. An inactive subscription gets a new chance. */
import { z } from "zod";
import type { DeliveryOutput, WebhookIdInput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { shared } from "../shared.ts";
import { MAX_FAILED_DELIVERIES } from "../webhooks/limits.ts";
import { webhookNotFound } from "../webhooks/not-found.ts";
import { deliveryAnswerSchema, webhookIdField } from "../webhooks/schemas.ts";

export const testWebhook = defineOperation<"testWebhook", WebhookIdInput, DeliveryOutput>({
  name: "testWebhook",
  summary: "Send a test delivery",
  description:
    "Queues a signed delivery of the event webhook.test, without a relay. A subscription that became inactive is active again " +
    "with it; if the test fails too, it is inactive again.",
  access: "open",
  readOnly: false,
  budget: { name: "subscribe" },
  input: z.object({ id: webhookIdField("id") }),
  output: deliveryAnswerSchema,
  async run({ store, clock, newId }, { id }) {
    const delivery = newId();
    const test = { id: delivery, now: clock.now(), failures: MAX_FAILED_DELIVERIES - 1 };
    if (!(await store.webhooks.addTest(id, test))) throw webhookNotFound();
    shared(store).webhooks.ring();
    return { delivery };
  },
});
