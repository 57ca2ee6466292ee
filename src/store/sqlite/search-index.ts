/**
 * The index follows the records: each step takes some marked relays, makes the entries of their tools that changed, and
 * takes the mark away, in one transaction. What a stop interrupts is still marked. A step is planned from a snapshot, without keeping
 * anybody from writing, and carried out when what it was planned from still stands; else it is planned anew in its turn.
 */
import {
  countLengths,
  type FieldLengths,
  impactsOf,
  lengthsOf,
  readServer,
  readTool,
  type ServerFields,
} from "../../search/index.ts";
import type { RelaySummary, ToolDefinition } from "../../spec/index.ts";
import type { SearchIndex } from "../store.ts";
import type { Database } from "./database.ts";
import { fingerprint } from "./fingerprint.ts";
import { MARKS_LOOKED_AT } from "./limits.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";
import { createSearchBatch, type SearchBatch } from "./search-batch.ts";
import { createPlan, type Mark, type Plan, readMarks, stillMarked } from "./search-plan.ts";
import { renewMeans, type SearchState, stateOf, stateText, writeState } from "./search-state.ts";
import type { TermIds } from "./term-ids.ts";

export interface SearchIndexOptions {
  readonly termIds: TermIds;
  /** Runs the writes of a step in a transaction. */
  readonly write: <T>(work: () => T) => T;
  /** How much a step takes at most: relays, and tools that entries are made for. */
  readonly relays: number;
  readonly tools: number;
}

export function createSearchIndex(database: Database, options: SearchIndexOptions): SearchIndex {
  return {
    async step() {
      if (pendingRelays(database) === 0) return { indexed: 0, pending: 0 };
      const early = database.snapshot(() => planStep(database, options));
      const step = options.write(() => {
        const due = early.stands() ? early : planStep(database, options);
        due.plan.carryOut();
        return due;
      });
      step.plan.committed();
      return { indexed: step.indexed, pending: pendingRelays(database) };
    },
    renew: async () => options.write(() => renewMeans(database)),
    pending: async () => pendingRelays(database),
    unseen: async () => unseenRelays(database),
  };
}

export function pendingRelays(database: Database): number {
  return database.get<{ n: number }>("select count(*) as n from search_dirty")?.n ?? 0;
}

/** Relays with tools of which none is in the index, among the newest that are marked: the others were found before. */
export function unseenRelays(database: Database): number {
  const sql = `select count(*) as n from (select relay from search_dirty order by relay desc limit ?) d
    where exists (select 1 from tool where tool.relay = d.relay)
      and not exists (select 1 from search_tool where search_tool.relay = d.relay)`;
  return database.get<{ n: number }>(sql, MARKS_LOOKED_AT)?.n ?? 0;
}

interface Work {
  readonly database: Database;
  readonly plan: Plan;
  readonly batch: SearchBatch;
  readonly state: SearchState;
  /** Tools that came into the index or left it. */
  readonly counted: { readonly lengths: FieldLengths; readonly by: 1 | -1 }[];
  /** Tools that this step may still take. */
  budget: number;
}

interface Step {
  readonly plan: Plan;
  /** Relays that are done with it. */
  readonly indexed: number;
  /** In the transaction that would carry it out: whether what it was planned from is as it was. */
  stands(): boolean;
}

function planStep(database: Database, { termIds, relays, tools }: SearchIndexOptions): Step {
  const plan = createPlan(database, termIds);
  const before = stateText(database);
  const state = stateOf(before);
  const work: Work = {
    database,
    plan,
    batch: createSearchBatch(database, plan),
    state,
    counted: [],
    budget: tools,
  };
  const marks: Mark[] = [];
  let indexed = 0;
  for (const mark of readMarks(database, relays)) {
    if (work.budget <= 0) break;
    marks.push(mark);
    const reached = indexRelay(work, mark);
    if (reached === null) {
      plan.write("delete from search_dirty where relay = ?", mark.relay);
      indexed += 1;
    } else {
      plan.write("update search_dirty set done = ? where relay = ?", reached, mark.relay);
    }
  }
  work.batch.write();
  const after = {
    ...state,
    tools: work.counted.reduce((tools, { by }) => tools + by, state.tools),
    sums: countLengths(state.sums, work.counted),
  };
  writeState(plan.write, after);
  return {
    plan,
    indexed,
    stands: () => stateText(database) === before && stillMarked(database, marks),
  };
}

