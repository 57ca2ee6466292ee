/**
 * Reads what forwarding a call needs, and nothing more: one statement by key, whatever the record weighs.
 * A record with its tools would be joined and parsed for each call: 40 microseconds for ten tools, 20 milliseconds for 5,000.
 * What was read is kept with the relay's revision, which every write raises: while that stands, it is asked for and nothing is parsed.
 */
import {
  type EndpointHints,
  type RelayRecord,
  recordEndpoint,
  type ToolDefinition,
} from "../../spec/index.ts";
import type { CallRoute } from "../store.ts";
import type { Database } from "./database.ts";
import { MAX_ROUTE_CHARS, MAX_ROUTES_KEPT } from "./limits.ts";

export type CallRoutes = (id: string, tool: string) => CallRoute | null;

interface Kept {
  readonly route: CallRoute;
  readonly revision: number;
  /** Of the database's file: another file counts its own revisions. */
  readonly generation: string;
}

export function createCallRoutes(database: Database): CallRoutes {
  const kept = new Map<string, Kept>();
  return (id, tool) => {
    const revision = database.get<{ revision: number }>(
      "select revision from relay where id = ?",
      id,
    )?.revision;
    if (revision === undefined) return null;
    const { generation } = database;
    // An id has no space.
    const key = `${id} ${tool}`;
    const known = kept.get(key);
    if (known?.revision === revision && known.generation === generation) return known.route;
    const read = readCallRoute(database, id, tool);
    if (read === null) return null;
    kept.delete(key);
    // Names that no relay has are any caller's to make up.
    if (read.route.definition !== null && read.chars <= MAX_ROUTE_CHARS) {
      if (kept.size >= MAX_ROUTES_KEPT) kept.clear();
      kept.set(key, { route: read.route, revision: read.revision, generation });
    }
    return read.route;
  };
}

interface RouteRow {
  readonly revision: number;
  readonly head: string;
  readonly hints: string | null;
  readonly tool: string | null;
}

interface Read {
  readonly route: CallRoute;
  readonly revision: number;
  /** How much was parsed for it. */
  readonly chars: number;
}

function readCallRoute(database: Database, id: string, tool: string): Read | null {
  const rows = database.all<RouteRow>(
    `select r.revision, h.head, r.hints, t.json as tool
      from relay r join relay_text h on h.relay = r.seq left join tool t on t.relay = r.seq and t.name = ?
      where r.id = ? order by t.position`,
    tool.toWellFormed(),
    id,
  );
  const first = rows[0];
  if (first === undefined) return null;
  // The head is open where the tools begin.
  const head = JSON.parse(`${first.head}]}`) as Pick<RelayRecord, "source" | "descriptor">;
  const definitions = rows.map((row) =>
    row.tool === null ? null : (JSON.parse(row.tool) as ToolDefinition),
  );
  return {
    route: {
      url: recordEndpoint(head),
      hints: first.hints === null ? null : (JSON.parse(first.hints) as EndpointHints),
      // Names that differ in lone surrogates only share a column value.
      definition: definitions.find((definition) => definition?.name === tool) ?? null,
    },
    revision: first.revision,
    chars: rows.reduce((chars, row) => chars + (row.tool?.length ?? 0), first.hints?.length ?? 0),
  };
}
