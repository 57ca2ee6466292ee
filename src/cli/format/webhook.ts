/** Subscriptions and deliveries for people. Nothing here is a secret but the one that is passed in to be shown. */
import type { DeliveryBody, Webhook, WebhookDelivery } from "../../spec/index.ts";
import { TEXT_COLUMNS } from "../limits.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { definitionList, table } from "../terminal/table.ts";
import { wrap } from "../terminal/text-width.ts";
import { ago } from "./facts.ts";

export function subscriptionText(
  webhook: Webhook,
  {
    style,
    width,
    now,
    secret,
  }: { readonly style: Style; readonly width: number; readonly now: number; readonly secret?: string },
): string {
  const state = webhook.active ? style.good("✓ active") : style.bad("✗ inactive");
  const room = Math.max(20, Math.min(width, TEXT_COLUMNS) - 10);
  const list = (words: readonly string[]) => wrap(words.map(printableLine).join(", "), room);
  const failures = webhook.failures === 0 ? "" : `, ${webhook.failures} failed in a row`;
  return definitionList(
    [
      ["Id", [printableLine(webhook.id)]],
      ...(secret === undefined ? [] : [["Secret", [printableLine(secret)]] as const]),
      ["URL", [printableLine(webhook.url)]],
      ["Events", list(webhook.events)],
      ["Relays", webhook.relays === null ? ["all"] : list(webhook.relays)],
      ["Made", [ago(webhook.createdAt, now)]],
      ["State", [`${state}${failures}`]],
      ...(webhook.reason === null ? [] : [["Why", [printableLine(webhook.reason)]] as const]),
    ],
    { paintLabel: style.quiet, indent: "  " },
  );
}

export function deliveryList(
  deliveries: readonly WebhookDelivery[],
  { style, width, now }: { readonly style: Style; readonly width: number; readonly now: number },
): string {
  return table(deliveries, {
    width,
    paintHeading: style.heading,
    columns: [
      { heading: "STATE", cell: stateWord, paint: (text, { state }) => paintState(text, state, style) },
      { heading: "EVENT", cell: ({ event }) => printableLine(event) },
      { heading: "RELAY", cell: ({ relay }) => printableLine(relay ?? "-"), least: 12 },
      { heading: "WHEN", cell: ({ at }) => ago(at, now) },
      { heading: "TRIES", cell: ({ attempts }) => String(attempts), align: "right" },
      { heading: "ID", cell: ({ id }) => printableLine(id) },
      { heading: "WHY", cell: ({ error }) => printableLine(error ?? ""), least: 10 },
    ],
  });
}

/** One delivery after its attempt. */
export function deliveryText(delivery: WebhookDelivery, { style }: { readonly style: Style }): string {
  const status = delivery.status === null ? "" : ` (${delivery.status})`;
  const why = delivery.error === null ? "" : `: ${printableLine(delivery.error)}`;
  const more = delivery.state === "waiting" && delivery.attempts > 0 ? "; the catalog tries again" : "";
  return `${paintState(stateWord(delivery), delivery.state, style)}${delivery.error === null ? status : ""}${why}${more}`;
}

/** A delivery as it comes in: when, what, of which relay. */
export function receivedLine({ at, event, relay, id }: DeliveryBody, style: Style): string {
  const time = /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? at;
  const name = relay === null ? "-" : printableLine(String(relay.id));
  return `${style.quiet(printableLine(time))} ${style.accent(printableLine(event).padEnd(16))} ${style.strong(name)}  ${style.quiet(printableLine(id))}`;
}

function stateWord({ state }: Pick<WebhookDelivery, "state">): string {
  return { delivered: "✓ delivered", waiting: "… waiting", failed: "✗ failed" }[state];
}

function paintState(text: string, state: WebhookDelivery["state"], style: Style): string {
  return { delivered: style.good, waiting: style.warn, failed: style.bad }[state](text);
}
