/** Tools that answer a question: the plan is search/'s, the postings and the filter are SQL, and only what is shown is read whole. */
import {
  countOf,
  matchedWords,
  type Plan,
  planQuestion,
  type RankedTool,
  rankTools,
  readQuestion,
  type TermPostings,
  type Vocabulary,
} from "../../search/index.ts";
import { type AuthFilter, type FoundTool, isJsonObject, normaliseTag } from "../../spec/index.ts";
import type { ToolQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { NEIGHBOURS_READ, RELAYS_GATHERED } from "./limits.ts";
import { readState } from "./search-state.ts";
import type { TermIds } from "./term-ids.ts";

export async function findTools(
  database: Database,
  termIds: TermIds,
  query: ToolQuery,
): Promise<readonly FoundTool[]> {
  const question = readQuestion(query.q);
  if (question.words.length === 0) return [];
  const postings = createPostingsReader(database, termIds);
  const plan = await planQuestion(question, postings.vocabulary);
  const terms = plan.terms.map((term) => ({ ...term, blocks: postings.read(term.term) }));
  const filter = filterOf(query);
  const allowed = filter === null ? undefined : gather(database, filter);
  if (allowed?.size === 0) return [];
  return hitsOf(database, { query, plan, terms, filter, ...(allowed === undefined ? {} : { allowed }) });
}

type Blocks = ReadonlyMap<number, Uint8Array>;

/** Postings are read once a question: counting a term's tools reads what ranking needs. */
function createPostingsReader(
  database: Database,
  termIds: TermIds,
): { readonly vocabulary: Vocabulary; read(term: string): Blocks } {
  const reads = new Map<string, Blocks>();
  const numbers = blockNumbers(database);
  function readBlocks(term: number): Blocks {
    const blocks = new Map<number, Uint8Array>();
    for (const block of numbers) {
      const row = database.get<{ postings: Uint8Array }>(
        "select postings from search_posting where block = ? and term = ?",
        block,
        term,
      );
      if (row !== undefined) blocks.set(block, row.postings);
    }
    return blocks;
  }
  function read(term: string): Blocks {
    let blocks = reads.get(term);
    if (blocks === undefined) {
      const id = termIds.find(term);
      blocks = id === undefined ? new Map() : readBlocks(id);
      reads.set(term, blocks);
    }
    return blocks;
  }
  function texts(sql: string, ...values: (string | number)[]): readonly string[] {
    return database.all<{ text: string }>(sql, ...values).map((row) => row.text);
  }
  return {
    read,
    vocabulary: {
      size: readState(database).tools,
      async tools(terms) {
        const counts = terms.map((term): [string, number] => [
          term,
          [...read(term).values()].reduce((sum, block) => sum + countOf(block), 0),
        ]);
        return new Map(counts.filter(([, count]) => count > 0));
      },
      startingWith: async (prefix) =>
        texts(
          "select text from search_term where text > ?1 and text < ?1 || char(1114111) limit ?2",
          prefix,
          NEIGHBOURS_READ,
        ),
      resembling: async (term, edits) =>
        texts(
          `select text from search_term where substr(text, 1, 1) = substr(?1, 1, 1)
            and length(text) between length(?1) - ?2 and length(?1) + ?2`,
          term,
          edits,
        ),
    },
  };
}

/** The blocks there are, each found from the one before. */
function blockNumbers(database: Database): readonly number[] {
  const numbers: number[] = [];
  for (let last = -1; ; ) {
    const next = database.get<{ block: number | null }>(
      "select min(block) as block from search_posting where block > ?",
      last,
    )?.block;
    if (next === undefined || next === null) return numbers;
    numbers.push(next);
    last = next;
  }
}

interface Filter {
  readonly conditions: readonly string[];
  readonly values: readonly (string | number)[];
}

/** Null when everything is allowed. Columns of `relay r`. */
function filterOf({ online, verified, auth, tag }: ToolQuery): Filter | null {
  const wanted: [string, string | number | undefined][] = [
    ["r.online = ?", online === undefined ? undefined : Number(online)],
    ["r.verified = ?", verified === undefined ? undefined : Number(verified)],
    ["r.auth = ?", auth],
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
function gather(database: Database, { conditions, values }: Filter): ReadonlySet<number> | undefined {
  const tagged = conditions.some((condition) => condition.includes("relay_tag"));
  const sql = tagged
    ? `select r.seq from relay_tag g0 join relay r on r.seq = g0.relay where g0.tag = ? and ${conditions.join(" and ")} limit ?`
    : `select r.seq from relay r indexed by relay_listing where ${conditions.join(" and ")} limit ?`;
  const relays = database.all<{ seq: number }>(
    sql,
    ...(tagged ? [values.at(-1) as string] : []),
    ...values,
    RELAYS_GATHERED + 1,
  );
  if (relays.length > RELAYS_GATHERED) return undefined;
  const seqs = JSON.stringify(relays.map((relay) => relay.seq));
  const tools = database.all<{ id: number }>(
    "select t.id from json_each(?) j cross join tool t on t.relay = j.value",
    seqs,
  );
  return new Set(tools.map((tool) => tool.id));
}

interface HitRow {
  readonly id: number;
  readonly relay: string;
  readonly auth: AuthFilter;
  readonly online: number;
  readonly verified: number;
  readonly json: string;
}

interface Search {
  readonly query: ToolQuery;
  readonly plan: Plan;
  readonly terms: readonly TermPostings[];
  readonly filter: Filter | null;
  readonly allowed?: ReadonlySet<number>;
}

function hitsOf(database: Database, search: Search): readonly FoundTool[] {
  const { query, plan, terms, allowed } = search;
  // More than are wanted, as the filter takes some and a tool that has just gone may still have postings.
  for (let limit = 2 * query.limit + 16; ; limit *= 8) {
    const ranked = rankTools(terms, allowed === undefined ? { limit } : { limit, allowed });
    const rows = passing(database, ranked, search);
    if (rows.length < query.limit && ranked.length === limit) continue;
    const scores = new Map(ranked.map(({ tool, score }) => [tool, score]));
    return rows.map((row) => hitOf(row, (scores.get(row.id) ?? 0) / plan.best, matchedWords(terms, row.id)));
  }
}

/** The best that pass the filter now, at most as many as are wanted. */
function passing(database: Database, ranked: readonly RankedTool[], search: Search): HitRow[] {
  const { conditions, values } = search.filter ?? { conditions: [], values: [] };
  return database.all<HitRow>(
    `select t.id, r.id as relay, r.auth, r.online, r.verified, t.json
      from json_each(?) j cross join tool t on t.id = j.value cross join relay r on r.seq = t.relay
      where ${["true", ...conditions].join(" and ")} order by j.key limit ?`,
    JSON.stringify(ranked.map(({ tool }) => tool)),
    ...values,
    search.query.limit,
  );
}

function hitOf(row: HitRow, share: number, matched: readonly string[]): FoundTool {
  const tool: unknown = JSON.parse(row.json);
  const { name, title, description, inputSchema } = isJsonObject(tool) ? tool : {};
  return {
    relay: row.relay,
    name: String(name),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
    auth: row.auth,
    online: row.online === 1,
    verified: row.verified === 1,
    score: Math.min(1, Math.round(share * 10_000) / 10_000),
    matched,
  };
}
