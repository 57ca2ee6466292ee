/** Tools that answer a question: the plan is search/'s, the postings and the filter are SQL, and only what is shown is read whole. */
import {
  matchedWords,
  type Plan,
  planQuestion,
  type RankedTool,
  rankTools,
  readQuestion,
  type TermPostings,
} from "../../search/index.ts";
import { type AuthFilter, type FoundTool, isJsonObject } from "../../spec/index.ts";
import type { ToolQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { createPostingsReader } from "./postings-reader.ts";
import type { TermIds } from "./term-ids.ts";
import { filterOf, gather, type ToolFilter } from "./tool-filter.ts";

export async function findTools(
  database: Database,
  termIds: TermIds,
  query: ToolQuery,
): Promise<readonly FoundTool[]> {
  const question = readQuestion(query.q);
  if (question.words.length === 0) return [];
  const postings = createPostingsReader(database, termIds);
  const plan = await planQuestion(question, postings.vocabulary);
  const terms = plan.terms.map((term) => ({ ...term, blocks: postings.blocksOf(term.term) }));
  const filter = filterOf(query);
  const allowed = filter === null ? undefined : gather(database, filter);
  if (allowed?.size === 0) return [];
  return hitsOf(database, { query, plan, terms, filter, ...(allowed === undefined ? {} : { allowed }) });
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
  readonly filter: ToolFilter | null;
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
