/**
 * From JSON that a catalog answered to the client's own shapes. Pure. Tolerant of what other catalogs of OpenMCP 0.1
 * leave out (`total`, `nextCursor`, `events`); absence stays absence. What is no catalog's answer is `catalog-answer`.
 */
import {
  type AddPeerOutput,
  type AuthFilter,
  authKinds,
  type BulkJob,
  type BulkOutput,
  type CallToolOutput,
  type EventName,
  eventNames,
  type FindToolsOutput,
  type FoundTool,
  type GetRelayOutput,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
  type Peer,
  type PeersOutput,
  type RelayRecord,
  type RelaySummary,
  type RelayToolsOutput,
  type RemoveOutput,
  type RemovePeerOutput,
  type SyncPeersOutput,
  summarize,
  type ToolDefinition,
} from "../spec/index.ts";

/** A page of summaries. */
export interface RelayList {
  readonly relays: readonly RelaySummary[];
  /** All that match, not only this page; null when the catalog doesn't say. */
  readonly total: number | null;
  readonly nextCursor: string | null;
}

/** A page of records, as the catalog gave them: another's may lack what ours always has. */
export interface RecordList {
  readonly relays: readonly RelayRecord[];
  readonly nextCursor: string | null;
}

/** What a registration or a refresh gave. Null where the catalog or its transport doesn't say. */
export interface ProbeAnswer {
  readonly relay: RelayRecord;
  /** The first of `events`. */
  readonly event: EventName | null;
  readonly events: readonly EventName[] | null;
  /** True when anything changed. */
  readonly changed: boolean | null;
}

export interface RegisterAnswer extends ProbeAnswer {
  /** True when it was listed for the first time. */
  readonly created: boolean | null;
  /** Other relays that the same probe listed: on the same origin, or in the same catalog. */
  readonly relays: readonly RelayRecord[];
  /** Servers of that catalog that were not looked at; 0 when that was all. */
  readonly more: number;
}

export function readRecordList(body: JsonObject): RelayList {
  return page(body, (entry) => summarizeLoosely(entry as unknown as RelayRecord));
}

/** The records themselves; those without a descriptor are no records. */
export function readRecords(body: JsonObject): RecordList {
  const entries = relaysOf(body).filter((entry) => isJsonObject(entry.descriptor));
  return { relays: entries as unknown as readonly RelayRecord[], nextCursor: cursorOf(body) };
}

export function readSummaryList(body: JsonObject): RelayList {
  return page(body, readSummary);
}

export function readRelay(body: JsonObject): GetRelayOutput {
  return { relay: record(body.relay) };
}

export function readTools(body: JsonObject, id: string): RelayToolsOutput {
  return {
    relay: typeof body.relay === "string" ? body.relay : id,
    online: body.online === true,
    tools: tools(body.tools),
  };
}

export function toolsOf(relay: RelayRecord): RelayToolsOutput {
  return { relay: relay.id, online: relay.online, tools: tools(relay.tools) };
}

export function readFound(body: JsonObject): FindToolsOutput {
  if (!Array.isArray(body.tools)) throw notACatalogs('"tools" is missing');
  const { indexing } = body;
  return {
    tools: body.tools.filter(isNamed).map(readFoundTool),
    ...(typeof indexing === "number" && indexing > 0 ? { indexing } : {}),
  };
}

export function readCall(body: JsonObject, asked: { relay: string; tool: string }): CallToolOutput {
  if (!isJsonObject(body.result)) throw notACatalogs('"result" is missing');
  return { relay: asked.relay, tool: asked.tool, result: body.result };
}

export function readRegistered(body: JsonObject, told: { created: boolean | null }): RegisterAnswer {
  const answer = readProbed(body);
  const created =
    typeof body.created === "boolean"
      ? body.created
      : (told.created ?? answer.events?.includes("relay.registered") ?? firstSeenNow(answer.relay));
  const relays = Array.isArray(body.relays) ? body.relays.map(record) : [];
  return { ...answer, created, relays, more: typeof body.more === "number" ? body.more : 0 };
}

/** A record whose first time is that of its last probe was listed by it; null where the record tells of no probe. */
function firstSeenNow(relay: RelayRecord): boolean | null {
  const at = relay.probe?.at;
  return typeof at === "string" ? at === relay.firstSeenAt : null;
}

export function readProbed(body: JsonObject): ProbeAnswer {
  const event = eventNames.find((name) => name === body.event) ?? null;
  const events = Array.isArray(body.events)
    ? body.events.filter((name): name is EventName => eventNames.some((known) => known === name))
    : event !== null
      ? [event]
      : body.event === null
        ? []
        : null;
  const changed =
    events !== null ? events.length > 0 : typeof body.changed === "boolean" ? body.changed : null;
  return { relay: record(body.relay), event: event ?? events?.[0] ?? null, events, changed };
}

export function readRemoved(body: JsonObject, id: string): RemoveOutput {
  return { removed: typeof body.removed === "string" ? body.removed : id };
}

export function readPeers(body: JsonObject): PeersOutput {
  if (!Array.isArray(body.peers)) throw notACatalogs('"peers" is missing');
  // Other catalogs of OpenMCP 0.1 may list more of a peer, or its URL alone.
  const peers = body.peers.map((entry) => (typeof entry === "string" ? { url: entry } : entry));
  return {
    peers: peers.filter((entry) => isJsonObject(entry) && typeof entry.url === "string").map(readPeer),
  };
}

