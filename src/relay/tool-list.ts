/**
 * From the pages of a tool list to the tools: raw, in first-seen order, each name once, capped; what was odd becomes notes.
 * A tool without a usable name is dropped; whatever else is wrong with one is kept and said (probe.md, cases 2, 11 and 12).
 * Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from "../spec/index.ts";
import { MAX_NOTES, MAX_TOOLS } from "./limits.ts";
import { parameterHeaderFault } from "./parameter-headers.ts";
import { quotable } from "./quotable.ts";
import { type ToolPages, toolsOf } from "./tool-pages.ts";

export interface ToolReading {
  readonly tools: readonly ToolDefinition[];
  /** True when the relay has, or may have, more than these. */
  readonly truncated: boolean;
  /** True when a page failed to come: what is missing is not known to be gone. */
  readonly brokenOff: boolean;
  readonly notes: readonly string[];
}

export function readTools(list: ToolPages): ToolReading {
  const tools = new Map<string, ToolDefinition>();
  const notes = createNotes();
  let over = false;
  for (const page of list.pages) {
    for (const item of toolsOf(page) ?? []) {
      if (!isTool(item)) notes.add("One entry of the tool list has no name and was left out.");
      else if (tools.has(item.name)) notes.add(`The tool ${quote(item.name)} is listed more than once.`);
      else if (tools.size >= MAX_TOOLS) over = true;
      else {
        tools.set(item.name, item);
        for (const oddity of oddities(item)) notes.add(`The tool ${quote(item.name)} ${oddity}.`);
      }
    }
  }
  const unusual = endings[list.ended];
  if (unusual !== null) notes.add(unusual);
  if (over && list.ended !== "cap") notes.add(endings.cap);
  const brokenOff = list.ended === "broken";
  const truncated = over || list.ended === "cap" || brokenOff;
  return { tools: [...tools.values()], truncated, brokenOff, notes: notes.list() };
}

const endings = {
  complete: null,
  "repeated-cursor": "The tool list repeats a cursor; it was read once.",
  barren: "The tool list goes on with pages that bring nothing new; they were left.",
  cap: `The relay has more tools than a catalog lists (${MAX_TOOLS} at most); the rest is left out.`,
  broken: "The tool list broke off; what came before is listed.",
} as const;

function isTool(item: JsonValue): item is ToolDefinition {
  return isJsonObject(item) && typeof item.name === "string" && item.name !== "";
}

/** What a strict client would refuse a tool for. */
function* oddities(tool: JsonObject): Generator<string> {
  if (!isJsonObject(tool.inputSchema)) yield "has no input schema";
  for (const key of ["title", "description"]) {
    if (tool[key] !== undefined && typeof tool[key] !== "string") yield `has a ${key} that is no text`;
  }
  if (tool.icons !== undefined && !isIconList(tool.icons)) yield "has an icon without a source";
  const fault = parameterHeaderFault(tool);
  if (fault !== null) yield `can't be called by strict clients: ${fault}`;
}

function isIconList(icons: JsonValue): boolean {
  return Array.isArray(icons) && icons.every((icon) => isJsonObject(icon) && typeof icon.src === "string");
}

function quote(name: string): string {
  return `"${quotable(name)}"`;
}

/** Keeps the first notes, each once, and counts the rest. */
function createNotes(): { add(note: string): void; list(): readonly string[] } {
  const kept = new Set<string>();
  let dropped = 0;
  return {
    add(note) {
      if (kept.has(note)) return;
      if (kept.size < MAX_NOTES) kept.add(note);
      else dropped++;
    },
    list: () => (dropped === 0 ? [...kept] : [...kept, `${dropped} more oddities are not listed here.`]),
  };
}
