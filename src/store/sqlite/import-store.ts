/** Imports in SQLite: jobs, what they read and took, and the claims that they left. What a document gave is import-write.ts's. */
import type { ImportInput, ImportJob, ImportReport, ImportResult, RelayClaim } from "../../spec/index.ts";
import { cursorAfter, placeOf } from "../cursor.ts";
import type { ImportStore, OpenUrl, UrlOutcome, WaitingDocument } from "../import-store.ts";
import type { Database } from "./database.ts";
import {
  addDocuments,
  type ImportRow,
  importRow,
  settle,
  takeEntries,
  writeCounts,
  writeDocument,
} from "./import-write.ts";
import { NAMES_TOLD } from "./limits.ts";
import type { Writer } from "./write-turns.ts";

export function createImportStore(database: Database, writer: Writer): ImportStore {
  return {
    async create({ id, input, documents, entries, now }) {
      return writer.write(() => {
        const running = database.get<{ id: string }>(
          "select id from import_job where url = ? and finished_at is null",
          input.url ?? null,
        );
        if (running !== undefined) return running.id;
        database.run(
          "insert into import_job (id, url, input, created_at, counts) values (?, ?, ?, ?, ?)",
          id,
          input.url ?? null,
          JSON.stringify(input),
          new Date(now).toISOString(),
          JSON.stringify(nothing),
        );
        const job = importRow(database, id) as ImportRow;
        addDocuments(database, job, { documents, stale: 0, now });
        takeEntries(database, job, { entries, source: null, now });
        writeCounts(database, job);
        settle(database, job.position, now);
        return null;
      });
    },
    async get(id) {
      const row = importRow(database, id);
      return row === undefined ? null : jobOf(database, row);
    },
    async list(limit) {
      return database
        .all<{ id: string }>("select id from import_job order by position desc limit ?", limit)
        .map(({ id }) => jobOf(database, importRow(database, id) as ImportRow));
    },
    async unfinished() {
      return database
        .all<{ id: string }>("select id from import_job where finished_at is null order by position")
        .map((row) => row.id);
    },

    async documents(id, limit) {
      return database
        .all<WaitingDocument>(
          `select d.position, d.url, d.trail, d.stale, d.tries, d.due_at as dueAt
            from import_job j join import_document d on d.job = j.position
            where j.id = ? and j.finished_at is null and d.done = 0 order by d.due_at, d.position limit ?`,
          id,
          limit,
        )
        .map((row) => ({ ...row }));
    },
    async finishDocument(id, position, reading, now) {
      return writer.write(() => {
        const job = importRow(database, id);
        if (job === undefined || job.finishedAt !== null) return false;
        return writeDocument(database, job, { position, reading, now });
      });
    },
    async postpone(id, position, dueAt) {
      const sql = `update import_document set tries = tries + 1, due_at = ?
        where job = (select position from import_job where id = ?) and position = ? and done = 0`;
      await writer.write(() => database.run(sql, dueAt, id, position));
    },

    async open(id, limit) {
      return database
        .all<OpenUrl>(
          `select u.position, u.url, u.endpoint, u.domain, u.identifier from import_job j join import_url u on u.job = j.position
            where j.id = ? and j.finished_at is null and u.outcome is null order by u.turn, u.position limit ?`,
          id,
          limit,
        )
        .map((row) => ({ ...row }));
    },
    async finish(id, position, outcome, now) {
      await writer.write(() => {
        const job = importRow(database, id);
        // What was under way when the job was cancelled is a result all the same.
        if (job === undefined || !writeOutcome(database, job, { position, outcome })) return;
        count(job, outcome);
        writeCounts(database, job);
        if (job.finishedAt === null) settle(database, job.position, now);
      });
    },
    async results(id, { limit, cursor }) {
      const rows = database.all<ResultRow>(
        `select u.position, u.url, u.outcome, u.relay, u.failure, u.error,
            (select json_group_array(name) from (select name from import_name n
              where n.job = u.job and n.endpoint = u.endpoint order by name limit ?3)) as names
          from import_job j join import_url u on u.job = j.position
          where j.id = ?1 and u.position > ?2 order by u.position limit ?4`,
        id,
        placeOf(cursor),
        NAMES_TOLD,
        limit + 1,
      );
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        results: page.map(resultOf),
        nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last.position) : null,
      };
    },
    async cancel(id, now) {
      const sql = "update import_job set cancelled = 1, finished_at = ? where id = ? and finished_at is null";
      return writer.write(() => database.run(sql, new Date(now).toISOString(), id) > 0);
    },

    async claims(relay, limit) {
      const row = database.get<{ seq: number }>("select seq from relay where id = ?", relay);
      if (row === undefined) return null;
      return database
        .all<RelayClaim>(
          `select distinct c.name, c.version, c.source, c.at from relay_endpoint e join claim c on c.endpoint = e.url
            where e.relay = ? order by c.source, c.name limit ?`,
          row.seq,
          limit,
        )
        .map((claim) => ({ ...claim }));
    },
    async waiting() {
      const row = database.get<{ n: number }>(
        `select coalesce(sum((select count(*) from import_document d where d.job = j.position and d.done = 0)
            + (select count(*) from import_url u where u.job = j.position and u.outcome is null)), 0) as n
          from import_job j where j.finished_at is null`,
      );
      return row?.n ?? 0;
    },
    async forget(before) {
      const sql = "delete from import_job where finished_at < ?";
      return writer.write(() => database.run(sql, new Date(before).toISOString()));
    },
  };
}

