/**
 * The tools of a document that tools-to-openapi.ts wrote: its exact inverse, for documents that went through any JSON writer. What an
 * operation of anybody else's means as a tool is not told here. A broken document is refused by the pointer of what is wrong.
 */
import { isJsonObject, type JsonObject, type JsonValue, OpenMcpError } from "../spec/index.ts";
import { ANY_ARGUMENTS, CALL_TOOL_RESULT } from "./components.ts";
import { readSchema, type SchemaPlace } from "./place-schema.ts";
import { memberOfKey, memberOfText, NAME_KEY, TRANSPORT_KEY, TRANSPORTS } from "./tool-fields.ts";
import type { OpenApiDocument, OpenApiTool } from "./types.ts";

/**
 * The tools of the operations that carry `x-mcp-transport`, as they were and in their order; other operations are none.
 *
 * @throws OpenMcpError `invalid-input` with a JSON pointer in `data.pointer` when such an operation is broken.
 */
export function openApiToTools(document: OpenApiDocument): OpenApiTool[] {
  const { paths } = document;
  if (typeof document.openapi !== "string") throw broken([], "is no OpenAPI document");
  if (!isJsonObject(paths)) throw broken(["paths"], "is no object");
  const components = isJsonObject(document.components) ? document.components : {};
  const schemas = isJsonObject(components.schemas) ? components.schemas : {};
  const tools: OpenApiTool[] = [];
  const names = new Set<string>();
  for (const [path, item] of Object.entries(paths)) {
    const operation = isJsonObject(item) ? item.post : undefined;
    if (!isJsonObject(operation) || !TRANSPORTS.includes(operation[TRANSPORT_KEY])) continue;
    const at = ["paths", path, "post"];
    const tool = readTool(operation, { at, schemas });
    if (names.has(tool.name)) throw broken(at, `is the second of the name ${JSON.stringify(tool.name)}`);
    names.add(tool.name);
    tools.push(tool);
  }
  return tools;
}

interface Reading {
  readonly at: readonly string[];
  readonly schemas: JsonObject;
}

function readTool(operation: JsonObject, { at, schemas }: Reading): OpenApiTool {
  const { operationId } = operation;
  if (typeof operationId !== "string") throw broken([...at, "operationId"], "is no text");
  const name = operation[NAME_KEY] ?? operationId;
  if (typeof name !== "string") throw broken([...at, NAME_KEY], "is no text");
  const members: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(operation)) {
    if (key === "operationId") members.push(["name", name]);
    else if (key === "requestBody") {
      const schema = schemaAt(value, [...at, key]);
      if (!refersTo(schema, ANY_ARGUMENTS)) {
        members.push(["inputSchema", read(schema, { operationId, side: "input" }, schemas)]);
      }
    } else if (key === "responses") {
      const answer = isJsonObject(value) ? value["200"] : undefined;
      const schema = schemaAt(answer, [...at, key, "200"]);
      if (!refersTo(schema, CALL_TOOL_RESULT)) {
        members.push(["outputSchema", read(schema, { operationId, side: "output" }, schemas)]);
      }
    } else {
      const member = memberOfKey(key);
      const [name, stated] = member === undefined ? (memberOfText(key, value) ?? []) : [member, value];
      if (name !== undefined && stated !== undefined) members.push([name, stated]);
    }
  }
  return Object.fromEntries(members) as OpenApiTool;
}

const read = (schema: JsonValue, place: SchemaPlace, schemas: JsonObject): JsonValue =>
  readSchema(schema, place, schemas);

function schemaAt(holder: JsonValue | undefined, at: readonly string[]): JsonValue {
  const content = isJsonObject(holder) ? holder.content : undefined;
  const media = isJsonObject(content) ? content["application/json"] : undefined;
  const schema = isJsonObject(media) ? media.schema : undefined;
  if (schema === undefined) throw broken([...at, "content", "application/json", "schema"], "is missing");
  return schema;
}

function refersTo(schema: JsonValue, component: string): boolean {
  return isJsonObject(schema) && schema.$ref === component && Object.keys(schema).length === 1;
}

function broken(at: readonly string[], what: string): OpenMcpError {
  const pointer = at.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return new OpenMcpError("invalid-input", `${pointer === "" ? "this" : pointer} ${what}`, {
    data: { pointer },
  });
}