/** Null when the relay is done; else the tool up to which it is. */
function indexRelay(work: Work, { relay, done }: Mark): number | null {
  const { database } = work;
  const gone = database.all<Entry>(
    `select id, fingerprint, lengths, terms from search_tool
      where relay = ? and not exists (select 1 from tool where tool.id = search_tool.id) limit ?`,
    relay,
    work.budget,
  );
  for (const entry of gone) {
    dropEntry(work, entry);
    work.plan.write("delete from search_tool where id = ?", entry.id);
  }
  work.budget -= gone.length;
  if (work.budget <= 0) return done;
  const summary = database.get<{ json: string }>(
    "select summary as json from relay_text where relay = ?",
    relay,
  );
  if (summary === undefined) return null;
  const waiting = database
    .all<{ id: number }>("select id from tool where relay = ? and id > ?", relay, done)
    .map((row) => row.id)
    .sort((a, b) => a - b);
  const taken = waiting.slice(0, work.budget);
  const tools = database.all<WaitingTool>(
    `select t.id, t.json, s.relay, s.fingerprint, s.lengths, s.terms
      from json_each(?) j cross join tool t on t.id = j.value left join search_tool s on s.id = t.id`,
    JSON.stringify(taken),
  );
  const server = serverOf(summary.json);
  for (const tool of tools) indexTool(work, tool, { relay, server });
  return taken.length === waiting.length ? null : (taken.at(-1) ?? done);
}

/** What a tool is indexed as. */
interface Entry {
  readonly id: number;
  readonly fingerprint: number;
  readonly lengths: string;
  readonly terms: Uint8Array;
}

/** A tool and, where it is indexed, as what and whose. */
type WaitingTool = { readonly id: number; readonly json: string } & (
  | (Entry & { readonly relay: number })
  | ({ readonly relay: null } & { readonly [K in Exclude<keyof Entry, "id">]: null })
);

interface Server {
  readonly text: string;
  readonly fields: ServerFields;
}

function serverOf(summaryJson: string): Server {
  const { id, name, description } = JSON.parse(summaryJson) as RelaySummary;
  const server = { id, name, description };
  return { text: JSON.stringify(server), fields: readServer(server) };
}

function indexTool(
  work: Work,
  tool: WaitingTool,
  { relay, server }: { readonly relay: number; readonly server: Server },
): void {
  const { plan, batch } = work;
  const { id, json } = tool;
  const made = fingerprint(`${work.state.generation} ${server.text} ${json}`);
  if (tool.fingerprint === made) {
    // A relay that came back before its going was seen here is another row; its tool may have got the number that it had.
    if (tool.relay !== relay) plan.write("update search_tool set relay = ? where id = ?", relay, id);
    return;
  }
  work.budget -= 1;
  if (tool.fingerprint !== null) dropEntry(work, tool);
  const fields = readTool(JSON.parse(json) as ToolDefinition, server.fields);
  const lengths = lengthsOf(fields);
  const terms = batch.add(id, impactsOf(fields, work.state.means));
  plan.write(
    `insert into search_tool (id, relay, fingerprint, lengths, terms) values (?1, ?2, ?3, ?4, ?5)
      on conflict do update set relay = ?2, fingerprint = ?3, lengths = ?4, terms = ?5`,
    id,
    relay,
    made,
    JSON.stringify(lengths),
    packNumbers(terms),
  );
  work.counted.push({ lengths, by: 1 });
}

function dropEntry(work: Work, entry: Entry): void {
  work.batch.drop(entry.id, unpackNumbers(entry.terms));
  work.counted.push({ lengths: JSON.parse(entry.lengths) as FieldLengths, by: -1 });
}
