/**
 * Copies of a catalog's database file, and judging a file before it takes a catalog's place. All of it reads every page, so
 * it runs in a thread of its own (copy-thread.ts): whoever serves goes on serving.
 */
import { rmSync } from "node:fs";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type BackupReport, OpenMcpError } from "../../spec/index.ts";
import type { CopyAnswer, CopyTask } from "./copy-thread.ts";

/**
 * A consistent copy of the database at `from` as it is at one moment, whoever writes to it meanwhile; without free pages, in
 * one file that was read back and found whole. `to` must not be there.
 * @throws OpenMcpError `unavailable` when `from` can't be read or `to` can't be written; `invalid-input` when `from` is damaged
 * or no catalog's. Then there is no `to`.
 */
export async function copyDatabase(from: string, to: string): Promise<BackupReport> {
  try {
    return await aside({ kind: "copy", from, to });
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/**
 * Reads the whole file, and changes nothing.
 * @throws OpenMcpError `invalid-input` when it is no catalog's database, is damaged, or is of a newer version.
 */
export function checkDatabase(path: string): Promise<BackupReport> {
  return aside({ kind: "check", path });
}

/** As `checkDatabase`, and then brings the file to this version's schema: ready to take a catalog's place. */
export function prepareDatabase(path: string): Promise<BackupReport> {
  return aside({ kind: "prepare", path });
}

async function aside(task: CopyTask): Promise<BackupReport> {
  // The sources run as they are, the package as JavaScript.
  const thread = new URL(`./copy-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(thread, { workerData: task });
  const answer = await new Promise<CopyAnswer>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) =>
      reject(new OpenMcpError("internal", `the copying thread ended with ${code}`)),
    );
  });
  if (answer.ok) return answer.report;
  throw new OpenMcpError(answer.code, answer.message, { data: { field: "file" } });
}