const nothing: ImportReport = {
  documents: 0,
  seen: 0,
  taken: 0,
  shared: 0,
  skipped: {},
  listed: 0,
  known: 0,
  failed: {},
};

interface ResultRow {
  readonly position: number;
  readonly url: string;
  readonly outcome: ImportResult["outcome"] | null;
  readonly relay: string | null;
  readonly failure: ImportResult["failure"];
  readonly error: string | null;
  readonly names: string;
}

function resultOf({ url, outcome, relay, failure, error, names }: ResultRow): ImportResult {
  return {
    url,
    names: JSON.parse(names) as string[],
    outcome: outcome ?? "waiting",
    relay,
    failure,
    error,
  };
}

/** False when the URL has an outcome already, or is none of the job's. */
function writeOutcome(
  database: Database,
  job: ImportRow,
  { position, outcome }: { readonly position: number; readonly outcome: UrlOutcome },
): boolean {
  const sql = `update import_url set outcome = ?, relay = ?, failure = ?, error = ?
    where job = ? and position = ? and outcome is null`;
  const { outcome: word, relay, failure, error } = outcome;
  return database.run(sql, word, relay, failure, error, job.position, position) > 0;
}

function count({ counts }: ImportRow, { outcome, failure }: UrlOutcome): void {
  if (outcome !== "failed") counts[outcome] += 1;
  else counts.failed[failure ?? "error"] = (counts.failed[failure ?? "error"] ?? 0) + 1;
}

function jobOf(database: Database, row: ImportRow): ImportJob {
  const input = row.input as Omit<ImportInput, "urls">;
  const next = database.get<{ tries: number; dueAt: number }>(
    `select tries, due_at as dueAt from import_document where job = ? and done = 0 order by due_at, position limit 1`,
    row.position,
  );
  const state =
    row.cancelled === 1
      ? "cancelled"
      : row.finishedAt !== null
        ? "done"
        : next === undefined
          ? "probing"
          : "reading";
  return {
    id: row.id,
    from: input.from,
    url: input.url ?? null,
    since: input.since ?? null,
    limit: input.limit ?? null,
    dryRun: input.dryRun === true,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    state,
    complete: state === "reading" ? null : row.incomplete === 0 && next === undefined,
    problems: row.problems,
    waitsUntil:
      state === "reading" && next !== undefined && next.tries > 0 ? new Date(next.dueAt).toISOString() : null,
    report: row.counts,
  };
}
