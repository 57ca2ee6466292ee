/**
 * What the catalog keeps, as one small interface. Every adapter passes the suite in ./suite.ts.
 * A store keeps and finds; it decides nothing: events come in computed, and go into the same transaction as the record.
 * Texts that are answered as they are come out as `RawJson`, not parsed.
 */
import type {
  AuthFilter,
  BulkResult,
  ChangeDetail,
  DocumentMemory,
  EndpointHints,
  EraFilter,
  EventName,
  FacetCount,
  FoundTool,
  RawArray,
  RawJson,
  RecentChange,
  RelayFilter,
  RelayRecord,
  RelaySummary,
  TagCount,
  ToolDefinition,
} from "../spec/index.ts";
import type { BudgetStore } from "./budget-store.ts";
import type { HistoryStep, HistoryStore, Pulse } from "./history-store.ts";
import type { ImportStore } from "./import-store.ts";
import type { PeerStore } from "./peer-store.ts";
import type { RelayPlace, ScheduleStore } from "./schedule-store.ts";
import type { WebhookStore } from "./webhook-store.ts";

export interface Store extends AsyncDisposable {
  readonly relays: RelayStore;
  readonly tools: ToolStore;
  readonly changes: ChangeStore;
  readonly history: HistoryStore;
  readonly jobs: JobStore;
  readonly imports: ImportStore;
  readonly schedule: ScheduleStore;
  readonly peers: PeerStore;
  readonly webhooks: WebhookStore;
  readonly budgets: BudgetStore;
  readonly searchIndex: SearchIndex;
  /** Rejects, naming the part, when the store can't answer now. */
  check(): Promise<void>;
  /** Idempotent; waits for what is under way. */
  close(): Promise<void>;
}

/** A record with what the catalog remembers beside it. */
export interface StoredRelay {
  readonly record: RelayRecord;
  /** Canonical endpoint URL: the identity. */
  readonly endpoint: string;
  readonly hints: EndpointHints | null;
  /** What its descriptor was last served with; null: it is not known, or there is none. */
  readonly document: DocumentMemory | null;
  /** What is kept of its looks and has not ended; absent before the first. */
  readonly pulse?: Pulse;
  /** Grows with each write; a write names the one it read. */
  readonly revision: number;
}

/** What forwarding a call needs of a record that may hold thousands of tools. */
export interface CallRoute {
  /** The endpoint as it is asked. */
  readonly url: string;
  readonly hints: EndpointHints | null;
  /** Null when the relay's list, as it is kept, has no such tool. */
  readonly definition: ToolDefinition | null;
}

export interface RelayWrite {
  readonly record: RelayRecord;
  readonly endpoint: string;
  readonly hints: EndpointHints | null;
  /** The revision this write was computed from; null: the relay is new. */
  readonly revision: number | null;
  /** From `diffRecords`, in order; each with its unguessable id, and an update's detail. */
  readonly events: readonly NewEvent[];
  /** Milliseconds since the epoch: the time of the events. */
  readonly now: number;
  /** From `recordLook`; absent: this write is of no look. */
  readonly history?: HistoryStep;
  /**
   * True when id, source, descriptor, tools, aliases, endpoint, `via`, the server's name, `online` and `verified` are those of
   * `revision`: only what every look changes has to be written.
   */
  readonly unchanged?: boolean;
  /** What goes with the record's descriptor; absent: nothing is known. */
  readonly document?: DocumentMemory | null;
  /** Where politeness counts it; absent: the endpoint's host alone. */
  readonly place?: RelayPlace;
  /** The owner of the lease under which the relay was looked at: the write ends it, and is refused without it. */
  readonly lease?: string;
}

export interface NewEvent {
  readonly id: string;
  readonly event: EventName;
  /** From `describeChange`. */
  readonly detail?: ChangeDetail;
}

/**
 * `conflict`: another write came first, the id, endpoint or an alias belongs to another relay, or the lease is lost;
 * nothing was written.
 */
export type WriteOutcome =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly conflict: "revision" | "id" | "endpoint" | "lease" };

export interface RelayPage<T> {
  /** A JSON array. */
  readonly relays: RawArray<T>;
  readonly total: number;
  readonly nextCursor: string | null;
}

