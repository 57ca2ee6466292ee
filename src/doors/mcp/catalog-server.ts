/**
 * One MCP server for one request: the SDK asks for a fresh one each time (probe.md "Serving"), so that all that can be
 * built once (tool list, options) is built outside and shared. It decodes, runs the operation, and encodes.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { type CatalogContext, requestIdOf } from "../../catalog/index.ts";
import { publicError } from "../../http/index.ts";
import {
  isJsonObject,
  type JsonObject,
  OpenMcpError,
  stringifyRaw,
  withExactNumbers,
} from "../../spec/index.ts";
import { failedResult } from "./advice.ts";
import { callContextOf, capabilitiesOf, roundOf } from "./caller.ts";
import { createForwarding, type Forwarding } from "./forwarded-result.ts";
import { isInputRequired, whyNotAsked } from "./input-required.ts";
import { TOOL_LIST_TTL_MS } from "./limits.ts";
import type { Era, ToolAnswer } from "./tool.ts";
import { INSTRUCTIONS, tools } from "./tools.ts";

const toolList = { tools: tools.map((tool) => tool.listing) };
const toolsByName = new Map(tools.map((tool) => [tool.listing.name, tool]));
const forAll = { ttlMs: TOOL_LIST_TTL_MS, cacheScope: "public" } as const;

const shared: ServerOptions = {
  instructions: INSTRUCTIONS,
  cacheHints: { "tools/list": forAll, "server/discover": forAll },
  // Nothing is elicited here, so nothing is validated: without this the SDK builds a JSON Schema validator a request.
  jsonSchemaValidator: {
    getValidator() {
      throw new OpenMcpError("internal", "the catalog elicits nothing");
    },
  },
};

const options: Readonly<Record<Era, ServerOptions>> = {
  legacy: { ...shared, capabilities: { tools: {} } },
  // Only here a request says which log messages of the relay it wants (caller.ts).
  modern: { ...shared, capabilities: { tools: {}, logging: {} } },
};

const names = tools.map((tool) => tool.listing.name).join(", ");

export interface ServedRequest {
  readonly era: Era;
  /** Whose budgets it draws on; null: nobody's. */
  readonly client: () => string | null;
}

/** A server for one request, of either era. */
export function catalogServer(context: CatalogContext, { era, client }: ServedRequest): Server {
  const { identity } = context;
  const server = new Server(
    { name: "openmcp", title: identity.name, version: identity.version, websiteUrl: identity.url },
    options[era],
  );
  const forwarding = createForwarding();
  forwarding.attach(server);

  server.setRequestHandler("tools/list", () => toolList as never);
  server.setRequestHandler("tools/call", async (request, { mcpReq }) => {
    const tool = toolsByName.get(request.params.name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${request.params.name.slice(0, 100)}. The tools here are ${names}.`,
      );
    }
    try {
      const asked = { args: request.params.arguments ?? {}, round: roundOf(mcpReq, era) };
      const answer = await tool.run(context, asked, callContextOf(mcpReq, { era, client: client() }));
      if (answer.kind === "structured") return structuredResult(answer.value);
      return forwarded(answer, { request: mcpReq, era, server, forwarding }) as never;
    } catch (error) {
      const told = publicError(error, requestIdOf(context));
      if (told.requestId !== undefined && !mcpReq.signal.aborted) {
        context.logger.error(
          { err: error, requestId: told.requestId, tool: request.params.name },
          "an MCP tool failed",
        );
      }
      return failedResult(told) as never;
    }
  });
  return server;
}

/** The same data twice: for clients that read structured content, and for those that read only text. */
function structuredResult(value: object) {
  const text = stringifyRaw(value);
  return {
    content: [{ type: "text" as const, text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/** A relay's result, to take the place of what is returned when it is sent; a failed result where it can't be carried. */
function forwarded(
  { result, parsed }: Extract<ToolAnswer, { kind: "relay" }>,
  to: {
    readonly request: ServerContext["mcpReq"];
    readonly era: Era;
    readonly server: Server;
    readonly forwarding: Forwarding;
  },
): unknown {
  if (isInputRequired(parsed)) {
    const reason = whyNotAsked(parsed, capabilitiesOf(to.request, to.era));
    if (reason !== null) return failedResult(reason);
  }
  const { structuredContent } = parsed;
  const plain = structuredContent === undefined || isJsonObject(structuredContent);
  const exact = withExactNumbers(result.text, parsed);
  // Legacy clients refuse structured content that is no object; the SDK knows the form that era has for it.
  const fitting =
    to.era === "legacy" && !plain ? to.server.projectCallToolResult(exact as never, undefined) : exact;
  return to.forwarding.hold(to.request.id, fitting as JsonObject);
}
