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
}

export interface ToolText {
  readonly name: string;
  readonly json: string;
}

export function recordText(record: RelayRecord): RecordText {
  const { id, source, descriptor, tools } = record;
  return {
    head: `${JSON.stringify({ id, source, descriptor }).slice(0, -1)},"tools":[`,
    tail: tailText(record),
    tools: tools.map(toolText),
  };
}

/** What every probe changes, alone. */
export function tailText({ id, source, descriptor, tools, ...rest }: RelayRecord): string {
  return `],${JSON.stringify(rest).slice(1)}`;
}

/** SQL: the tools' texts of the relay `owner`, joined, `''` when there are none. */
export function toolsSql(owner: string): string {
  return `coalesce((select group_concat(json, ',') from (select json from tool where relay = ${owner} order by position)), '')`;
}

export function wholeText(text: RecordText): string {
  return text.head + text.tools.map((tool) => tool.json).join(",") + text.tail;
}

function toolText(tool: ToolDefinition): ToolText {
  // A lone surrogate can't be stored as UTF-8; the JSON text escapes it, the name column stands for it.
  return { name: tool.name.toWellFormed(), json: JSON.stringify(tool) };
}
