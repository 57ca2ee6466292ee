/**
 * The thread of copies.ts: one task, one answer. A file is judged from its own pages: that it is SQLite's, a catalog's, of a
 * version that is known, and whole. Messages name no path: they may go to whoever sent the file.
 */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { type BackupReport, type ErrorCode, isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import { openDatabase } from "./database.ts";
import { APPLICATION_ID, migrate, migrations } from "./migrate.ts";

export type CopyTask =
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  | { readonly kind: "check" | "prepare"; readonly path: string };

export type CopyAnswer =
  | { readonly ok: true; readonly report: BackupReport }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

parentPort?.postMessage(answerTo(workerData as CopyTask));

function answerTo(task: CopyTask): CopyAnswer {
  try {
    return { ok: true, report: perform(task) };
  } catch (failure) {
    const error = judged(failure);
    if (isOpenMcpError(error)) return { ok: false, code: error.code, message: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, code: "unavailable", message: `the database can't be copied or read: ${reason}` };
  }
}

function perform(task: CopyTask): BackupReport {
  if (task.kind === "copy") {
    copy(task.from, task.to);
    return check(task.to);
  }
  const report = check(task.path);
  if (task.kind === "check") return report;
  const database = openDatabase(task.path);
  try {
    migrate(database);
  } finally {
    database.close();
  }
  return { ...check(task.path), bytes: report.bytes };
}

function copy(from: string, to: string): void {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    // One read transaction: what others commit meanwhile is not in it, and they don't wait for it.
    source.prepare("vacuum into ?").run(to);
  } finally {
    source.close();
  }
}

function check(path: string): BackupReport {
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) {
    throw refused(
      "is a database that is in use (its latest changes lie beside it): make a copy of it with openmcp backup",
    );
  }
  return judge(path);
}

/** SQLite's own word that the file is none of its, or broken, in ours. */
function judged(error: unknown): unknown {
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  // SQLITE_NOTADB, SQLITE_CORRUPT (https://sqlite.org/rescode.html).
  if (code === 26) return refused("is no SQLite database");
  return code === 11 ? refused("is damaged") : error;
}

function judge(path: string): BackupReport {
  // Immutable: reading leaves nothing beside the file, whatever journal it was written with.
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  const database = new DatabaseSync(url, { readOnly: true });
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  try {
    if (number("pragma application_id") !== APPLICATION_ID) throw refused("is no catalog's database");
    const schemaVersion = number("pragma user_version");
    if (schemaVersion < 1) throw refused("is an unfinished database");
    if (schemaVersion > migrations.length) {
      throw refused(
        `has schema version ${schemaVersion}, this OpenMCP knows up to ${migrations.length}: use the OpenMCP that wrote it`,
      );
    }
    const found = database.prepare("pragma integrity_check(1)").get() as { readonly integrity_check: string };
    if (found.integrity_check !== "ok") throw refused(`is damaged: ${found.integrity_check}`);
    if (database.prepare("pragma foreign_key_check").get() !== undefined) {
      throw refused("is damaged: some of its rows belong to nothing");
    }
    return {
      bytes: statSync(path).size,
      schemaVersion,
      relays: number("select count(*) from relay"),
      tools: number("select count(*) from tool"),
    };
  } finally {
    database.close();
  }
}

function refused(what: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `the file ${what}`);
}
