/** What one document of an import gave, written in one transaction: its entries counted once, its URLs taken once, what it names to read. */
import type { ImportFailure, ImportInput, ImportSkip } from "../../spec/index.ts";
import type { DocumentReading, ImportEntry, ImportUrl, NewDocument } from "../import-store.ts";
import type { Database } from "./database.ts";
import { MAX_IMPORT_PROBLEMS } from "./limits.ts";

/** The report's numbers, to be counted up. */
export interface ImportCounts {
  documents: number;
  seen: number;
  taken: number;
  shared: number;
  readonly skipped: Partial<Record<ImportSkip, number>>;
  listed: number;
  known: number;
  readonly failed: Partial<Record<ImportFailure, number>>;
}

export interface ImportRow {
  readonly position: number;
  readonly id: string;
  readonly input: Omit<ImportInput, "urls">;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly cancelled: number;
  readonly incomplete: number;
  readonly problems: readonly string[];
  readonly counts: ImportCounts;
}

export function importRow(database: Database, id: string): ImportRow | undefined {
  const row = database.get<
    Omit<ImportRow, "input" | "problems" | "counts"> & { input: string; problems: string; counts: string }
  >(
    `select position, id, input, created_at as createdAt, finished_at as finishedAt, cancelled, incomplete, problems, counts
      from import_job where id = ?`,
    id,
  );
  return row === undefined
    ? undefined
    : {
        ...row,
        input: JSON.parse(row.input),
        problems: JSON.parse(row.problems),
        counts: JSON.parse(row.counts),
      };
}

export function writeCounts(database: Database, { position, counts }: ImportRow): void {
  database.run("update import_job set counts = ? where position = ?", JSON.stringify(counts), position);
}

/** False when the document was finished already. */
export function writeDocument(
  database: Database,
  job: ImportRow,
  {
    position,
    reading,
    now,
  }: { readonly position: number; readonly reading: DocumentReading; readonly now: number },
): boolean {
  const read = database.get<{ stale: number }>(
    "select stale from import_document where job = ? and position = ? and done = 0",
    job.position,
    position,
  );
  if (read === undefined) return false;
  database.run("update import_document set done = 1 where job = ? and position = ?", job.position, position);
  job.counts.documents += 1;
  const { fresh, full } = takeEntries(database, job, { ...reading, now });
  const problems = [...reading.problems];
  let incomplete = reading.incomplete === true;
  if (full) database.run("delete from import_document where job = ? and done = 0", job.position);
  else {
    const stale = fresh > 0 ? 0 : read.stale + 1;
    const repeated = addDocuments(database, job, { documents: reading.documents, stale, now });
    problems.push(...repeated);
    incomplete ||= repeated.length > 0;
  }
  if (problems.length > 0 || incomplete) {
    database.run(
      "update import_job set problems = ?, incomplete = max(incomplete, ?) where position = ?",
      JSON.stringify([...job.problems, ...problems].slice(0, MAX_IMPORT_PROBLEMS)),
      incomplete ? 1 : 0,
      job.position,
    );
  }
  writeCounts(database, job);
  settle(database, job.position, now);
  return true;
}

/** What is to be said of those that the job has already. */
export function addDocuments(
  database: Database,
  job: ImportRow,
  more: { readonly documents: readonly NewDocument[]; readonly stale: number; readonly now: number },
): readonly string[] {
  const said: string[] = [];
  const highest = "select max(position) as position from import_document where job = ?";
  let position = database.get<{ position: number | null }>(highest, job.position)?.position ?? 0;
  for (const { url, trail, repeated } of more.documents) {
    const added = database.run(
      `insert into import_document (job, position, url, trail, stale, due_at) values (?, ?, ?, ?, ?, ?)
        on conflict do nothing`,
      job.position,
      position + 1,
      url,
      trail,
      more.stale,
      more.now,
    );
    if (added > 0) position += 1;
    else if (repeated !== undefined) said.push(repeated);
  }
  return said;
}

