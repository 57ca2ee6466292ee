/** One subscription and what became of its deliveries; never its secret. */
import { z } from "zod";
import type { WebhookIdInput, WebhookOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { DELIVERIES_KEPT } from "../webhooks/limits.ts";
import { webhookNotFound } from "../webhooks/not-found.ts";
import { deliverySchema, webhookIdField, webhookSchema } from "../webhooks/schemas.ts";

export const webhook = defineOperation<"webhook", WebhookIdInput, WebhookOutput>({
  name: "webhook",
  summary: "One subscription",
  description:
    "A subscription with its last deliveries, the newest first: what arrived, what waits, what failed and why.",
  access: "open",
  readOnly: true,
  input: z.object({ id: webhookIdField("id") }),
  output: z.object({ webhook: webhookSchema, deliveries: z.array(deliverySchema) }),
  async run({ store }, { id }) {
    const [found, deliveries] = await Promise.all([
      store.webhooks.get(id),
      store.webhooks.deliveries(id, DELIVERIES_KEPT),
    ]);
    if (found === null || deliveries === null) throw webhookNotFound();
    return { webhook: found, deliveries };
  },
});
