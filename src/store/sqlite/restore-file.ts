/** A backup in the place of a database file that nobody uses, whatever state that file is in. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { RestoreReport } from "../../spec/index.ts";
import { prepareDatabase } from "./copies.ts";
import { openDatabase } from "./database.ts";
import { goOnFrom, numbersReached, type RunningNumbers } from "./running-numbers.ts";

/**
 * Copies `source` to `path`, checked and of this version's schema; what was there is kept with `.bak` behind its name.
 * @throws OpenMcpError `invalid-input` when `source` is no sound catalog's database; then `path` is as it was.
 */
export async function restoreFile(source: string, path: string): Promise<RestoreReport> {
  const temporary = `${path}.restoring`;
  const kept = `${path}.bak`;
  const there = existsSync(path);
  try {
    await copyFile(source, temporary);
    const report = await prepareDatabase(temporary);
    const reached = there ? lastNumbers(path) : null;
    if (reached !== null) {
      const database = openDatabase(temporary);
      try {
        goOnFrom(database, reached);
      } finally {
        database.close();
      }
    }
    if (there) keep(path, kept);
    renameSync(temporary, path);
    return { ...report, kept: there ? kept : null };
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${temporary}${end}`, { force: true });
  }
}

/** With the log of a crash, which belongs to it and to no other file. */
function keep(path: string, kept: string): void {
  for (const end of ["-wal", "-shm", ""]) {
    rmSync(`${kept}${end}`, { force: true });
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${kept}${end}`);
  }
}

/** Null when the file is too damaged to say, or no catalog's. */
function lastNumbers(path: string): RunningNumbers | null {
  try {
    const database = openDatabase(path);
    try {
      return numbersReached(database);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
