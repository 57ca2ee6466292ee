/**
 * `openmcp backup`: a catalog's database as one file, while the catalog runs. From the catalog itself, by its admin's token, or
 * from a database file of this machine. The file appears whole and checked, or not at all.
 */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { downloadBackup } from "../../client/index.ts";
import { type BackupReport, isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { describeBackup } from "../format/backup-report.ts";
import { fileProblem } from "../input-file.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import { openNew, writeWhole } from "../write-whole.ts";

/** It holds what subscribers told the catalog. */
const OWNER_ONLY = 0o600;

export const backup: CommandModule = {
  define(command, { run }) {
    command
      .argument("<file>", "where to put it; a file that is there is replaced once the new one is whole")
      .option("--db <path>", "copy this database file instead of asking a catalog; it may be in use")
      .addHelpText(
        "after",
        `
Examples:
  OPENMCP_TOKEN=… openmcp backup catalog-backup.db
  openmcp backup --db /var/lib/openmcp/catalog.db /backups/catalog.db

The catalog goes on meanwhile; the file holds one moment of it.`,
      )
      .action((file: string, { db }: { db?: string }) =>
        run(async (shell) => {
          const target = resolve(file);
          await refuseLiving(target);
          const report = await writeWhole(target, (temporary) =>
            db === undefined ? fromCatalog(shell, temporary) : fromFile(resolve(db), temporary),
          );
          if (shell.json) shell.printJson({ ok: true, file: target, ...report });
          else shell.print(`${shell.style.good("✓")} ${printableLine(target)}: ${describeBackup(report)}`);
          return exitCodes.ok;
        }),
      );
  },
};

/** A file in the place of a database that is open would part it from its log: what is open goes on in a file without a name. */
async function refuseLiving(target: string): Promise<void> {
  const { isInUse } = await import("../../store/sqlite/index.ts");
  if (!isInUse(target)) return;
  throw new OpenMcpError(
    "invalid-input",
    `A catalog is using "${target}": a backup in its place would ruin it. Name another file.`,
    { data: { field: "file" } },
  );
}

async function fromCatalog(shell: Shell, temporary: string): Promise<BackupReport> {
  const { catalog, token } = shell.options;
  const { checkDatabase } = await import("../../store/sqlite/index.ts");
  const { file, bytes } = await downloadBackup(catalog, { token, signal: shell.signal });
  await using handle = await openNew(temporary, OWNER_ONLY);
  let written = 0;
  for await (const chunk of file) written += (await handle.write(chunk)).bytesWritten;
  if (bytes !== null && written !== bytes) {
    throw new OpenMcpError(
      "catalog-answer",
      `The backup broke off: ${written} of ${bytes} bytes came. Try again.`,
    );
  }
  return checkDatabase(temporary);
}

async function fromFile(db: string, temporary: string): Promise<BackupReport> {
  const { copyDatabase } = await import("../../store/sqlite/index.ts");
  await (await openOld(db)).close();
  await (await openNew(temporary, OWNER_ONLY)).close();
  try {
    return await copyDatabase(db, temporary);
  } catch (error) {
    // What is wrong with it is said without its name: such a file may come from anywhere.
    if (!isOpenMcpError(error)) throw error;
    throw new OpenMcpError(error.code, `"${db}" can't be copied: ${error.message}`, {
      data: error.data,
      cause: error,
    });
  }
}

async function openOld(path: string) {
  try {
    return await open(path, "r");
  } catch (error) {
    throw new OpenMcpError("invalid-input", `The database can't be read: ${fileProblem(path, error)}.`, {
      data: { field: "--db" },
    });
  }
}
