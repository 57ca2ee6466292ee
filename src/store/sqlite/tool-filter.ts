/** What a question's hits have to be, as SQL over `relay r`; and, where few relays are so, their tools beforehand. */
import { normaliseTag } from "../../spec/index.ts";
import type { ToolQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { FEW_OF_ALL, RELAYS_GATHERED } from "./limits.ts";

export interface ToolFilter {
  readonly conditions: readonly string[];
  readonly values: readonly (string | number)[];
}

/** Null when everything is allowed. Columns of `relay r`. */
export function filterOf({ online, verified, auth, era, tag }: ToolQuery): ToolFilter | null {
  const wanted: [string, string | number | undefined][] = [
    ["r.online = ?", online === undefined ? undefined : Number(online)],
    ["r.verified = ?", verified === undefined ? undefined : Number(verified)],
    ["r.auth = ?", auth],
    ["r.era = ?", era],
    [
      "exists (select 1 from relay_tag g where g.tag = ? and g.relay = r.seq)",
      tag === undefined ? undefined : normaliseTag(tag),
    ],
  ];
  const given = wanted.filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  if (given.length === 0) return null;
  return { conditions: given.map(([condition]) => condition), values: given.map(([, value]) => value) };
}

/**
 * The tools of the relays that pass, when those are few: a narrow filter would else throw away nearly all that is ranked.
 * Undefined when they are many.
 */
export function gather(
  database: Database,
  { conditions, values }: ToolFilter,
): ReadonlySet<number> | undefined {
  const tagged = conditions.some((condition) => condition.includes("relay_tag"));
  const sql = tagged
    ? `select r.seq from relay_tag g0 join relay r on r.seq = g0.relay where g0.tag = ? and ${conditions.join(" and ")} limit ?`
    : `select r.seq from relay r indexed by relay_listing where ${conditions.join(" and ")} limit ?`;
  const most = fewOfAll(database);
  const relays = database.all<{ seq: number }>(
    sql,
    ...(tagged ? [values.at(-1) as string] : []),
    ...values,
    most + 1,
  );
  if (relays.length > most) return undefined;
  const seqs = JSON.stringify(relays.map((relay) => relay.seq));
  const tools = database.all<{ id: number }>(
    "select t.id from json_each(?) j cross join tool t on t.relay = j.value",
    seqs,
  );
  return new Set(tools.map((tool) => tool.id));
}

/** How many relays are few: of a small catalog too, where most are online and leaving out the rest afterwards costs less. */
function fewOfAll(database: Database): number {
  const row = database.get<{ relays: number }>("select total(relays) as relays from relay_count");
  return Math.min(RELAYS_GATHERED, Math.floor((row?.relays ?? 0) * FEW_OF_ALL));
}
