/** The stream of changes as the catalog's OpenAPI document has it: a stream is no operation, so nothing derives this. */
import { eventNames } from "../../spec/index.ts";

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

/** OpenAPI path items, for a document whose components have `Problem`. */
export const eventsPaths = {
  "/v1/events": {
    get: {
      operationId: "events",
      summary: "Follow changes",
      description:
        "The changes of GET /v1/changes as Server-Sent Events, as they happen: `id` is a change's `seq`, `event` its name, `data` the change. " +
        "Without `since` or `Last-Event-ID`: what is new from now on. A comment comes every few seconds where nothing else does.",
      tags: ["relays"],
      parameters: [
        {
          name: "since",
          in: "query",
          description: "Begin after the change of this `seq`.",
          schema: { type: "integer", minimum: 0 },
        },
        {
          name: "Last-Event-ID",
          in: "header",
          description: "The same, as readers that come back say it; it wins.",
          schema: { type: "string", pattern: "^[0-9]{1,15}$" },
        },
        {
          name: "relays",
          in: "query",
          description: "Only changes of these relays.",
          style: "form",
          explode: false,
          schema: { type: "array", items: { type: "string" }, minItems: 1 },
        },
        {
          name: "events",
          in: "query",
          description: "Only these events.",
          style: "form",
          explode: false,
          schema: { type: "array", items: { type: "string", enum: eventNames }, minItems: 1 },
        },
      ],
      responses: {
        200: {
          description: "The stream; it has no end of its own.",
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
        400: problem("`invalid-input`: a parameter is not of its form."),
        410: problem("`gone`: changes after that one are no longer kept."),
        429: problem("`rate-limited`: too many streams of one client address."),
        503: problem("`unavailable`: too many streams, or the catalog is stopping."),
      },
    },
  },
} as const;
