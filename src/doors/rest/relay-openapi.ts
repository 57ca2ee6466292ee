/**
 * A listed relay's tools as an OpenAPI document whose operations can be called: `POST /v1/relays/:id/tools/:tool` of this catalog, with
 * its rules and its problem documents. Any OpenAPI client is a client of any relay by it.
 */
import type { CatalogIdentity } from "../../catalog/index.ts";
import { type OpenApiTool, toolsToOpenApi } from "../../openapi/index.ts";
import {
  type DescriptorFacts,
  describe,
  type JsonObject,
  type RelayRecord,
  recordEndpoint,
} from "../../spec/index.ts";

const SCHEME = "relay";

export interface RelayDocumentOptions {
  readonly identity: Pick<CatalogIdentity, "url">;
  /** The schema of the catalog's problem documents. */
  readonly problem: JsonObject;
}

/** The document's text, from the record's. */
export function relayDocument(text: string, { identity, problem }: RelayDocumentOptions): string {
  const record = JSON.parse(text) as RelayRecord;
  const facts = describe(record.descriptor, record.source);
  const document = toolsToOpenApi(
    {
      title: facts.name ?? record.server?.name ?? record.id,
      version: record.server?.version ?? "",
      ...(facts.description === null ? {} : { description: facts.description }),
    },
    record.tools,
    {
      endpoint: recordEndpoint(record),
      protocolVersion: record.probe.era,
      transport: record.probe.transport ?? "streamable-http",
      http: {
        server: identity.url,
        toolsPath: `/v1/relays/${encodeURIComponent(record.id)}/tools`,
        problem,
        ...securityOf(record, facts),
      },
    },
  );
  return JSON.stringify(document);
}

/** Nothing where the relay says that it wants no credential; where it says nothing, one may be given. */
function securityOf({ probe }: RelayRecord, { auth, openTools }: DescriptorFacts) {
  if (auth === "none") return {};
  const mayDoWithout = auth === "unknown" && probe.state !== "auth-required";
  return {
    security: {
      schemes: {
        [SCHEME]: {
          type: "apiKey",
          in: "header",
          name: "X-Relay-Authorization",
          description:
            "`Bearer` and your own credential for the relay; it is sent to that relay only and never kept.",
        },
      },
      requirements: ({ name }: OpenApiTool): JsonObject[] =>
        mayDoWithout || openTools.includes(name) ? [{}, { [SCHEME]: [] }] : [{ [SCHEME]: [] }],
    },
  };
}
