/**
 * One MCP server for one request: the SDK asks for a fresh one each time (probe.md "Serving"), so that all that can be
 * built once (tool list, options) is built outside and shared. It decodes, runs the operation, and encodes.
 */
import { ProtocolError, ProtocolErrorCode, Server, type ServerOptions } from "@modelcontextprotocol/server";
import { type CallContext, type CatalogContext, requestIdOf } from "../../catalog/index.ts";
import { publicError } from "../../http/index.ts";
import {
  isJsonObject,
  type JsonObject,
  OpenMcpError,
  readTraceContext,
  stringifyRaw,
} from "../../spec/index.ts";
import { failedResult } from "./advice.ts";
import { createForwarding, type Forwarding } from "./forwarded-result.ts";
import { TOOL_LIST_TTL_MS } from "./limits.ts";
import { INSTRUCTIONS, tools } from "./tools.ts";

const toolList = { tools: tools.map((tool) => tool.listing) };
const toolsByName = new Map(tools.map((tool) => [tool.listing.name, tool]));
const forAll = { ttlMs: TOOL_LIST_TTL_MS, cacheScope: "public" } as const;

const options: ServerOptions = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  cacheHints: { "tools/list": forAll, "server/discover": forAll },
  // Nothing is elicited here, so nothing is validated: without this the SDK builds a JSON Schema validator a request.
  jsonSchemaValidator: {
    getValidator() {
      throw new OpenMcpError("internal", "the catalog elicits nothing");
    },
  },
};

const names = tools.map((tool) => tool.listing.name).join(", ");

export interface ServedRequest {
  readonly era: "legacy" | "modern";
  /** Whose budgets it draws on; null: nobody's. */
  readonly client: () => string | null;
}

/** A server for one request, of either era. */
export function catalogServer(context: CatalogContext, { era, client }: ServedRequest): Server {
  const { identity } = context;
  const server = new Server(
    { name: "openmcp", title: identity.name, version: identity.version, websiteUrl: identity.url },
    options,
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
    const token = mcpReq._meta?.progressToken;
    const call: CallContext = {
      signal: mcpReq.signal,
      admin: false,
      client: client(),
      trace: readTraceContext(mcpReq._meta ?? {}),
      ...(token === undefined
        ? {}
        : {
            onProgress(progress) {
              // A client that went away misses it; the call itself hears of that by its signal.
              mcpReq
                .notify({ method: "notifications/progress", params: { progressToken: token, ...progress } })
                .catch(() => {});
            },
          }),
    };
    try {
      const answer = await tool.run(context, request.params.arguments ?? {}, call);
      if (answer.kind === "structured") return structuredResult(answer.value);
      return forwarded(answer.result, { id: mcpReq.id, era, server, forwarding }) as never;
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

function forwarded(
  result: JsonObject,
  to: {
    readonly id: string | number;
    readonly era: string;
    readonly server: Server;
    readonly forwarding: Forwarding;
  },
): unknown {
  if (result.resultType === "input_required") {
    // Its answer would have to find its way back to the relay with the next call, which this catalog can't carry yet.
    return failedResult({
      code: "relay-error",
      message:
        "the relay asks for more input in the middle of the call, which can't be given through this catalog; connect to the relay itself (get_relay has its endpoint)",
      data: { result },
    });
  }
  const { structuredContent } = result;
  const plain = structuredContent === undefined || isJsonObject(structuredContent);
  // Legacy clients refuse structured content that is no object; the SDK knows the form that era has for it.
  const fitting =
    to.era === "legacy" && !plain ? to.server.projectCallToolResult(result as never, undefined) : result;
  return to.forwarding.hold(to.id, fitting as JsonObject);
}
