/** `openmcp webhook listen`: a receiver on this machine that subscribes itself, prints what verifies, and leaves nothing behind. */
import { type CatalogClient, webhookHandler } from "../../../client/index.ts";
import { type DeliveryBody, OpenMcpError, type SubscribeOutput } from "../../../spec/index.ts";
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { receivedLine } from "../../format/webhook.ts";
import { openReceiver } from "../../receiver.ts";
import type { Shell } from "../../shell.ts";
import { printableJson, printableLine } from "../../terminal/printable.ts";
import { subscribeInput } from "./add.ts";
import type { SubscriptionOptions } from "./options.ts";

export interface ListenOptions extends SubscriptionOptions {
  readonly port?: number;
  readonly host: string;
  readonly url?: string;
  readonly subscribe: boolean;
  readonly count?: number;
}

export async function listen(shell: Shell, options: ListenOptions): Promise<number> {
  if (!options.subscribe && (options.secret === undefined || options.secret === "")) {
    throw new OpenMcpError(
      "invalid-input",
      "Without a subscription of its own it needs the secret of yours: --secret.",
      {
        data: { field: "--secret" },
      },
    );
  }
  const full = Promise.withResolvers<void>();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  await using receiver = await openReceiver({ host: options.host, port: options.port ?? 0 });
  // Not ended by Ctrl-C: unsubscribing comes after it.
  await using catalog = openCatalog({ ...shell, signal: new AbortController().signal });
  const subscribed = options.subscribe ? await subscribe(catalog, receiver.url, options) : null;
  receiver.serve(
    webhookHandler({
      secret: subscribed?.secret ?? options.secret ?? "",
      onDelivery(delivery) {
        if (left <= 0) return;
        print(shell, delivery);
        left -= 1;
        if (left <= 0) full.resolve();
      },
      onError: (error) =>
        shell.note(
          `${shell.noteStyle.bad("✗")} ${printableLine(error instanceof Error ? error.message : String(error))}`,
        ),
    }),
  );
  shell.note(`Listening at ${receiver.url}; Ctrl-C ends it.`);
  if (subscribed !== null)
    shell.note(shell.noteStyle.quiet(`Subscribed as ${printableLine(subscribed.webhook.id)}.`));
  try {
    await Promise.race([full.promise, aborted(shell.signal)]);
  } finally {
    if (subscribed !== null) {
      await catalog.unsubscribe(subscribed.webhook.id);
      shell.note("Unsubscribed.");
    }
  }
  return exitCodes.ok;
}

function subscribe(catalog: CatalogClient, here: string, options: ListenOptions): Promise<SubscribeOutput> {
  return catalog.subscribe(subscribeInput(options.url ?? here, options));
}

function print(shell: Shell, delivery: DeliveryBody): void {
  // One line each: a line break in a text is written as an escape.
  if (shell.json) shell.print(printableJson(delivery).replace(/\n\s*/g, ""));
  else shell.print(receivedLine(delivery, shell.style));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
