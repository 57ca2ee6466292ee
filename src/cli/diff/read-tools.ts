/** The tools in a document: a snapshot, an answer to `tools/list`, a record, or an OpenAPI document that this software wrote. Pure. */
import { openApiToTools } from "../../openapi/index.ts";
import {
  isJsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  nestsDeeper,
  OpenMcpError,
  type ToolDefinition,
} from "../../spec/index.ts";

/**
 * `place` is how the document is called in errors.
 * @throws OpenMcpError `invalid-input` when no list of tools is in it.
 */
export function readTools(text: string, place: string): readonly ToolDefinition[] {
  const refuse = (reason: string): never => {
    throw new OpenMcpError("invalid-input", `"${place}" ${reason}.`);
  };
  if (nestsDeeper(text, MAX_JSON_DEPTH)) refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let json: JsonValue;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, "")) as JsonValue;
  } catch {
    return refuse("is no JSON");
  }
  const tools = isJsonObject(json) && typeof json.openapi === "string" ? openApiToTools(json) : listIn(json);
  if (tools === null)
    return refuse("has no list of tools: a snapshot, tools/list, or an OpenAPI document of ours has");
  const named = tools.filter(isTool);
  if (named.length < tools.length) refuse("lists a tool without a name");
  if (new Set(named.map(({ name }) => name)).size < named.length) refuse("lists two tools with one name");
  if (isJsonObject(json) && typeof json.openapi === "string" && named.length === 0) {
    refuse("is an OpenAPI document with no operation that is marked as a tool (x-mcp-…)");
  }
  return named;
}

/** The list itself, or in `tools`; an answer of the protocol has it in `result`. */
function listIn(json: JsonValue): readonly JsonValue[] | null {
  if (Array.isArray(json)) return json;
  if (!isJsonObject(json)) return null;
  if (Array.isArray(json.tools)) return json.tools;
  return isJsonObject(json.result) && Array.isArray(json.result.tools) ? json.result.tools : null;
}

function isTool(value: unknown): value is ToolDefinition {
  return isJsonObject(value) && typeof value.name === "string";
}
