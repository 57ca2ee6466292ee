/** Bulk jobs: a list of URLs and, one by one, what became of each. What a stop left open is found again. */
import type { BulkResult } from "../../spec/index.ts";
import type { JobStore } from "../store.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./write-turns.ts";

interface JobRow {
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly total: number;
}

export function createJobStore(database: Database, writer: Writer): JobStore {
  return {
    async create({ id, urls, now }) {
      await writer.write(() => {
        const at = new Date(now).toISOString();
        database.run(
          "insert into job (id, created_at, finished_at, total) values (?, ?, ?, ?)",
          id,
          at,
          urls.length === 0 ? at : null,
          urls.length,
        );
        urls.forEach((url, position) => {
          database.run("insert into job_url (job, position, url) values (?, ?, ?)", id, position, url);
        });
      });
    },
    async get(id) {
      const job = database.get<JobRow>(
        "select created_at as createdAt, finished_at as finishedAt, total from job where id = ?",
        id,
      );
      if (job === undefined) return null;
      const results = database
        .all<{ result: string }>(
          "select result from job_url where job = ? and result is not null order by position",
          id,
        )
        .map((row) => JSON.parse(row.result) as BulkResult);
      return { id, ...job, done: results.length, results };
    },
    async open(id, limit) {
      return database
        .all<{ position: number; url: string }>(
          "select position, url from job_url where job = ? and result is null order by position limit ?",
          id,
          limit,
        )
        .map(({ position, url }) => ({ position, url }));
    },
    async finish(id, position, result, now) {
      await writer.write(() => {
        const changed = database.run(
          "update job_url set result = ? where job = ? and position = ? and result is null",
          JSON.stringify(result),
          id,
          position,
        );
        if (changed === 0) return;
        database.run(
          `update job set finished_at = ?1 where id = ?2
            and not exists (select 1 from job_url where job = ?2 and result is null)`,
          new Date(now).toISOString(),
          id,
        );
      });
    },
    async waiting() {
      const row = database.get<{ n: number }>(
        `select count(*) as n from job j join job_url u on u.job = j.id
          where j.finished_at is null and u.result is null`,
      );
      return row?.n ?? 0;
    },
    async unfinished() {
      return database
        .all<{ id: string }>("select id from job where finished_at is null order by created_at, id")
        .map((row) => row.id);
    },
    async forget(before) {
      return writer.write(() =>
        database.run("delete from job where finished_at < ?", new Date(before).toISOString()),
      );
    },
  };
}
