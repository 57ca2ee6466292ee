/**
 * The list of relays as another catalog needs it: endpoints, and where each was learned. Nothing in it changes with a look, so that a
 * page of it stays the same, byte for byte, while its relays do: pages of the whole list begin at places that are multiples of their
 * size, so that a relay that goes moves none of the others to another page.
 */
import { RawJson } from "../../spec/index.ts";
import { cursorAfter, placeOf } from "../cursor.ts";
import type { EndpointPage, PageOptions, StoreFilter } from "../store.ts";
import type { Database } from "./database.ts";
import { selectRelays } from "./relay-query.ts";

interface EndpointRow {
  readonly json: string;
  /** Of what was looked through for it. */
  readonly bytes: number;
}

/** A head is what comes before the record's tools, `{"id":…,"tools":[`; a tail is the rest behind them, `],…}`. */
const endpointsSql = `select length(h.head) + length(r.tail) as bytes, json_object(
    'id', r.id,
    'source', json_extract(h.head || ']}', '$.source'),
    'descriptor', json_object('mcp', json_extract(h.head || ']}', '$.descriptor.mcp')),
    'via', json_extract('{' || substr(r.tail, 3), '$.via')
  ) as json
  from json_each(?) j cross join relay r on r.seq = j.value cross join relay_text h on h.relay = r.seq`;

export function listEndpoints(
  database: Database,
  filter: StoreFilter,
  { limit, cursor, maxBytes }: Omit<PageOptions, "block">,
): EndpointPage {
  const ahead = selectRelays(database, filter).places(placeOf(cursor), limit + 1);
  const isWhole = Object.values(filter).every((value) => value === undefined);
  const end = isWhole ? Math.ceil((ahead[0] ?? 0) / limit) * limit : Number.POSITIVE_INFINITY;
  const places = ahead.filter((place) => place <= end).slice(0, limit);
  const found: string[] = [];
  let read = 0;
  for (const { json, bytes } of database.iterate<EndpointRow>(endpointsSql, JSON.stringify(places))) {
    read += bytes;
    if (found.length > 0 && read > maxBytes) break;
    found.push(json);
  }
  const last = places[found.length - 1];
  const more = last !== undefined && found.length < ahead.length;
  const isFull = found.length === places.length && isWhole;
  return {
    relays: new RawJson(`[${found.join(",")}]`),
    nextCursor: more ? cursorAfter(isFull ? end : last) : null,
  };
}
