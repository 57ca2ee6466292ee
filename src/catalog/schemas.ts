/**
 * The zod shapes that several operations share: what comes in (each message names the field and the cure)
 * and how answers look on the wire, for documents and checks. What an operation alone uses stays in its file.
 * Decoding of query strings ("1", "true", "20") is the doors' work.
 */
import { z } from "zod";
import {
  authKinds,
  eraFilters,
  eventNames,
  isJsonObject,
  type JsonObject,
  probeStates,
} from "../spec/index.ts";
import { parseGivenUrl } from "./given-url.ts";
import {
  MAX_CURSOR_CHARS,
  MAX_ID_CHARS,
  MAX_QUESTION_CHARS,
  MAX_TAG_CHARS,
  MAX_TOOL_NAME_CHARS,
  MAX_URL_CHARS,
} from "./limits.ts";

/** A required text of at most `max` characters; `what` says what to give. */
export function textField(field: string, options: { readonly max: number; readonly what: string }) {
  return z
    .string(`"${field}" is missing or not a text: give ${options.what}`)
    .min(1, `"${field}" is empty: give ${options.what}`)
    .max(options.max, `"${field}" is too long: at most ${options.max} characters`);
}

/** A whole number between `min` and `max`. */
export function countField(field: string, options: { readonly min: number; readonly max: number }) {
  const message = `"${field}" must be a whole number from ${options.min} to ${options.max}`;
  return z.int(message).min(options.min, message).max(options.max, message);
}

export function flagField(field: string) {
  return z.boolean(`"${field}" must be true or false`);
}

/** An object that is passed on as it came: zod's copy of one has no member `__proto__`, which is a name like others. */
export function objectField(field: string) {
  const anything: z.ZodType<JsonObject, JsonObject> = z.any();
  return anything
    .refine(isJsonObject, `"${field}" must be a JSON object`)
    .meta({ type: "object", additionalProperties: {} });
}

export const relayIdField = (field: string) =>
  textField(field, { max: MAX_ID_CHARS, what: "a relay's id, as list_relays shows it" });

export const toolNameField = textField("tool", {
  max: MAX_TOOL_NAME_CHARS,
  what: "the name of a tool of that relay",
});

export const questionField = textField("q", {
  max: MAX_QUESTION_CHARS,
  what: "a few plain words that say what the tool should do",
}).refine((q) => q.trim() !== "", '"q" is blank: give a few plain words that say what the tool should do');

export const cursorField = textField("cursor", {
  max: MAX_CURSOR_CHARS,
  what: "the nextCursor of the page before",
});

export const authField = z
  .enum([...authKinds, "unknown"], `"auth" must be one of ${[...authKinds, "unknown"].join(", ")}`)
  .describe("How a caller gets in, as the relay's descriptor states it; unknown when it states nothing.");

export const givenUrlField = textField("url", {
  max: MAX_URL_CHARS,
  what: "a site, an MCP endpoint or a descriptor, such as https://relay.example/mcp",
}).superRefine((url, check) => {
  const given = parseGivenUrl(url);
  if (!given.ok) check.addIssue({ code: "custom", message: `"url": ${given.problem}` });
});

export const peerUrlField = textField("url", {
  max: MAX_URL_CHARS,
  what: "another catalog's site, its descriptor or its /v1, such as https://catalog.example",
}).describe("Another catalog's site, its descriptor or its /v1, such as https://catalog.example.");

export const peerSchema = z
  .object({
    url: z.string().describe("What via says of a relay that was learned from it."),
    addedAt: z.string(),
    syncedAt: z.string().nullable().describe("When its list was last read to the end."),
    lastError: z.string().nullable().describe("Why the last sync did not come to its end."),
  })
  .describe("Another catalog that this one learns relays from.");

/** The filters that lists share. */
export const relayFilterShape = {
  q: z
    .string('"q" must be a text')
    .max(MAX_QUESTION_CHARS, `"q" is too long: at most ${MAX_QUESTION_CHARS} characters`)
    .describe(
      "Every word of it must occur in the relay's id, name, description, tags or the names of its tools.",
    )
    .optional(),
  tag: textField("tag", { max: MAX_TAG_CHARS, what: "one tag" })
    .describe("Only relays with this tag.")
    .optional(),
  online: flagField("online").describe("Only relays that answered, or did not, at the last look.").optional(),
  verified: flagField("verified")
    .describe("Only relays whose own origin vouches for them, or does not.")
    .optional(),
  auth: authField.optional(),
  era: z
    .enum(eraFilters, `"era" must be one of ${eraFilters.join(", ")}`)
    .describe("The era of the protocol that answered at the last look; unknown when none did.")
    .optional(),
} as const;

export const toolDefinitionSchema = z
  .looseObject({ name: z.string() })
  .describe("A tool as its relay lists it.");

export const eventNameSchema = z.enum(eventNames);

export const probeStateSchema = z.enum(probeStates);

export const jsonObjectSchema = z.record(z.string(), z.any()).refine(isJsonObject);

export const relayRecordSchema = z
  .looseObject({
    id: z.string(),
    source: z.string().describe("Where the descriptor was read, or the endpoint when the relay serves none."),
    descriptor: z.looseObject({ mcp: z.string() }).describe("As served."),
    tools: z.array(toolDefinitionSchema),
    server: z
      .looseObject({
        name: z.string().nullable(),
        version: z.string().nullable(),
        protocolVersion: z.string().nullable(),
      })
      .nullable(),
    verified: z.boolean().describe("The relay's own origin vouches for it."),
    online: z.boolean().describe("It answered MCP at the last look."),
    seenAt: z.string().nullable(),
    firstSeenAt: z.string(),
    failures: z.number(),
    lastError: z.string().nullable(),
    via: z.string().nullable(),
    probe: z.looseObject({
      state: probeStateSchema,
      era: z.string().nullable(),
      transport: z.enum(["streamable-http", "http+sse"]).nullable(),
      httpStatus: z.number().nullable(),
      latencyMs: z.number().nullable(),
      at: z.string(),
      nextAt: z.string().nullable(),
      attempts: z.number(),
      verifiedBy: z.enum(["openmcp", "server-card"]).nullable(),
      toolsHash: z.string().nullable(),
      toolsTruncated: z.boolean(),
    }),
    toolsFrom: z.enum(["relay", "earlier", "descriptor"]).nullable(),
    aliases: z.array(z.string()).optional(),
    identifier: z.string().describe("By which its publisher lists it: urn:air:…").optional(),
  })
  .describe("A relay as the catalog holds it.");

export const relaySummarySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  mcp: z.string().describe("The MCP endpoint."),
  auth: z.string(),
  tags: z.array(z.string()),
  tools: z.array(z.string()).describe("Names."),
  online: z.boolean(),
  verified: z.boolean(),
  via: z
    .string()
    .describe("The catalog that it was learned from; absent when it was registered here.")
    .optional(),
});

export const pageShape = {
  total: z.number().describe("All that match, not only this page."),
  nextCursor: z.string().nullable().describe("Give it as cursor for the next page; null on the last."),
} as const;
