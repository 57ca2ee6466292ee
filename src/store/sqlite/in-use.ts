/** Whether a process has a database file open: each of its connections holds a lock that leaving the write-ahead log needs. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** False too when the file is not there. Changes nothing, but that the log of a crash is taken into its file. */
export function isInUse(path: string): boolean {
  // Whoever has one open has its log beside it; a file without one stays as it is, byte for byte.
  if (!existsSync(path) || !existsSync(`${path}-wal`)) return false;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.prepare("select count(*) from sqlite_schema").get();
    database.exec("pragma journal_mode = delete");
    database.exec("pragma journal_mode = wal");
    return false;
  } catch (error) {
    // SQLITE_BUSY, SQLITE_LOCKED; a file that is damaged is nobody's.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    return code === 5 || code === 6;
  } finally {
    database.close();
  }
}
