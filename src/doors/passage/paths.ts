/** A relay through the catalog, as the catalog's OpenAPI document has it: it is no operation, so nothing derives this. */
const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

const header = (name: string, description: string) => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

const parameters = [
  { name: "id", in: "path", required: true, description: "The relay's id.", schema: { type: "string" } },
  header(
    "X-Relay-Authorization",
    "`Bearer` and your own credential for the relay; it is sent to that relay only and never kept.",
  ),
  header("MCP-Protocol-Version", "As MCP has it; so are `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*`."),
  header("Mcp-Session-Id", "The session that the relay opened, in the older era."),
];

const message = { schema: { type: "object", description: "A JSON-RPC 2.0 message." } };
const stream = { schema: { type: "string" } };

const failures = {
  400: problem("`invalid-input`: a header or the body is not of its form."),
  403: problem("`forbidden`: a page of another origin sent it; or the relay's own refusal."),
  404: problem("`not-found`: no such relay; or the relay knows no such session."),
  429: problem("`rate-limited`: the budget of calls is used up, or too much is passed through at once."),
  502: problem("`relay-unreachable`: no connection, or an answer that is not MCP."),
  503: problem("`unavailable`: too much is passed through at once, or the catalog is stopping."),
  504: problem("`relay-timeout`: the relay's answer did not begin in time."),
};

const about =
  "A problem document is the catalog's word; every other answer is the relay's, with its own status.";

/** OpenAPI path items, for a document whose components have `Problem`. */
export const passagePaths = {
  "/v1/relays/{id}/mcp": {
    post: {
      operationId: "passMessage",
      summary: "Send a relay an MCP message",
      description: `The relay's MCP endpoint through the catalog, for any client of Streamable HTTP. ${about}`,
      tags: ["relays"],
      parameters,
      requestBody: { required: true, content: { "application/json": message } },
      responses: {
        200: {
          description: "The relay's answer, as it comes.",
          content: { "application/json": message, "text/event-stream": stream },
        },
        202: { description: "The relay took a notification or an answer." },
        ...failures,
        413: problem("`too-large`: the message is."),
        415: problem("`unsupported-media-type`: it is no JSON."),
      },
    },
    get: {
      operationId: "passStream",
      summary: "Listen to a relay",
      description: `The stream of a session of the older era. ${about}`,
      tags: ["relays"],
      parameters: [...parameters, header("Last-Event-ID", "Where to go on, if the relay can.")],
      responses: {
        200: { description: "The stream.", content: { "text/event-stream": stream } },
        405: { description: "The relay has no such stream." },
        ...failures,
      },
    },
    delete: {
      operationId: "endSession",
      summary: "End a session at a relay",
      description: `Ends a session of the older era. ${about}`,
      tags: ["relays"],
      parameters,
      responses: {
        200: { description: "It ended." },
        405: { description: "The relay lets no client end one." },
        ...failures,
      },
    },
  },
} as const;
