/** Delivers something once more, under the same id and with the same body. */
import { z } from "zod";
import { type DeliveryOutput, OpenMcpError, type RedeliverInput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { shared } from "../shared.ts";
import { DELIVERIES_KEPT, MAX_FAILED_DELIVERIES } from "../webhooks/limits.ts";
import { webhookNotFound } from "../webhooks/not-found.ts";
import { deliveryAnswerSchema, webhookIdField } from "../webhooks/schemas.ts";

export const redeliver = defineOperation<"redeliver", RedeliverInput, DeliveryOutput>({
  name: "redeliver",
  summary: "Deliver once more",
  description: `Queues a delivery again, under its own id. The last ${DELIVERIES_KEPT} finished ones of a subscription are kept for it.`,
  access: "open",
  readOnly: false,
  budget: { name: "subscribe" },
  input: z.object({ id: webhookIdField("id"), delivery: webhookIdField("delivery") }),
  output: deliveryAnswerSchema,
  async run({ store, clock }, { id, delivery }) {
    const again = { delivery, now: clock.now(), failures: MAX_FAILED_DELIVERIES - 1 };
    if (!(await store.webhooks.redeliver(id, again))) {
      if ((await store.webhooks.get(id)) === null) throw webhookNotFound();
      throw new OpenMcpError(
        "not-found",
        `the subscription has no such delivery: the last ${DELIVERIES_KEPT} finished ones are kept`,
        { data: { field: "delivery" } },
      );
    }
    shared(store).webhooks.ring();
    return { delivery };
  },
});
