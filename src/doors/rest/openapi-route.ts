/** The route of a relay's OpenAPI document. */
import { operations } from "../../catalog/index.ts";
import { OPENAPI_TYPES } from "../../http/index.ts";
import { problemSchema } from "./problem-schema.ts";
import { relayDocument } from "./relay-openapi.ts";
import { route } from "./route.ts";

export const openapiRoute = route({
  method: "GET",
  path: "/v1/relays/:id/openapi.json",
  operation: operations.openapi,
  takes: "nothing",
  encode: ({ relay }, { identity }) => ({
    type: OPENAPI_TYPES[0],
    otherType: OPENAPI_TYPES[1],
    body: relayDocument(relay, { identity, problem: problemSchema }),
  }),
  answers: {
    200: "An OpenAPI 3.1 document, each operation one tool; `application/json` where `Accept` names it first.",
  },
  fails: ["not-found"],
  shape: { type: OPENAPI_TYPES[0], bare: { type: "object" } },
});
