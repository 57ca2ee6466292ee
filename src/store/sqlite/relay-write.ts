/**
 * Writing relays: the record, its tools, endpoints, summary and tags, the changes and the search index's dirty mark,
 * all in the caller's transaction. What is stored already is left alone: a probe that found nothing new rewrites one row.
 */
import { canonicalEndpoint, describe, eraOf, type RelayRecord, summarize } from "../../spec/index.ts";
import type { RelayPlace } from "../schedule-store.ts";
import type { RelayWrite, WriteOutcome } from "../store.ts";
import { relayWords } from "../words.ts";
import { appendChanges } from "./change-store.ts";
import type { Database } from "./database.ts";
import { writeHistory } from "./history-store.ts";
import { forgetRemoval, rememberRemoved } from "./peer-store.ts";
import { type RecordText, recordText, tailText, wholeText } from "./record-text.ts";
import { endLease, writeDue } from "./schedule-store.ts";
import { writeTools } from "./tool-write.ts";

/** In a transaction. A conflict leaves everything as it was. */
export function saveRelay(database: Database, write: RelayWrite): WriteOutcome {
  const { record } = write;
  const found = database.get<{ seq: number; revision: number }>(
    "select seq, revision from relay where id = ?",
    record.id,
  );
  if (write.revision !== null && found?.revision !== write.revision) {
    return { ok: false, conflict: "revision" };
  }
  if (write.unchanged === true && found !== undefined) return rewriteTail(database, found.seq, write);
  const endpoints = ownEndpoints(write);
  // A new relay's endpoint comes before its id: who finds it listed was overtaken, and must not make a second one of it.
  if (endpoints.some((url) => isAnothers(database, url, found?.seq, write.revision))) {
    return { ok: false, conflict: "endpoint" };
  }
  if (write.revision === null && found !== undefined) return { ok: false, conflict: "id" };
  // The last check: it ends the lease.
  if (write.lease !== undefined && (found === undefined || !endLease(database, found.seq, write.lease))) {
    return { ok: false, conflict: "lease" };
  }

  const text = recordText(record);
  const revision = nextRevision(database);
  const seq =
    found === undefined
      ? insertRelay(database, write, text, revision)
      : updateRelay(database, found.seq, write, { tail: text.tail, revision });
  const summary = summarize(record);
  const retold = writeTexts(database, seq, { ...text, summary: JSON.stringify(summary) });
  const worded = writeWords(database, seq, relayWords(summary));
  writeEndpoints(database, seq, endpoints);
  writeDue(database, seq, planOf(write));
  if (found === undefined && record.via === null) forgetRemoval(database, endpoints);
  if (retold) writeTags(database, seq, summary.tags);
  const retooled = writeTools(database, seq, text.tools);
  if (worded || retooled) markDirty(database, seq);
  if (write.history !== undefined) writeHistory(database, seq, write.history);
  appendChanges(database, { relay: record.id, events: write.events, now: write.now }, () => wholeText(text));
  return { ok: true, revision };
}

/** A look that found nothing new: one row of the relay's, and its plan. */
function rewriteTail(database: Database, seq: number, write: RelayWrite): WriteOutcome {
  if (write.lease !== undefined && !endLease(database, seq, write.lease)) {
    return { ok: false, conflict: "lease" };
  }
  const { record } = write;
  const revision = nextRevision(database);
  updateRelay(database, seq, write, { tail: tailText(record), revision });
  writeDue(database, seq, planOf(write));
  if (write.history !== undefined) writeHistory(database, seq, write.history);
  const { events, now } = write;
  appendChanges(database, { relay: record.id, events, now }, () => wholeText(recordText(record)));
  return { ok: true, revision };
}

function planOf({ record, place, endpoint }: RelayWrite): Parameters<typeof writeDue>[2] {
  return { nextAt: record.probe.nextAt, place: place ?? hostAlone(endpoint) };
}

/** In a transaction. False when there is no such relay. */
export function removeRelay(
  database: Database,
  id: string,
  { event, now }: { readonly event: string; readonly now: number },
): boolean {
  const found = database.get<{ seq: number }>("select seq from relay where id = ?", id);
  if (found === undefined) return false;
  const endpoints = database.all<{ url: string }>(
    "select url from relay_endpoint where relay = ?",
    found.seq,
  );
  rememberRemoved(
    database,
    endpoints.map(({ url }) => url),
    now,
  );
  database.run("delete from relay where seq = ?", found.seq);
  markDirty(database, found.seq);
  appendChanges(database, { relay: id, events: [{ id: event, event: "relay.removed" }], now }, () =>
    JSON.stringify({ id }),
  );
  return true;
}

