/** A relay's tools: many in brief, or one in full. */
import { isJsonObject, type ToolDefinition } from "../../spec/index.ts";
import { TEXT_COLUMNS } from "../limits.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { table } from "../terminal/table.ts";
import { truncate, wrap } from "../terminal/text-width.ts";
import { exampleCall, type Parameter, parametersOf, signature } from "./tool-signature.ts";

interface View {
  readonly style: Style;
  readonly width: number;
}

/** Two lines a tool: the name with its parameters, and the description's first sentence or so. */
export function toolList(tools: readonly ToolDefinition[], { style, width }: View): string {
  return tools
    .map((tool) => {
      const name = printableLine(tool.name);
      const room = Math.max(10, width - name.length - 4);
      const parameters = truncate(signature(tool.inputSchema), room);
      const text = typeof tool.description === "string" ? printableLine(tool.description) : "";
      return [
        `  ${style.strong(truncate(name, width - 2))}${style.quiet(`(${parameters})`)}`,
        ...(text === "" ? [] : [`    ${truncate(text, Math.min(width, TEXT_COLUMNS + 4) - 4)}`]),
      ].join("\n");
    })
    .join("\n");
}

export function toolInFull(
  tool: ToolDefinition,
  { relay, style, width }: View & { readonly relay: string },
): string {
  const columns = Math.min(width, TEXT_COLUMNS);
  const title = typeof tool.title === "string" ? printableLine(tool.title) : "";
  const description = typeof tool.description === "string" ? printable(tool.description).trim() : "";
  const parameters = parametersOf(tool.inputSchema);
  const parts = [
    `${style.strong(printableLine(tool.name))}${title === "" ? "" : `  ${title}`}`,
    description === "" ? style.quiet("No description.") : wrap(description, columns).join("\n"),
    parameters.length === 0
      ? "Takes no parameters that it names."
      : `${style.heading("Parameters")}\n${parameterTable(parameters, { style, width })}`,
  ];
  const hints = hintsOf(tool);
  if (hints !== "") parts.push(`${style.heading("The relay says")}\n  ${hints}`);
  parts.push(`${style.heading("Call it")}\n  ${exampleCall({ relay, tool: tool.name }, tool.inputSchema)}`);
  return parts.join("\n\n");
}

function parameterTable(parameters: readonly Parameter[], { style, width }: View): string {
  return table(parameters, {
    width,
    indent: "  ",
    paintHeading: style.quiet,
    columns: [
      { heading: "NAME", cell: (one) => one.name, paint: (text) => style.accent(text), least: 8 },
      { heading: "TYPE", cell: (one) => one.type, least: 8 },
      { heading: "NEEDED", cell: (one) => (one.required ? "required" : "optional") },
      { heading: "WHAT IT IS", cell: (one) => one.description, least: 12 },
    ],
  });
}

/** Annotations are the relay's own claims (MCP, `ToolAnnotations`), so they are quoted as such. */
function hintsOf(tool: ToolDefinition): string {
  const claims = isJsonObject(tool.annotations) ? tool.annotations : {};
  const words: readonly (readonly [string, string, string])[] = [
    ["readOnlyHint", "it changes nothing", "it changes things"],
    ["destructiveHint", "it may destroy", "it destroys nothing"],
    ["idempotentHint", "calling twice is as once", "calling twice is not as once"],
    ["openWorldHint", "it reaches outside", "it stays inside"],
  ];
  return words
    .flatMap(([key, yes, no]) => (claims[key] === true ? [yes] : claims[key] === false ? [no] : []))
    .join(" · ");
}
