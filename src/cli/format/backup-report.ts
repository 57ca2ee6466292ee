/** A backup in a few words. Pure. */
import type { BackupReport } from "../../spec/index.ts";

export function describeBackup({ relays, tools, bytes, schemaVersion }: BackupReport): string {
  return `${count(relays, "relay")}, ${count(tools, "tool")}, ${mebibytes(bytes)}, schema version ${schemaVersion}`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MiB`;
}
