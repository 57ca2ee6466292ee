/**
 * The index follows the records: each step takes some marked relays, makes the entries of their tools that changed, and
 * takes the mark away, in one transaction. What a stop interrupts is still marked.
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
import { readState, renewMeans, type SearchState, writeState } from "./search-state.ts";
import type { TermIds } from "./term-ids.ts";

export interface SearchIndexOptions {
  readonly termIds: TermIds;
  /** Runs a step in a transaction. */
  readonly write: <T>(work: () => T) => T;
  /** How much a step takes at most: relays, and tools that entries are made for. */
  readonly relays: number;
  readonly tools: number;
}

export function createSearchIndex(database: Database, options: SearchIndexOptions): SearchIndex {
  return {
    async step() {
      if (pendingRelays(database) === 0) return { indexed: 0, pending: 0 };
      try {
        const indexed = options.write(() => indexSome(database, options));
        return { indexed, pending: pendingRelays(database) };
      } catch (error) {
        options.termIds.forget();
        throw error;
      }
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
  readonly batch: SearchBatch;
  readonly state: SearchState;
  /** Tools that came into the index or left it. */
  readonly counted: { readonly lengths: FieldLengths; readonly by: 1 | -1 }[];
  /** Tools that this step may still take. */
  budget: number;
}

/** The number of relays that are done with. */
function indexSome(database: Database, { termIds, relays, tools }: SearchIndexOptions): number {
  const work: Work = {
    database,
    batch: createSearchBatch(database, termIds),
    state: readState(database),
    counted: [],
    budget: tools,
  };
  const marked = database.all<{ relay: number; done: number }>(
    "select relay, done from search_dirty order by relay limit ?",
    relays,
  );
  let indexed = 0;
  for (const { relay, done } of marked) {
    if (work.budget <= 0) break;
    const reached = indexRelay(work, relay, done);
    if (reached === null) {
      database.run("delete from search_dirty where relay = ?", relay);
      indexed += 1;
    } else {
      database.run("update search_dirty set done = ? where relay = ?", reached, relay);
    }
  }
  work.batch.write();
  const state = {
    ...work.state,
    tools: work.counted.reduce((tools, { by }) => tools + by, work.state.tools),
    sums: countLengths(work.state.sums, work.counted),
  };
  writeState(database, state);
  return indexed;
}

/** Null when the relay is done; else the tool up to which it is. */
function indexRelay(work: Work, relay: number, done: number): number | null {
  const { database } = work;
  const gone = database.all<Entry>(
    `select id, fingerprint, lengths, terms from search_tool
      where relay = ? and not exists (select 1 from tool where tool.id = search_tool.id) limit ?`,
    relay,
    work.budget,
  );
  for (const entry of gone) {
    dropEntry(work, entry);
    database.run("delete from search_tool where id = ?", entry.id);
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
    `select t.id, t.json, s.fingerprint, s.lengths, s.terms
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

/** A tool and, where it is indexed, as what. */
type WaitingTool = { readonly id: number; readonly json: string } & (
  | Entry
  | { readonly [K in Exclude<keyof Entry, "id">]: null }
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
  const { database, batch } = work;
  const { id, json } = tool;
  const made = fingerprint(`${work.state.generation} ${server.text} ${json}`);
  if (tool.fingerprint === made) return;
  work.budget -= 1;
  if (tool.fingerprint !== null) dropEntry(work, tool);
  const fields = readTool(JSON.parse(json) as ToolDefinition, server.fields);
  const lengths = lengthsOf(fields);
  const terms = batch.add(id, impactsOf(fields, work.state.means));
  database.run(
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
