/**
 * The command that the official conformance suite runs in its client mode, with the URL of its server as the last argument:
 * it drives relay/ as the catalog does. A look, and then one call of every tool that strict clients may call, with the
 * arguments that the suite's context names or that the schema asks for. Exit 1 when anything is not as the suite serves it.
 */
import { createExchange } from "../../src/net/index.ts";
import { callTool, look, parameterHeaderFault } from "../../src/relay/index.ts";
import type { JsonObject, JsonValue, ToolDefinition } from "../../src/spec/index.ts";
import { isJsonObject } from "../../src/spec/index.ts";

interface SuiteCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** It lists a tool and serves no call of it: whether a URL in its schema is fetched is the question. */
const LISTS_ONLY = new Set(["json-schema-ref-no-deref"]);

const endpoint = process.argv.at(-1) ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as {
  toolCalls?: readonly SuiteCall[];
};

await using net = createExchange({ allowLoopback: true, allowNetworks: [] });
const { exchange } = net;
const verdict = await look(endpoint, { exchange, now: Date.now });
console.log(JSON.stringify(verdict, null, 2));
if (verdict.state !== "online") process.exitCode = 1;

const tools = (verdict.tools ?? []).filter((tool) => parameterHeaderFault(tool) === null);
const named =
  context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
const calls = LISTS_ONLY.has(process.env.MCP_CONFORMANCE_SCENARIO ?? "") ? [] : named;
for (const { name, arguments: args } of calls) {
  const definition = tools.find((tool) => tool.name === name) ?? null;
  const outcome = await callTool(
    endpoint,
    { tool: name, arguments: args },
    { exchange, now: Date.now, hints: verdict.hints, definition },
  );
  console.log(name, JSON.stringify(outcome));
  if (outcome.kind !== "result") process.exitCode = 1;
}

/** One value of the right type for every property; a property `schema` gets the first tool's schema, as it came. */
function argumentsFor(tool: ToolDefinition, all: readonly ToolDefinition[]): JsonObject {
  const schema = isJsonObject(tool.inputSchema) ? tool.inputSchema : {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      name === "schema"
        ? (all[0]?.inputSchema ?? {})
        : sample(isJsonObject(property) ? property.type : undefined),
    ]),
  );
}

function sample(type: JsonValue | undefined): JsonValue {
  switch (type) {
    case "number":
    case "integer":
      return 2;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "text";
  }
}
