/**
 * A record as the texts it is kept in: what comes before its tools, each tool, and what comes after.
 * Joined they are the record's JSON; nothing is parsed to answer with it.
 */
import type { RelayRecord, ToolDefinition } from "../../spec/index.ts";

export interface RecordText {
  /** From `{` to the `[` of the tools: changes with the descriptor. */
  readonly head: string;
  /** From the `]` of the tools to `}`: changes with every probe. */
  readonly tail: string;
  readonly tools: readonly ToolText[];
  /** The tools' texts, commas between: what lies between head and tail. */
  readonly toolsText: string;
}

export interface ToolText {
  readonly name: string;
  readonly json: string;
}

export function recordText(record: RelayRecord): RecordText {
  const { id, source, descriptor } = record;
  const tools = record.tools.map(toolText);
  return {
    head: `${JSON.stringify({ id, source, descriptor }).slice(0, -1)},"tools":[`,
    tail: tailText(record),
    tools,
    toolsText: tools.map((tool) => tool.json).join(","),
  };
}

/** What every probe changes, alone. */
export function tailText({ id, source, descriptor, tools, ...rest }: RelayRecord): string {
  return `],${JSON.stringify(rest).slice(1)}`;
}

export function wholeText(text: RecordText): string {
  return text.head + text.toolsText + text.tail;
}

function toolText(tool: ToolDefinition): ToolText {
  // A lone surrogate can't be stored as UTF-8; the JSON text escapes it, the name column stands for it.
  return { name: tool.name.toWellFormed(), json: JSON.stringify(tool) };
}
