/** Subscribes a URL to the catalog's events. Anyone may; who can't verify a signature has no use for it. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { eventNames, OpenMcpError, type SubscribeInput, type SubscribeOutput } from "../../spec/index.ts";
import { MAX_URL_CHARS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField, textField } from "../schemas.ts";
import { MAX_SECRET_CHARS, MAX_SUBSCRIBED_RELAYS, SECRET_BYTES } from "../webhooks/limits.ts";
import { parseReceiverUrl } from "../webhooks/receiver-url.ts";
import { webhookSchema } from "../webhooks/schemas.ts";
import { secretsOf } from "../webhooks/secrets-of.ts";

const NOTE =
  "The secret is shown this once: keep it, and verify every delivery's X-OpenMCP-Signature with it.";

const eventsMessage = `"events" must be a list of ${eventNames.join(", ")}`;

export const subscribe = defineOperation<"subscribe", SubscribeInput, SubscribeOutput>({
  name: "subscribe",
  summary: "Subscribe to changes",
  description:
    "Posts each change of a relay to your URL, signed with the subscription's secret: X-OpenMCP-Signature is sha256= and the " +
    "hex HMAC-SHA256 of the raw body. The answer has the secret, which is shown this once, and the id, which is the only handle.",
  access: "open",
  readOnly: false,
  budget: { name: "subscribe" },
  input: z.object({
    url: textField("url", {
      max: MAX_URL_CHARS,
      what: "the https URL that deliveries are posted to",
    }).describe("Where deliveries are posted; https."),
    events: z
      .array(z.enum(eventNames, eventsMessage), eventsMessage)
      .min(1, '"events" is empty: leave it out for all events')
      .describe("Which events; all when left out.")
      .optional(),
    relays: z
      .array(relayIdField("relays"), '"relays" must be a list of relay ids')
      .min(1, '"relays" is empty: leave it out for all relays')
      .max(MAX_SUBSCRIBED_RELAYS, `"relays" has too many entries: at most ${MAX_SUBSCRIBED_RELAYS}`)
      .describe("Ids of the relays it is about; all when left out.")
      .optional(),
    secret: textField("secret", { max: MAX_SECRET_CHARS, what: "a long random text, or leave it out" })
      .describe("Your own secret; a random one is made when it is left out.")
      .optional(),
  }),
  output: z.object({
    webhook: webhookSchema,
    secret: z.string().describe("Shown this once."),
    note: z.string(),
  }),
  async run(context, { url, events = eventNames, relays, secret = newSecret() }) {
    const { store, clock, newId, identity } = context;
    const receiver = parseReceiverUrl(url, identity.url);
    if (!receiver.ok) {
      throw new OpenMcpError("invalid-input", `"url": ${receiver.problem}`, { data: { field: "url" } });
    }
    const id = newId();
    const webhook = await store.webhooks.create({
      id,
      url: receiver.url,
      events: eventNames.filter((name) => events.includes(name)),
      relays: relays === undefined ? null : [...new Set(relays)],
      secret: secretsOf(context).seal(id, secret),
      now: clock.now(),
    });
    return { webhook, secret, note: NOTE };
  },
});

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}
