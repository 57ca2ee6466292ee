/** A relay's tools as rows: those that changed are rewritten, and a tool keeps its row as long as it keeps its name. */
import type { Database } from "./database.ts";
import type { ToolText } from "./record-text.ts";

interface ToolRow {
  readonly id: number;
  readonly position: number;
  readonly json: string;
}

/** In a transaction. True when a tool came, went or changed; order alone is no such change. */
export function writeTools(database: Database, relay: number, tools: readonly ToolText[]): boolean {
  const kept = keptByName(database, relay);
  let changed = false;
  tools.forEach(({ name, json }, position) => {
    const row = kept.get(name)?.shift();
    if (row === undefined) {
      database.run(
        "insert into tool (relay, position, name, json) values (?, ?, ?, ?)",
        relay,
        position,
        name,
        json,
      );
      changed = true;
    } else if (row.json !== json) {
      database.run("update tool set position = ?, json = ? where id = ?", position, json, row.id);
      changed = true;
    } else if (row.position !== position) {
      database.run("update tool set position = ? where id = ?", position, row.id);
    }
  });
  for (const row of [...kept.values()].flat()) {
    database.run("delete from tool where id = ?", row.id);
    changed = true;
  }
  return changed;
}

/** Rows by name, in order: a relay may say one name twice. */
function keptByName(database: Database, relay: number): Map<string, ToolRow[]> {
  const rows = database.all<ToolRow & { name: string }>(
    "select id, position, name, json from tool where relay = ? order by position",
    relay,
  );
  return Map.groupBy(rows, (row) => row.name);
}
