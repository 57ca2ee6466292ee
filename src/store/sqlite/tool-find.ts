/** Tools that answer a question: the plan is search/'s, the postings and the filter are SQL, and only what is shown is read whole. */
import {
  bestPossible,
  MORE_CANDIDATES,
  matchedWords,
  type Plan,
  planQuestion,
  type RankedTool,
  rankTools,
  readQuestion,
  refineScores,
  type TermPostings,
} from "../../search/index.ts";
import { type AuthFilter, type FoundTool, isJsonObject, type JsonObject } from "../../spec/index.ts";
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

interface Search {
  readonly query: ToolQuery;
  readonly plan: Plan;
  readonly terms: readonly TermPostings[];
  readonly filter: ToolFilter | null;
  readonly allowed?: ReadonlySet<number>;
}

interface Hit {
  readonly row: HitRow;
  readonly tool: JsonObject;
  readonly score: number;
}

function hitsOf(database: Database, search: Search): readonly FoundTool[] {
  const { query, plan, terms } = search;
  const hits = candidatesOf(database, search).flatMap(({ tool, score }): Hit[] => {
    const row = readHit(database, tool);
    return row === undefined ? [] : [{ row, tool: JSON.parse(row.json) as JsonObject, score }];
  });
  const refined = refineScores(plan, hits);
  const best = bestPossible(plan);
  return hits
    .map((hit, index) => ({ ...hit, share: (refined[index] ?? 0) / best }))
    .sort((a, b) => b.share - a.share)
    .slice(0, query.limit)
    .map(({ row, tool, share }) => foundTool(row, tool, { share, matched: matchedWords(terms, row.id) }));
}

/** The best that pass the filter now: as many as are wanted, and some for the second look. */
function candidatesOf(database: Database, search: Search): readonly RankedTool[] {
  const { query, terms, allowed } = search;
  const wanted = query.limit + MORE_CANDIDATES;
  // The filter takes some, and a tool that has just gone may still have postings: more are ranked, and more again.
  for (let limit = 2 * wanted; ; limit *= 8) {
    const ranked = rankTools(terms, allowed === undefined ? { limit } : { limit, allowed });
    const passing = ranked.length === 0 ? new Set<number>() : passingOf(database, ranked, search.filter);
    if (passing.size >= wanted || ranked.length < limit) {
      return ranked.filter(({ tool }) => passing.has(tool)).slice(0, wanted);
    }
  }
}

function passingOf(
  database: Database,
  ranked: readonly RankedTool[],
  filter: ToolFilter | null,
): ReadonlySet<number> {
  const rows = database.all<{ id: number }>(
    `select t.id from json_each(?) j cross join tool t on t.id = j.value cross join relay r on r.seq = t.relay
      where ${["true", ...(filter?.conditions ?? [])].join(" and ")}`,
    JSON.stringify(ranked.map(({ tool }) => tool)),
    ...(filter?.values ?? []),
  );
  return new Set(rows.map((row) => row.id));
}

interface HitRow {
  readonly id: number;
  readonly relay: string;
  readonly auth: AuthFilter;
  readonly online: number;
  readonly verified: number;
  readonly json: string;
}

function readHit(database: Database, tool: number): HitRow | undefined {
  return database.get<HitRow>(
    `select t.id, r.id as relay, r.auth, r.online, r.verified, t.json
      from tool t join relay r on r.seq = t.relay where t.id = ?`,
    tool,
  );
}

function foundTool(
  row: HitRow,
  { name, title, description, inputSchema }: JsonObject,
  { share, matched }: { readonly share: number; readonly matched: readonly string[] },
): FoundTool {
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
