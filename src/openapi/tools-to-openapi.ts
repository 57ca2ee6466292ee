/**
 * Tools as an OpenAPI 3.1 document: one POST operation a tool, whose members stand in the order of the tool's own, so that
 * openapi-to-tools.ts gives back the same tools to the byte. Schemas are JSON Schema on both sides and are copied; place-schema.ts
 * has the one thing that moves. Whom it is shown to, and where, is others' to say.
 */
import type { JsonObject, JsonValue } from "../spec/index.ts";
import {
  ANY_ARGUMENTS,
  anyArguments,
  CALL_TOOL_RESULT,
  callToolResult,
  jsonRpcError,
  problemResponse,
} from "./components.ts";
import { nameOperations, type OperationName } from "./operation-names.ts";
import { documentPlaces } from "./paths.ts";
import { placeSchema } from "./place-schema.ts";
import { isSchema, keyOfMember, NAME_KEY, TRANSPORT_KEY, textOfMember } from "./tool-fields.ts";
import type {
  HttpOperations,
  OpenApiDocument,
  OpenApiInfo,
  OpenApiTool,
  ToolsToOpenApiOptions,
} from "./types.ts";

/** The revision that is spoken where nothing else is said. */
const PROTOCOL_VERSION = "2026-07-28";

/**
 * The document of a server's tools, in their order.
 *
 * @throws OpenMcpError `invalid-input` when two tools have one name.
 * @example
 * ```ts
 * const document = toolsToOpenApi({ name: "greet", version: "1.0.0" }, [
 *   { name: "greet", inputSchema: { type: "object", properties: { name: { type: "string" } } } },
 * ]);
 * ```
 */
export function toolsToOpenApi(
  info: OpenApiInfo,
  tools: readonly OpenApiTool[],
  options: ToolsToOpenApiOptions = {},
): OpenApiDocument {
  const {
    endpoint = "/mcp",
    protocolVersion = PROTOCOL_VERSION,
    transport = "streamable-http",
    http,
  } = options;
  const places = documentPlaces(endpoint ?? "/mcp", options);
  const mcp = {
    ...(endpoint === null ? {} : { endpoint }),
    ...(protocolVersion === null ? {} : { protocolVersion }),
    transport,
  };
  const schemas = new Map<string, JsonValue>();
  const names = nameOperations(tools.map(({ name }) => name));
  const paths = tools.map((tool, index): [string, JsonValue] => {
    const name = names[index] as OperationName;
    return [`${places.toolsPath}/${name.segment}`, { post: operation(tool, { name, schemas, options }) }];
  });
  return {
    openapi: "3.1.0",
    info: { ...infoObject(info), "x-mcp": mcp },
    servers: places.servers,
    "x-mcp": mcp,
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries([
        ...schemas,
        ["CallToolResult", callToolResult],
        ["AnyArguments", anyArguments],
      ]),
      responses:
        http === undefined ? { JsonRpcError: jsonRpcError } : { Problem: problemResponse(http.problem) },
      ...(http?.security === undefined ? {} : { securitySchemes: http.security.schemes }),
    },
  };
}

/** What an Info Object has beside title and version. A server's `Implementation` has other things, under other names. */
const INFO_KEYS = ["summary", "description", "termsOfService", "contact", "license"];

function infoObject(info: OpenApiInfo): JsonObject {
  const others = Object.entries(info).filter(
    ([key, value]) => value !== undefined && (INFO_KEYS.includes(key) || key.startsWith("x-")),
  );
  return {
    title: info.title || info.name || "MCP server",
    version: info.version || "0.0.0",
    ...(Object.fromEntries(others) as JsonObject),
  };
}

interface OperationContext {
  readonly name: OperationName;
  readonly schemas: Map<string, JsonValue>;
  readonly options: ToolsToOpenApiOptions;
}

function operation(tool: OpenApiTool, { name, schemas, options }: OperationContext): JsonObject {
  const { operationId } = name;
  const { http } = options;
  const left = leftOut(options);
  const transport = http === undefined ? "json-rpc" : "http";
  const own = new Map<string, JsonValue>();
  for (const [member, value] of Object.entries(tool)) {
    if (value === undefined || left.includes(member)) continue;
    if (member === "name") {
      own.set("operationId", operationId);
      if (operationId !== tool.name) own.set(NAME_KEY, tool.name);
      continue;
    }
    const side = isSchema(value) ? sides.get(member) : undefined;
    const schema = side === undefined ? null : placeSchema(value, { operationId, side }, schemas);
    if (side !== undefined && schema === null) own.set(...textOfMember(member, value));
    else if (schema === null) own.set(keyOfMember(member, value), value);
    else if (side === "output") own.set("responses", responses(schema, http));
    else own.set(TRANSPORT_KEY, transport).set("requestBody", body(schema));
  }
  if (!own.has("requestBody")) {
    own.set(TRANSPORT_KEY, transport);
    own.set("requestBody", { ...body({ $ref: ANY_ARGUMENTS }), required: false });
  }
  if (!own.has("responses")) own.set("responses", responses({ $ref: CALL_TOOL_RESULT }, http));
  if (http?.security !== undefined) own.set("security", http.security.requirements(tool));
  return Object.fromEntries(own);
}

const sides: ReadonlyMap<string, "input" | "output"> = new Map([
  ["inputSchema", "input"],
  ["outputSchema", "output"],
]);

function leftOut({ include = {} }: ToolsToOpenApiOptions): string[] {
  const members = [
    ["annotations", include.annotations],
    ["icons", include.icons],
    ["execution", include.execution],
    ["_meta", include.meta],
  ] as const;
  return members.filter(([, wanted]) => wanted === false).map(([member]) => member);
}

function body(schema: JsonValue): JsonObject {
  return { required: true, content: { "application/json": { schema } } };
}

function responses(schema: JsonValue, http: HttpOperations | undefined): JsonObject {
  return {
    "200": { description: "Tool result", content: { "application/json": { schema } } },
    default: { $ref: `#/components/responses/${http === undefined ? "JsonRpcError" : "Problem"}` },
  };
}