export function readAddedPeer(body: JsonObject, url: string): AddPeerOutput {
  return { added: text(body.added) ?? url, ...readPeers(body) };
}

export function readRemovedPeer(body: JsonObject, url: string): RemovePeerOutput {
  return { removed: text(body.removed) ?? url };
}

export function readSyncedPeers(body: JsonObject): SyncPeersOutput {
  const { peers, learned } = body;
  return {
    peers: typeof peers === "number" ? peers : 0,
    learned: typeof learned === "number" ? learned : 0,
  };
}

export function readBulk(body: JsonObject): BulkOutput {
  const job = isJsonObject(body.job) ? body.job.id : body.job;
  if (typeof job !== "string") throw notACatalogs('"job" is missing');
  const rejected = Array.isArray(body.rejected) ? body.rejected : [];
  return { job, rejected: rejected as unknown as BulkOutput["rejected"] };
}

export function readBulkJob(body: JsonObject): BulkJob {
  const job = body.job;
  if (!isJsonObject(job) || typeof job.id !== "string" || !Array.isArray(job.results)) {
    throw notACatalogs('"job" is missing');
  }
  return job as unknown as BulkJob;
}

/** What is thrown when an answer is JSON, but not of the shape that was asked for. */
export function notACatalogs(why: string): OpenMcpError {
  return new OpenMcpError(
    "catalog-answer",
    `The answer is not an OpenMCP catalog's: ${why}. Check the catalog's URL.`,
  );
}

function page(body: JsonObject, read: (entry: JsonObject) => RelaySummary): RelayList {
  return {
    relays: relaysOf(body).map(read),
    total: typeof body.total === "number" ? body.total : null,
    nextCursor: cursorOf(body),
  };
}

function relaysOf(body: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(body.relays)) throw notACatalogs('"relays" is missing');
  // An entry without an id can't be named, shown or asked for; it must not hide those after it.
  return body.relays.filter((entry) => isJsonObject(entry) && typeof entry.id === "string");
}

function cursorOf({ nextCursor }: JsonObject): string | null {
  return typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : null;
}

/** A foreign record may lack what ours always has; what is missing is left empty, what is there is shown. */
function summarizeLoosely(entry: RelayRecord): RelaySummary {
  const loose = {
    ...entry,
    descriptor: isJsonObject(entry.descriptor) ? entry.descriptor : { mcp: "" },
    tools: Array.isArray(entry.tools) ? entry.tools.filter(isNamed) : [],
    online: entry.online === true,
    verified: entry.verified === true,
  } as unknown as RelayRecord;
  const mcp = loose.descriptor.mcp;
  if (typeof mcp === "string" && URL.canParse(mcp, loose.source)) return summarize(loose);
  const placeholder = "http://unknown.invalid/";
  const summary = summarize({
    ...loose,
    source: placeholder,
    descriptor: { ...loose.descriptor, mcp: placeholder },
  });
  return { ...summary, mcp: typeof mcp === "string" ? mcp : "" };
}

function readPeer(entry: JsonValue): Peer {
  const peer = entry as JsonObject;
  return {
    url: String(peer.url),
    addedAt: text(peer.addedAt) ?? "",
    syncedAt: text(peer.syncedAt),
    lastError: text(peer.lastError),
  };
}

function readSummary(entry: JsonObject): RelaySummary {
  return {
    id: String(entry.id),
    name: text(entry.name),
    description: text(entry.description),
    mcp: text(entry.mcp) ?? "",
    auth: text(entry.auth) ?? "unknown",
    tags: texts(entry.tags),
    tools: texts(entry.tools),
    online: entry.online === true,
    verified: entry.verified === true,
    ...(typeof entry.via === "string" ? { via: entry.via } : {}),
  };
}

function readFoundTool(entry: ToolDefinition): FoundTool {
  return {
    relay: text(entry.relay) ?? "",
    name: entry.name,
    ...(typeof entry.title === "string" ? { title: entry.title } : {}),
    ...(typeof entry.description === "string" ? { description: entry.description } : {}),
    ...(entry.inputSchema === undefined ? {} : { inputSchema: entry.inputSchema }),
    auth: authOf(entry.auth),
    // By the specification this list holds online relays' tools, so silence means online.
    online: entry.online !== false,
    verified: entry.verified === true,
    score: typeof entry.score === "number" ? entry.score : 0,
    matched: texts(entry.matched),
  };
}

function authOf(value: JsonValue | undefined): AuthFilter {
  const kind = isJsonObject(value) ? value.kind : value;
  return authKinds.find((known) => known === kind) ?? "unknown";
}

function record(value: unknown): RelayRecord {
  if (!isJsonObject(value) || typeof value.id !== "string" || !isJsonObject(value.descriptor)) {
    throw notACatalogs('"relay" is not a record');
  }
  return value as unknown as RelayRecord;
}

function tools(value: unknown): readonly ToolDefinition[] {
  if (!Array.isArray(value)) throw notACatalogs('"tools" is missing');
  return value.filter(isNamed);
}

function isNamed(value: unknown): value is ToolDefinition {
  return isJsonObject(value) && typeof value.name === "string";
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
