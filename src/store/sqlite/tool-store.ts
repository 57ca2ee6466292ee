/** Tools: a relay's own, one by name, and those that answer a question. */
import { RawJson, type ToolDefinition } from "../../spec/index.ts";
import type { ToolStore } from "../store.ts";
import type { Database } from "./database.ts";
import type { TermIds } from "./term-ids.ts";
import { findTools } from "./tool-find.ts";

export function createToolStore(database: Database, termIds: TermIds): ToolStore {
  return {
    async ofRelay(id) {
      const row = database.get<{ online: number; json: string }>(
        "select r.online, h.tools as json from relay r join relay_text h on h.relay = r.seq where r.id = ?",
        id,
      );
      return row === undefined ? null : { online: row.online === 1, tools: new RawJson(`[${row.json}]`) };
    },
    async get(relay, name) {
      const rows = database.all<{ json: string }>(
        `select t.json from relay r join tool t on t.relay = r.seq and t.name = ? where r.id = ? order by t.position`,
        name.toWellFormed(),
        relay,
      );
      const tools = rows.map((row) => JSON.parse(row.json) as ToolDefinition);
      return tools.find((tool) => tool.name === name) ?? null;
    },
    find: (query) => findTools(database, termIds, query),
  };
}