/** What has to be unique: the endpoint and the aliases, in their canonical spelling. */
function ownEndpoints(write: RelayWrite): readonly string[] {
  const aliases = (write.record.aliases ?? []).filter((alias) => URL.canParse(alias)).map(canonicalEndpoint);
  return [...new Set([write.endpoint, ...aliases])];
}

function isAnothers(
  database: Database,
  url: string,
  seq: number | undefined,
  revision: number | null,
): boolean {
  const owner = database.get<{ relay: number }>("select relay from relay_endpoint where url = ?", url);
  return owner !== undefined && (revision === null || owner.relay !== seq);
}

function nextRevision(database: Database): number {
  return database.get<{ last: number }>("update revision set last = last + 1 returning last")?.last ?? 0;
}

function insertRelay(database: Database, write: RelayWrite, text: RecordText, revision: number): number {
  const { record } = write;
  const row = database.get<{ seq: number }>(
    `insert into relay (id, revision, online, verified, auth, era, endpoint, hints, document, pulse, tail)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning seq`,
    record.id,
    revision,
    ...flags(record),
    write.endpoint,
    jsonText(write.hints),
    jsonText(write.document),
    jsonText(write.history?.pulse),
    text.tail,
  );
  return row?.seq ?? 0;
}

function updateRelay(
  database: Database,
  seq: number,
  write: RelayWrite,
  { tail, revision }: { readonly tail: string; readonly revision: number },
): number {
  database.run(
    "update relay set revision = ?, online = ?, verified = ?, auth = ?, era = ?, endpoint = ?, hints = ?, document = ?, pulse = coalesce(?, pulse), tail = ? where seq = ?",
    revision,
    ...flags(write.record),
    write.endpoint,
    jsonText(write.hints),
    jsonText(write.document),
    jsonText(write.history?.pulse),
    tail,
    seq,
  );
  return seq;
}

function flags(record: RelayRecord): [number, number, string, string] {
  const { auth } = describe(record.descriptor, record.source);
  return [Number(record.online), Number(record.verified), auth, eraOf(record.probe.era)];
}

function jsonText(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function hostAlone(endpoint: string): RelayPlace {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : endpoint;
  return { host, domain: host };
}

/** True when they were others. */
function writeTexts(
  database: Database,
  seq: number,
  {
    head,
    summary,
    toolsText,
  }: { readonly head: string; readonly summary: string; readonly toolsText: string },
): boolean {
  const sql = `insert into relay_text (relay, head, summary, tools) values (?1, ?2, ?3, ?4)
    on conflict do update set head = ?2, summary = ?3, tools = ?4 where head <> ?2 or summary <> ?3 or tools <> ?4`;
  return database.run(sql, seq, head, summary, toolsText) > 0;
}

/** True when they were others. */
function writeWords(database: Database, seq: number, words: string): boolean {
  const sql = `insert into relay_words (relay, text) values (?1, ?2)
    on conflict do update set text = ?2 where text <> ?2`;
  return database.run(sql, seq, words) > 0;
}

function writeEndpoints(database: Database, seq: number, urls: readonly string[]): void {
  const kept = database.all<{ url: string }>("select url from relay_endpoint where relay = ?", seq);
  for (const { url } of kept) {
    if (!urls.includes(url)) database.run("delete from relay_endpoint where url = ?", url);
  }
  for (const url of urls) {
    if (!kept.some((row) => row.url === url)) {
      database.run("insert into relay_endpoint (url, relay) values (?, ?)", url, seq);
    }
  }
}

function writeTags(database: Database, seq: number, tags: readonly string[]): void {
  const kept = database.all<{ tag: string }>("select tag from relay_tag where relay = ?", seq);
  const wanted = new Set(tags.map((tag) => tag.toWellFormed()));
  // Only what changed: each row that comes or goes is counted.
  for (const { tag } of kept) {
    if (!wanted.delete(tag)) database.run("delete from relay_tag where relay = ? and tag = ?", seq, tag);
  }
  for (const tag of wanted)
    database.run("insert into relay_tag (tag, relay) values (?, ?) on conflict do nothing", tag, seq);
}

/** Also of a relay that is gone: its postings have to go too. */
function markDirty(database: Database, seq: number): void {
  database.run(
    "insert into search_dirty (relay) values (?) on conflict do update set done = 0 where done <> 0",
    seq,
  );
}
