/** How published documents look on the wire, for the catalog's own description of itself. Their specifications say all of it. */
import { z } from "zod";
import { LISTING_META_KEY } from "../../spec/index.ts";
import { probeStateSchema, textField } from "../schemas.ts";
import { MAX_NAME_CHARS } from "./limits.ts";

const markSchema = z
  .object({
    derived: z.literal(true).describe("The catalog made the document; the relay did not publish it."),
    catalog: z.string(),
    relay: z.string().describe("Its id here."),
    record: z.string().describe("Where its record is."),
    online: z.boolean(),
    verified: z.boolean(),
    state: probeStateSchema,
    listedAt: z.string(),
    changedAt: z.string().describe("When its content last changed, as far as it is known.").optional(),
    via: z.string().describe("The catalog that it was learned from.").optional(),
  })
  .describe("What this catalog says of the relay.");

const metaSchema = z.looseObject({ [LISTING_META_KEY]: markSchema });

const remoteSchema = z.looseObject({ type: z.enum(["streamable-http", "sse"]), url: z.string() });

const identityShape = {
  name: z.string().describe("Reverse DNS, a slash, a name."),
  version: z.string(),
  description: z.string(),
  title: z.string().optional(),
  websiteUrl: z.string().optional(),
  remotes: z.array(remoteSchema).optional(),
} as const;

export const serverCardSchema = z
  .looseObject({ $schema: z.string(), ...identityShape, _meta: metaSchema })
  .describe("A Server Card, schema v1.");

export const registryEntrySchema = z
  .object({ server: z.looseObject(identityShape), _meta: metaSchema })
  .describe("A server as the official registry's API has it.");

export const registryListSchema = z.object({
  servers: z.array(registryEntrySchema),
  metadata: z.object({
    nextCursor: z.string().describe("Give it as cursor for the next page; absent on the last.").optional(),
    count: z.int().describe("Servers on this page."),
  }),
});

export const serverNameField = textField("name", {
  max: MAX_NAME_CHARS,
  what: "a server's name, as the list shows it, with its slash as %2F",
});

export const pageField = z
  .int('"page" must be a whole number from 1')
  .min(1, '"page" must be a whole number from 1')
  .max(Number.MAX_SAFE_INTEGER, '"page" must be a whole number from 1')
  .describe("A further page, as the first document names it.")
  .optional();
