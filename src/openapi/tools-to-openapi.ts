/** Tools as an OpenAPI 3.1 document. */
import type { OpenApiDocument, OpenApiInfo, OpenApiTool, ToolsToOpenApiOptions } from "./types.ts";

/**
 * The document of a server's tools, in their order; each is one POST operation. Pure.
 *
 * @throws OpenMcpError `invalid-input` when two tools have one name.
 */
export function toolsToOpenApi(
  _info: OpenApiInfo,
  _tools: readonly OpenApiTool[],
  _options: ToolsToOpenApiOptions = {},
): OpenApiDocument {
  throw new Error("not yet");
}
