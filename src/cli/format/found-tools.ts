/** What `find` found: the best first, each with where it lives and how to call it. */
import type { FoundTool } from "../../spec/index.ts";
import { TEXT_COLUMNS } from "../limits.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { truncate, wrap } from "../terminal/text-width.ts";
import { factLine } from "./facts.ts";
import { exampleCall } from "./tool-signature.ts";

const DESCRIPTION_LINES = 2;

export function foundTools(
  tools: readonly FoundTool[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const indent = " ".repeat(String(tools.length).length + 2);
  const room = Math.max(20, Math.min(width, TEXT_COLUMNS) - indent.length);
  return tools
    .map((tool, at) => {
      const number = String(at + 1).padStart(indent.length - 2);
      const name = printableLine(tool.name);
      const title = tool.title === undefined ? "" : `  ${printableLine(tool.title)}`;
      return [
        `${style.quiet(number)}  ${style.strong(truncate(name, room))}${truncate(title, Math.max(2, room - name.length))}`,
        `${indent}${style.accent(printableLine(tool.relay))}  ${factLine(tool, style)}`,
        ...descriptionLines(tool.description, room).map((line) => `${indent}${line}`),
        `${indent}${style.quiet(exampleCall({ relay: tool.relay, tool: tool.name }, tool.inputSchema))}`,
      ].join("\n");
    })
    .join("\n\n");
}

function descriptionLines(description: string | undefined, room: number): readonly string[] {
  const text = printableLine(description ?? "");
  if (text === "") return [];
  const lines = wrap(text, room);
  if (lines.length <= DESCRIPTION_LINES) return lines;
  // The rest joined to the last line is longer than a line, so it is cut with an ellipsis.
  const last = truncate(lines.slice(DESCRIPTION_LINES - 1).join(" "), room);
  return [...lines.slice(0, DESCRIPTION_LINES - 1), last];
}
