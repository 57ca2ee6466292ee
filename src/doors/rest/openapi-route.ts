/** The route of a relay's OpenAPI document. */
import { type CatalogContext, operations } from "../../catalog/index.ts";
import { OPENAPI_TYPES } from "../../http/index.ts";
import { createKeptDocuments, type KeptDocuments } from "./kept-documents.ts";
import { problemSchema } from "./problem-schema.ts";
import { relayDocument } from "./relay-openapi.ts";
import { route } from "./route.ts";

const kept = new WeakMap<CatalogContext, KeptDocuments>();

export const openapiRoute = route({
  method: "GET",
  path: "/v1/relays/:id/openapi.json",
  operation: operations.openapi,
  takes: "nothing",
  encode: ({ id, relay }, context) => {
    const documents = kept.get(context) ?? createKeptDocuments();
    kept.set(context, documents);
    const { text } = relay;
    const { identity } = context;
    return {
      type: OPENAPI_TYPES[0],
      otherType: OPENAPI_TYPES[1],
      body: documents.of(id, text, () => relayDocument(text, { identity, problem: problemSchema })),
    };
  },
  answers: {
    200: "An OpenAPI 3.1 document, each operation one tool; `application/json` where `Accept` names it first.",
  },
  fails: ["not-found"],
  shape: { type: OPENAPI_TYPES[0], bare: { type: "object" } },
});
