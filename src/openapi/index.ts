/**
 * Tools as OpenAPI documents, and back. Pure: no I/O, no clock; runs anywhere. Serving a document is http/'s, calling what it
 * describes a door's.
 */
export { openApiToTools } from "./openapi-to-tools.ts";
export { toolOfSegment } from "./operation-names.ts";
export { toolsToOpenApi } from "./tools-to-openapi.ts";
export type {
  HttpOperations,
  OpenApiDocument,
  OpenApiInfo,
  OpenApiTool,
  ToolsToOpenApiOptions,
} from "./types.ts";
