/**
 * Reading relays: one by id or endpoint, and pages of records or summaries as joined JSON.
 * A page stays bytes from the file to the socket: decoding half a megabyte and encoding it again costs more than reading it.
 */
import {
  type DocumentMemory,
  type EndpointHints,
  RawArray,
  RawJson,
  type RelayFilter,
  type RelayRecord,
  type RelaySummary,
} from "../../spec/index.ts";
import { cursorAfter, placeOf } from "../cursor.ts";
import type { ListOptions, PageOptions, RelayPage, StoredRelay, StoreFilter } from "../store.ts";
import type { Database } from "./database.ts";
import { pulseOf } from "./history-store.ts";
import { selectRelays } from "./relay-query.ts";

const recordSql =
  "select r.revision, cast(h.head || h.tools || r.tail as blob) as json from relay r join relay_text h on h.relay = r.seq";

interface StoredRow {
  readonly json: string;
  readonly endpoint: string;
  readonly hints: string | null;
  readonly document: string | null;
  readonly pulse: string | null;
  readonly revision: number;
}

const storedSql = `select h.head || h.tools || r.tail as json, r.endpoint, r.hints, r.document, r.pulse, r.revision
  from relay r join relay_text h on h.relay = r.seq`;

export function getRelay(database: Database, id: string): StoredRelay | null {
  return stored(database.get<StoredRow>(`${storedSql} where r.id = ?`, id));
}

export function getRelayJson(database: Database, id: string): RawJson<RelayRecord> | null {
  const row = database.get<{ revision: number; json: Uint8Array }>(`${recordSql} where r.id = ?`, id);
  // The name spares the reader's tag a hash of all of it.
  return row === undefined ? null : new RawJson([row.json], `${database.generation} record ${row.revision}`);
}

export function findRelayByEndpoint(database: Database, endpoint: string): StoredRelay | null {
  const sql = `${storedSql} where r.seq = (select relay from relay_endpoint where url = ?)`;
  return stored(database.get<StoredRow>(sql, endpoint));
}

export function listRecords(
  database: Database,
  filter: StoreFilter,
  page: ListOptions,
): RelayPage<RelayRecord> {
  const bare = page.withoutTools === true;
  return list(database, filter, page, {
    kind: bare ? "records-without-tools" : "records",
    sql: `select r.revision, cast(h.head${bare ? "" : " || h.tools"} || r.tail as blob) as json
        from json_each(?) j cross join relay r on r.seq = j.value cross join relay_text h on h.relay = r.seq`,
  });
}

export function listRelaySummaries(
  database: Database,
  filter: RelayFilter,
  page: PageOptions,
): RelayPage<RelaySummary> {
  return list(database, filter, page, {
    kind: "summaries",
    sql: `select r.revision, cast(h.summary as blob) as json
        from json_each(?) j cross join relay r on r.seq = j.value cross join relay_text h on h.relay = r.seq`,
  });
}

interface Entries {
  readonly kind: "records" | "records-without-tools" | "summaries";
  /** Gives the entries at a JSON array of places, as bytes with the relay's revision, in its order. */
  readonly sql: string;
}

/** Entries are read until the page is full. */
function list<T>(
  database: Database,
  filter: StoreFilter,
  page: PageOptions,
  { kind, sql }: Entries,
): RelayPage<T> {
  const selection = selectRelays(database, filter);
  const { first, last: end } = placesOf(page.block);
  const places = selection
    .places(Math.max(placeOf(page.cursor), first - 1), page.limit + 1)
    .filter((place) => place <= end);
  const found: Uint8Array[] = [];
  // A relay's texts change with its revision alone, and revisions are never given twice while a database stays the same.
  const revisions: number[] = [];
  let bytes = 2;
  for (const { json, revision } of database.iterate<{ json: Uint8Array; revision: number }>(
    sql,
    JSON.stringify(places.slice(0, page.limit)),
  )) {
    bytes += json.length + 1;
    if (revisions.length > 0 && bytes > page.maxBytes) break;
    found.push(json);
    revisions.push(revision);
  }
  const entries = found.length;
  const last = places[entries - 1];
  return {
    relays: new RawArray(found, `${database.generation} ${kind} ${revisions.join(" ")}`),
    total: selection.total(),
    nextCursor: last !== undefined && entries < places.length ? cursorAfter(last) : null,
  };
}

/** Places begin with 1. */
function placesOf(block: PageOptions["block"]): { readonly first: number; readonly last: number } {
  if (block === undefined) return { first: 1, last: Number.POSITIVE_INFINITY };
  const before = block.number * block.size;
  return { first: before + 1, last: before + block.size };
}

export function relayBlocks(database: Database, size: number): readonly number[] {
  const sql =
    "select distinct (seq - 1) / cast(? as integer) as number from relay indexed by relay_listing order by number";
  return database.all<{ number: number }>(sql, size).map((row) => row.number);
}

function stored(row: StoredRow | undefined): StoredRelay | null {
  if (row === undefined) return null;
  return {
    record: JSON.parse(row.json) as RelayRecord,
    endpoint: row.endpoint,
    hints: row.hints === null ? null : (JSON.parse(row.hints) as EndpointHints),
    document: row.document === null ? null : (JSON.parse(row.document) as DocumentMemory),
    ...(row.pulse === null ? {} : { pulse: pulseOf(row.pulse) }),
    revision: row.revision,
  };
}
