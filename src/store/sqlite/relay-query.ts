/** From a list's filter to SQL over the narrow tables: which relays, in the order of first listing, and how many. */
import { normaliseTag, type RelayFilter } from "../../spec/index.ts";
import type { StoreFilter } from "../store.ts";
import { questionWords } from "../words.ts";
import { CONTENT_EVENTS } from "./change-store.ts";
import type { Database } from "./database.ts";
import { NARROWING_WORDS } from "./limits.ts";

type Value = string | number;

export interface Selection {
  /** Up to `limit` places after `after`, ascending. */
  places(after: number, limit: number): readonly number[];
  total(): number;
}

/** Reads nothing until asked. */
export function selectRelays(database: Database, filter: StoreFilter): Selection {
  const words = questionWords(filter.q);
  return words.length > 0 ? byWords(database, filter, words) : byFlags(database, filter);
}

function byFlags(database: Database, filter: StoreFilter): Selection {
  const { from, place, conditions, values } = narrow(filter);
  return {
    places(after, limit) {
      const sql = `select ${place} as place from ${from} where ${[...conditions, `${place} > ?`].join(" and ")} order by ${place} limit ?`;
      return database.all<{ place: number }>(sql, ...values, after, limit).map((row) => row.place);
    },
    total() {
      if (filter.tag !== undefined || filter.changedSince !== undefined) {
        const sql = `select count(*) as n from ${from} where ${conditions.join(" and ")}`;
        return database.get<{ n: number }>(sql, ...values)?.n ?? 0;
      }
      const flags = flagConditions(filter, "");
      const sql = `select coalesce(sum(relays), 0) as n from relay_count where ${["true", ...flags.conditions].join(" and ")}`;
      return database.get<{ n: number }>(sql, ...flags.values)?.n ?? 0;
    },
  };
}

/** Words can occur anywhere, so all texts are looked through, once: for the page and the total together. */
function byWords(database: Database, filter: StoreFilter, words: readonly string[]): Selection {
  let found: readonly number[] | undefined;
  function all(): readonly number[] {
    found ??= placesWithWords(database, filter, words);
    return found;
  }
  return {
    places: (after, limit) => {
      const start = all().findIndex((place) => place > after);
      return start < 0 ? [] : all().slice(start, start + limit);
    },
    total: () => all().length,
  };
}

function placesWithWords(
  database: Database,
  filter: StoreFilter,
  words: readonly string[],
): readonly number[] {
  const narrowing = words.slice(0, NARROWING_WORDS);
  const others = words.slice(NARROWING_WORDS);
  const { from, place, conditions, values } = narrow(filter);
  const source = conditions.length > 0 ? `${from} join relay_words w on w.relay = ${place}` : "relay_words w";
  const holds = [...conditions, ...narrowing.map(() => "instr(w.text, ?) > 0")].join(" and ");
  if (others.length === 0) {
    // One text of all places: 20,000 rows would cost more than the search.
    const sql = `select json_group_array(w.relay) as places from ${source} where ${holds}`;
    const row = database.get<{ places: string }>(sql, ...values, ...narrowing);
    return (JSON.parse(row?.places ?? "[]") as number[]).sort((a, b) => a - b);
  }
  const sql = `select w.relay as place, w.text from ${source} where ${holds}`;
  return [...database.iterate<{ place: number; text: string }>(sql, ...values, ...narrowing)]
    .filter(({ text }) => others.every((word) => text.includes(word)))
    .map((row) => row.place)
    .sort((a, b) => a - b);
}

function narrow(filter: StoreFilter): {
  readonly from: string;
  readonly place: string;
  readonly conditions: readonly string[];
  readonly values: readonly Value[];
} {
  const flags = withChanges(flagConditions(filter, "r."), filter.changedSince);
  const flagged = flags.conditions.length > 0;
  if (filter.tag === undefined) {
    return {
      from: "relay r indexed by relay_listing",
      place: "r.seq",
      conditions: flags.conditions,
      values: flags.values,
    };
  }
  return {
    from: flagged ? "relay_tag t cross join relay r on r.seq = t.relay" : "relay_tag t",
    place: "t.relay",
    conditions: ["t.tag = ?", ...flags.conditions],
    values: [normaliseTag(filter.tag), ...flags.values],
  };
}

/** Before the oldest change that is kept anything may have changed. */
function withChanges(
  { conditions, values }: ReturnType<typeof flagConditions>,
  since: string | undefined,
): ReturnType<typeof flagConditions> {
  if (since === undefined) return { conditions, values };
  const changed = `(r.id in (select c.relay from change c where c.at >= ? and c.event in ${CONTENT_EVENTS})
    or ? < (select at from change order by seq limit 1))`;
  return { conditions: [...conditions, changed], values: [...values, since, since] };
}

function flagConditions(
  filter: Omit<RelayFilter, "q" | "tag">,
  prefix: "r." | "",
): { readonly conditions: readonly string[]; readonly values: readonly Value[] } {
  const wanted: [string, Value | undefined][] = [
    ["online", filter.online === undefined ? undefined : Number(filter.online)],
    ["verified", filter.verified === undefined ? undefined : Number(filter.verified)],
    ["auth", filter.auth],
    ["era", filter.era],
  ];
  const given = wanted.filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return {
    conditions: given.map(([column]) => `${prefix}${column} = ?`),
    values: given.map(([, value]) => value),
  };
}
