/** The zod shapes of changes: which are asked for, and how each looks on the wire. */
import { z } from "zod";
import { eventNames } from "../spec/index.ts";
import { MAX_WATCHED_RELAYS } from "./limits.ts";
import { countField, eventNameSchema, relayIdField, relayRecordSchema } from "./schemas.ts";

export const sinceField = countField("since", { min: 0, max: Number.MAX_SAFE_INTEGER });

/** Lists; in a URL their values are separated by commas. */
export const changesFilterShape = {
  relays: z
    .array(relayIdField("relays"), '"relays" must be a list of relay ids')
    .min(1, '"relays" is empty: name a relay, or leave it out')
    .max(MAX_WATCHED_RELAYS, `"relays" is too long: at most ${MAX_WATCHED_RELAYS} relays`)
    .describe("Only changes of these relays.")
    .optional(),
  events: z
    .array(
      z.enum(eventNames, `"events" must be of ${eventNames.join(", ")}`),
      '"events" must be a list of event names',
    )
    .min(1, '"events" is empty: name an event, or leave it out')
    .max(eventNames.length, `"events" is too long: there are ${eventNames.length} events`)
    .describe("Only these events.")
    .optional(),
} as const;

const pointers = z.array(z.string()).describe('JSON Pointers (RFC 6901); "": the whole of it.');
const hashes = z
  .object({ from: z.string(), to: z.string() })
  .describe("sha256:<hex> over the canonical JSON of the definition, before and after.");

export const toolDiffShape = {
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), fields: pointers, hash: hashes })),
  renamed: z.array(z.object({ from: z.string(), to: z.string(), fields: pointers, hash: hashes })),
} as const;

export const changeDetailSchema = z
  .object({
    tools: z.object(toolDiffShape).optional(),
    descriptor: pointers.optional(),
    verified: z.boolean().optional(),
    toolsFrom: z.enum(["relay", "earlier", "descriptor"]).nullable().optional(),
  })
  .describe("What an update changed; each part is absent where nothing of it did.");

export const relayChangeSchema = z
  .object({
    seq: z.number().describe("Grows with each change."),
    id: z.string().describe("Unguessable, and the same in every webhook delivery of this event."),
    event: eventNameSchema,
    at: z.string(),
    relay: z
      .union([relayRecordSchema, z.object({ id: z.string() })])
      .describe("The record after the change."),
    detail: changeDetailSchema.optional(),
  })
  .describe("One event.");
