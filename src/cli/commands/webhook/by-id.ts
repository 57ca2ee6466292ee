/** What `openmcp webhook` does with a subscription that there is: show, test, redeliver, rm. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CatalogClient } from "../../../client/index.ts";
import type { WebhookDelivery } from "../../../spec/index.ts";
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { deliveryList, deliveryText, subscriptionText } from "../../format/webhook.ts";
import { DELIVERY_POLL_MS, DELIVERY_WAIT_MS } from "../../limits.ts";
import type { Shell } from "../../shell.ts";

export async function show(shell: Shell, id: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.webhook(id);
  if (shell.json) shell.printJson(answer);
  else {
    const now = Date.now();
    shell.print(subscriptionText(answer.webhook, { style: shell.style, width: shell.width, now }));
    if (answer.deliveries.length === 0) shell.note("  No deliveries yet.");
    else shell.print(`\n${deliveryList(answer.deliveries, { style: shell.style, width: shell.width, now })}`);
  }
  return answer.webhook.active ? exitCodes.ok : exitCodes.no;
}

export async function remove(shell: Shell, id: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.unsubscribe(id);
  if (shell.json) shell.printJson(answer);
  else shell.print(`${shell.style.good("✓")} unsubscribed`);
  return exitCodes.ok;
}

export async function test(shell: Shell, id: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const { delivery } = await catalog.testWebhook(id);
  // Awaited here: the client closes when this function ends.
  return await outcome(shell, catalog, { id, delivery });
}

export async function redeliver(
  shell: Shell,
  again: { readonly id: string; readonly delivery: string },
): Promise<number> {
  await using catalog = openCatalog(shell);
  await catalog.redeliver(again);
  return await outcome(shell, catalog, again);
}

/** Waits for the first attempt to end; a failed one is no end for the catalog, but an answer for who asked. */
async function outcome(
  shell: Shell,
  catalog: CatalogClient,
  { id, delivery }: { readonly id: string; readonly delivery: string },
): Promise<number> {
  const progress = await shell.progress();
  progress.update("Waiting for the delivery");
  const ends = Date.now() + DELIVERY_WAIT_MS;
  let found: WebhookDelivery | undefined;
  try {
    for (;;) {
      const { deliveries } = await catalog.webhook(id);
      found = deliveries.find((candidate) => candidate.id === delivery);
      if (found === undefined || found.attempts > 0 || Date.now() > ends) break;
      await sleep(DELIVERY_POLL_MS, undefined, { signal: shell.signal });
    }
  } finally {
    progress.close();
  }
  if (shell.json) shell.printJson({ delivery: found ?? { id: delivery } });
  else if (found === undefined) shell.print(`${delivery} is queued`);
  else shell.print(deliveryText(found, { style: shell.style }));
  return found?.state === "delivered" ? exitCodes.ok : exitCodes.no;
}
