/** The tools of subscriptions: a part of the table in tools.ts. */
import { operations } from "../../catalog/index.ts";
import { eventNames } from "../../spec/index.ts";
import { type CatalogTool, catalogTool } from "./tool.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

export const webhookTools: readonly CatalogTool[] = [
  catalogTool({
    name: "subscribe",
    title: "Subscribe to changes",
    description: `Has the catalog post every change of its relays to an https URL that the user controls (${eventNames.join(", ")}). Give the user the secret from the answer, which is shown this once, and the id, which ends the subscription again. Only for a receiver that the user runs; to look once, use list_relays or get_relay.`,
    operation: operations.subscribe,
    takes: ["url", "events", "relays", "secret"],
    outputSchema: {
      type: "object",
      properties: {
        webhook: {
          type: "object",
          description: "The subscription; unsubscribe takes its id.",
          properties: {
            id: text,
            url: text,
            events: texts,
            relays: { type: ["array", "null"], items: text, description: "Null: all relays." },
            createdAt: text,
            failures: { type: "integer" },
            active: { type: "boolean" },
            reason: { type: ["string", "null"] },
          },
          required: ["id", "url", "events", "relays", "createdAt", "failures", "active"],
        },
        secret: { ...text, description: "What deliveries are signed with; shown this once." },
      },
      required: ["webhook", "secret"],
    },
    openWorld: true,
    idempotent: false,
    answer: ({ webhook, secret }) => ({ kind: "structured", value: { webhook, secret } }),
  }),
  catalogTool({
    name: "unsubscribe",
    title: "End a subscription",
    description: "Ends a subscription by the id that subscribe gave; nothing more is posted.",
    operation: operations.unsubscribe,
    takes: ["id"],
    outputSchema: {
      type: "object",
      properties: { removed: { type: "boolean" } },
      required: ["removed"],
    },
    openWorld: false,
    idempotent: false,
    destructive: true,
    answer: (value) => ({ kind: "structured", value }),
  }),
];
