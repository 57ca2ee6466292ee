/** Ends a subscription; what waited for it is dropped. Its id is the credential. */
import { z } from "zod";
import type { UnsubscribeOutput, WebhookIdInput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { webhookNotFound } from "../webhooks/not-found.ts";
import { webhookIdField } from "../webhooks/schemas.ts";

export const unsubscribe = defineOperation<"unsubscribe", WebhookIdInput, UnsubscribeOutput>({
  name: "unsubscribe",
  summary: "End a subscription",
  description: "Removes a subscription, and with it all that still waits to be delivered.",
  access: "open",
  readOnly: false,
  input: z.object({ id: webhookIdField("id") }),
  output: z.object({ removed: z.literal(true) }),
  async run({ store }, { id }) {
    if (!(await store.webhooks.remove(id))) throw webhookNotFound();
    return { removed: true };
  },
});