/** `fresh`: entries that were new to the job; `full`: it has as many URLs as it was to take. */
export function takeEntries(
  database: Database,
  job: ImportRow,
  more: { readonly entries: readonly ImportEntry[]; readonly source: string | null; readonly now: number },
): { readonly fresh: number; readonly full: boolean } {
  const { counts } = job;
  const most = job.input.limit ?? Number.POSITIVE_INFINITY;
  const source = job.input.dryRun === true ? null : more.source;
  let fresh = 0;
  for (const entry of more.entries) {
    if (counts.taken >= most) break;
    const sql = "insert into import_entry (job, key) values (?, ?) on conflict do nothing";
    if (database.run(sql, job.position, entry.key) === 0) continue;
    fresh += 1;
    counts.seen += 1;
    if (entry.skip !== null) counts.skipped[entry.skip] = (counts.skipped[entry.skip] ?? 0) + 1;
    if (source !== null && entry.name !== null && entry.withdrawn === true) {
      database.run("delete from claim where source = ? and name = ?", source, entry.name);
    }
    for (const url of entry.urls) {
      if (!takeUrl(database, job, { url, most })) continue;
      if (entry.name === null) continue;
      database.run(
        "insert into import_name (job, endpoint, name) values (?, ?, ?) on conflict do nothing",
        job.position,
        url.endpoint,
        entry.name,
      );
      if (source === null) continue;
      database.run(
        `insert into claim (endpoint, source, name, version, at) values (?1, ?2, ?3, ?4, ?5)
          on conflict do update set version = ?4, at = ?5`,
        url.endpoint,
        source,
        entry.name,
        entry.version,
        new Date(more.now).toISOString(),
      );
    }
  }
  return { fresh, full: counts.taken >= most };
}

/** False when the job takes no more. */
function takeUrl(
  database: Database,
  job: ImportRow,
  { url, most }: { readonly url: ImportUrl; readonly most: number },
): boolean {
  const { counts, position } = job;
  const { endpoint, domain, identifier = null } = url;
  const taken = database.get(
    "select 1 as found from import_url where job = ? and endpoint = ?",
    position,
    endpoint,
  );
  if (taken !== undefined) {
    counts.shared += 1;
    if (identifier !== null) {
      // The first that is told; who was looked at already hears of it with the next import.
      const sql =
        "update import_url set identifier = ? where job = ? and endpoint = ? and identifier is null";
      database.run(sql, identifier, position, endpoint);
    }
    return true;
  }
  if (counts.taken >= most) return false;
  counts.taken += 1;
  const { turn } = database.get<{ turn: number }>(
    `insert into import_domain (job, domain, urls) values (?, ?, 1)
      on conflict do update set urls = urls + 1 returning urls as turn`,
    position,
    domain,
  ) as { turn: number };
  const outcome = job.input.dryRun === true ? dryOutcome(database, job, endpoint) : null;
  database.run(
    "insert into import_url (job, position, endpoint, url, domain, turn, outcome, identifier) values (?, ?, ?, ?, ?, ?, ?, ?)",
    position,
    counts.taken,
    endpoint,
    url.url,
    domain,
    turn,
    outcome,
    identifier,
  );
  return true;
}

function dryOutcome(database: Database, { counts }: ImportRow, endpoint: string): "taken" | "known" {
  if (database.get("select 1 as found from relay_endpoint where url = ?", endpoint) === undefined)
    return "taken";
  counts.known += 1;
  return "known";
}

/** In a transaction: ends a job that has nothing to read and nothing to look at. What only counted it goes. */
export function settle(database: Database, job: number, now: number): void {
  const ended = database.run(
    `update import_job set finished_at = ?1 where position = ?2 and finished_at is null
      and not exists (select 1 from import_document where job = ?2 and done = 0)
      and not exists (select 1 from import_url where job = ?2 and outcome is null)`,
    new Date(now).toISOString(),
    job,
  );
  if (ended === 0) return;
  database.run("delete from import_entry where job = ?", job);
  database.run("delete from import_domain where job = ?", job);
}