export interface PageOptions {
  readonly limit: number;
  /** As given by an earlier page; one that isn't rejects with `invalid-input`, field `cursor`. */
  readonly cursor?: string;
  /** Bytes of JSON after which a page ends early, with a cursor; at least one entry always comes. */
  readonly maxBytes: number;
  /** Only relays of one block; see `blocks`. */
  readonly block?: RelayBlock;
}

export interface ListOptions extends PageOptions {
  /** `list`: the records' `tools` are empty, for whoever reads thousands of records and none of their tools. */
  readonly withoutTools?: boolean;
}

/** So many places in the order of first listing: a relay that stays never leaves its block, whatever comes and goes around it. */
export interface RelayBlock {
  /** Places in a block. */
  readonly size: number;
  /** 0 for the first. */
  readonly number: number;
}

/** Of a record what a catalog needs that learns from this one: nothing in it changes with a look. */
export type ListedEndpoint = Pick<RelayRecord, "id" | "source" | "via"> & {
  readonly descriptor: { readonly mcp: string };
};

export interface EndpointPage {
  readonly relays: RawJson<readonly ListedEndpoint[]>;
  readonly nextCursor: string | null;
}

/** What a store narrows by beyond what a list's caller may say. */
export interface StoreFilter extends RelayFilter {
  /**
   * ISO 8601: only relays that were listed then or later, or whose content changed; online and offline is no change. Changes that are
   * kept no longer can't be told: where `at` is before the oldest that is kept, every relay passes.
   */
  readonly changedSince?: string;
}

/** Listing order is the order of first listing; a page never skips or doubles a relay that stays. */
export interface RelayStore {
  get(id: string): Promise<StoredRelay | null>;
  /** The record alone, as JSON. */
  getJson(id: string): Promise<RawJson<RelayRecord> | null>;
  /** Where a call of `tool` goes; null when there is no such relay. Costs the same whatever the record weighs. */
  route(id: string, tool: string): Promise<CallRoute | null>;
  /** By canonical endpoint, a relay's own or one of its aliases. */
  findByEndpoint(endpoint: string): Promise<StoredRelay | null>;
  list(filter: StoreFilter, page: ListOptions): Promise<RelayPage<RelayRecord>>;
  listSummaries(filter: RelayFilter, page: PageOptions): Promise<RelayPage<RelaySummary>>;
  /**
   * Of each record only what no look changes. Without a filter a page begins at a multiple of its size, so that a relay that goes moves
   * none to another page. `maxBytes` bounds what is read for it.
   */
  listEndpoints(filter: StoreFilter, page: Omit<PageOptions, "block">): Promise<EndpointPage>;
  /** The numbers of the blocks of `size` places that hold a relay, ascending. */
  blocks(size: number): Promise<readonly number[]>;
  counts(): Promise<{ readonly relays: number; readonly online: number }>;
  /** How many relays have which flags; only flags that some have. Costs the same at any size. */
  facets(): Promise<readonly FacetCount[]>;
  /** The tags that most relays have, at most `limit`, those first; alphabetically where as many have them. */
  tags(limit: number): Promise<readonly TagCount[]>;
  /** Record, tools, aliases, summary, events and the search index's dirty mark, in one transaction. */
  save(write: RelayWrite): Promise<WriteOutcome>;
  /** Drops the relay, appends `relay.removed` and remembers the removal (`peers`), in one transaction; false when there is none. */
  remove(id: string, event: { readonly id: string }, now: number): Promise<boolean>;
  /** Ids after `after` ("" from the start) in a stable order: a walk over all. */
  ids(after: string, limit: number): Promise<readonly string[]>;
}

export interface ToolQuery {
  /** Plain words of a person or an agent; no character of it is an operator. */
  readonly q: string;
  readonly online?: boolean;
  readonly verified?: boolean;
  readonly tag?: string;
  readonly auth?: AuthFilter;
  readonly era?: EraFilter;
  readonly limit: number;
}

