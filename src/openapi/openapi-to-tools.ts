/** The tools of a document that `toolsToOpenApi` wrote. */
import type { OpenApiDocument, OpenApiTool } from "./types.ts";

/**
 * The tools of the operations that carry `x-mcp-transport`, exactly as they were; other operations are no tools. Pure.
 *
 * @throws OpenMcpError `invalid-input` with a JSON pointer in `data.pointer` when such an operation is broken.
 */
export function openApiToTools(_document: OpenApiDocument): OpenApiTool[] {
  throw new Error("not yet");
}
