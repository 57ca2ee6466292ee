/** A tool's failure as an error, for those who want it thrown. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { OpenMcpError } from "../../spec/index.ts";
import { EXCERPT_CHARS } from "../limits.ts";

/**
 * The result, or `OpenMcpError` `tool-error` when the tool says that it failed; `data.result` is the result.
 * @example
 * ```ts
 * import { connect, unwrap } from "openmcp/client";
 *
 * await using relay = await connect("https://relay.example/mcp");
 * const { content } = unwrap(await relay.callTool({ name: "add", arguments: { a: 1, b: 2 } }));
 * ```
 */
export function unwrap(result: CallToolResult): CallToolResult {
  if (result.isError !== true) return result;
  const text = result.content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
  const sentence = text === "" ? "The tool failed without a word." : text.slice(0, EXCERPT_CHARS);
  throw new OpenMcpError("tool-error", sentence, { data: { result } });
}