export interface ToolStore {
  /** A relay's tools as JSON, in the relay's order. */
  ofRelay(
    id: string,
  ): Promise<{ readonly online: boolean; readonly tools: RawJson<readonly ToolDefinition[]> } | null>;
  get(relay: string, name: string): Promise<ToolDefinition | null>;
  /** Best first; only tools that match at least one meaningful word. `online` absent: both. */
  find(query: ToolQuery): Promise<readonly FoundTool[]>;
}

/** Postings follow the records; what is not indexed yet is marked, so a crash loses nothing. */
export interface SearchIndex {
  /** Indexes some of the marked relays; `pending` counts what is left. Cheap when nothing is marked. */
  step(): Promise<{ readonly indexed: number; readonly pending: number }>;
  /**
   * For an index at rest: where the texts have become longer or shorter by a tenth than those that it was made with, everything
   * is marked to be made anew, and the answer is true. While it grows, steps see to that now and then.
   */
  renew(): Promise<boolean>;
  /** How many relays wait to be indexed. */
  pending(): Promise<number>;
  /** Of those, the ones of which nothing can be found yet; counted up to some hundreds. */
  unseen(): Promise<number>;
}

export interface Change {
  readonly seq: number;
  readonly id: string;
  readonly event: EventName;
  /** ISO 8601. */
  readonly at: string;
  /** Whose it is. */
  readonly relayId: string;
  /** The record after the change, or `{id}` when removed. */
  readonly relay: RawJson<RelayRecord | { readonly id: string }>;
  /** What an update changed; null where that was not said. */
  readonly detail: RawJson<ChangeDetail> | null;
}

export interface ChangeFilter {
  /** Ids; only changes of these relays. */
  readonly relays?: readonly string[];
  readonly events?: readonly EventName[];
}

export interface ChangeListOptions extends ChangeFilter {
  /** Characters of JSON after which the list ends early; at least one change always comes. */
  readonly maxChars?: number;
}

export interface ChangeStore {
  /** In commit order, `seq` greater than `since`. */
  list(since: number, limit: number, options?: ChangeListOptions): Promise<readonly Change[]>;
  /** The newest first, of all relays or of one. */
  recent(limit: number, filter?: { readonly relay?: string }): Promise<readonly RecentChange[]>;
  /** `seq` of the oldest change that is kept; one more than `latest()` when none is. */
  oldest(): Promise<number>;
  /** `seq` of the last change there ever was, kept or not; 0 before the first. */
  latest(): Promise<number>;
  /** When each of these relays was listed or its content last changed, ISO 8601, as far as it is kept; online and offline is no change. */
  lastChanged(relays: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** True when who knows all up to `since` misses nothing by reading on: neither what is no longer kept, nor what a restore took away. */
  goesOnFrom(since: number): Promise<boolean>;
  /**
   * `listener` runs soon after the commit of each write of this process that appended changes; the answer ends it.
   * It takes nothing and must not throw. What another process appended is only seen by reading.
   */
  onAppend(listener: () => void): () => void;
  /**
   * Drops changes older than `before`, milliseconds since the epoch, at most `limit` of them, oldest first and without a
   * hole: what came before a dropped one is dropped too, whatever a clock said then. Gives how many.
   */
  prune(before: number, limit: number): Promise<number>;
}

export interface StoredJob {
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly total: number;
  readonly done: number;
  /** In the order given; those that are done. */
  readonly results: readonly BulkResult[];
}

export interface JobStore {
  create(job: { readonly id: string; readonly urls: readonly string[]; readonly now: number }): Promise<void>;
  get(id: string): Promise<StoredJob | null>;
  /** URLs of a job that have no result yet, in order. */
  open(id: string, limit: number): Promise<readonly { readonly position: number; readonly url: string }[]>;
  /** Idempotent: the first result of a position stays. The last one finishes the job. */
  finish(id: string, position: number, result: BulkResult, now: number): Promise<void>;
  /** How many URLs, of all jobs, have no result yet. */
  waiting(): Promise<number>;
  /** Jobs that a stop left unfinished, oldest first. */
  unfinished(): Promise<readonly string[]>;
  /** Drops jobs finished before `before`, milliseconds since the epoch. */
  forget(before: number): Promise<number>;
}
