/**
 * Asks for a tool list page by page, with the guards of wire.md ("The probe"): a repeated cursor ends it, `""` is followed
 * once, and caps on tools, pages, bytes and barren pages hold against lists without end. Decides what to ask next; what the
 * tools are worth is `readTools`'s business (tool-list.ts).
 */
import type { JsonValue } from "../spec/index.ts";
import {
  MAX_BARREN_PAGES,
  MAX_CURSOR_LENGTH,
  MAX_LIST_BYTES,
  MAX_PAGE_BYTES,
  MAX_PAGES,
  MAX_TOOLS,
} from "./limits.ts";
import type { Dress } from "./protocol.ts";
import type { Exchanged } from "./step.ts";
import type { Ids, Talk } from "./talk.ts";

export interface ToolPages {
  /** Those that hold a list, in order. */
  readonly pages: readonly Exchanged[];
  readonly ended: "complete" | "repeated-cursor" | "barren" | "cap" | "broken";
  /** The exchange that gave no list, when `ended` is `broken`. */
  readonly broken: Exchanged | null;
}

export function* listTools(dress: Dress, ids: Ids): Talk<ToolPages> {
  const pages: Exchanged[] = [];
  const cursors = new Set<string>();
  const names = new Set<JsonValue | undefined>();
  let bytes = 0;
  let barren = 0;
  let cursor: string | null = null;
  for (;;) {
    const page: Exchanged = yield {
      kind: "ask",
      message: { method: "tools/list", id: ids(), params: cursor === null ? {} : { cursor } },
      dress,
      maxBytes: MAX_PAGE_BYTES,
    };
    const tools = toolsOf(page);
    if (tools === null) return { pages, ended: "broken", broken: page };
    pages.push(page);
    bytes += page.bytes;
    const before = names.size;
    for (const tool of tools) names.add((tool as { name?: JsonValue } | null)?.name);
    barren = names.size > before ? 0 : barren + 1;
    cursor = nextCursorOf(page);
    if (cursor === null) return { pages, ended: "complete", broken: null };
    if (cursors.has(cursor)) return { pages, ended: "repeated-cursor", broken: null };
    if (barren >= MAX_BARREN_PAGES) return { pages, ended: "barren", broken: null };
    if (names.size >= MAX_TOOLS || pages.length >= MAX_PAGES || bytes >= MAX_LIST_BYTES) {
      return { pages, ended: "cap", broken: null };
    }
    cursors.add(cursor);
  }
}

/** The list on a page; null when it holds none. `tools: null` is how some servers write an empty list. */
export function toolsOf({ answer }: Exchanged): readonly JsonValue[] | null {
  if (answer.kind !== "result") return null;
  const tools = answer.result.tools;
  if (Array.isArray(tools)) return tools;
  return tools === null ? [] : null;
}

function nextCursorOf({ answer }: Exchanged): string | null {
  const cursor = answer.kind === "result" ? answer.result.nextCursor : null;
  return typeof cursor === "string" && cursor.length <= MAX_CURSOR_LENGTH ? cursor : null;
}
