/** `openmcp webhook add`: subscribes a URL; the secret is shown this once. */
import type { EventName, SubscribeInput } from "../../../spec/index.ts";
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { subscriptionText } from "../../format/webhook.ts";
import type { Shell } from "../../shell.ts";
import { printableLine } from "../../terminal/printable.ts";
import type { SubscriptionOptions } from "./options.ts";

export async function add(
  shell: Shell,
  { url, ...options }: SubscriptionOptions & { readonly url: string },
): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.subscribe(subscribeInput(url, options));
  if (shell.json) {
    shell.printJson(answer);
    return exitCodes.ok;
  }
  const { webhook, secret } = answer;
  shell.print(`${shell.style.good("✓")} subscribed ${printableLine(webhook.url)}`);
  shell.print(subscriptionText(webhook, { style: shell.style, width: shell.width, now: Date.now(), secret }));
  shell.note(
    shell.noteStyle.quiet(
      `  The secret is shown this once: keep it. Next: openmcp webhook test ${printableLine(webhook.id)}`,
    ),
  );
  return exitCodes.ok;
}

/** The catalog judges the names, so that its words and ours can't differ. */
export function subscribeInput(url: string, { event, relay, secret }: SubscriptionOptions): SubscribeInput {
  return {
    url,
    ...(event === undefined ? {} : { events: event as readonly EventName[] }),
    ...(relay === undefined ? {} : { relays: relay }),
    ...(secret === undefined ? {} : { secret }),
  };
}
