/**
 * `openmcp restore`: puts a backup in the place of a catalog's database. A running catalog is asked, by its admin's token, and
 * goes on serving; the database file of one that is stopped is replaced here. What was there is kept beside it.
 */
import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { restoreBackup } from "../../client/index.ts";
import { OpenMcpError, type RestoreReport } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { describeBackup } from "../format/backup-report.ts";
import { fileProblem } from "../input-file.ts";
import { printableLine } from "../terminal/printable.ts";

export const restore: CommandModule = {
  define(command, { run }) {
    command
      .argument("<file>", "a file that openmcp backup made")
      .option("--db <path>", "replace this database file instead of asking a catalog; none may be using it")
      .addHelpText(
        "after",
        `
Examples:
  OPENMCP_TOKEN=… openmcp restore catalog-backup.db
  openmcp restore --db /var/lib/openmcp/catalog.db /backups/catalog.db

The file is read through first. The database that was there is kept with .bak behind its name.`,
      )
      .action((file: string, { db }: { db?: string }) =>
        run(async (shell) => {
          const { checkDatabase, isInUse } = await import("../../store/sqlite/index.ts");
          const source = resolve(file);
          await access(source, constants.R_OK).catch((error) => {
            throw new OpenMcpError(
              "invalid-input",
              `The backup can't be read: ${fileProblem(source, error)}.`,
              {
                data: { field: "file" },
              },
            );
          });
          // What was written last is in its log, beside it.
          if (isInUse(source)) {
            throw new OpenMcpError(
              "invalid-input",
              `"${source}" is in use, so the file alone is not all of it. Make a backup of it first: openmcp backup --db ${JSON.stringify(source)} copy.db`,
              { data: { field: "file" } },
            );
          }
          // Before anything is sent: most wrong files are simply the wrong file.
          await checkDatabase(source);
          const { catalog, token } = shell.options;
          const report =
            db === undefined
              ? await restoreBackup(catalog, await openAsBlob(source), { token, signal: shell.signal })
              : await intoFile(source, resolve(db));
          if (shell.json) shell.printJson({ ok: true, ...report });
          else {
            shell.print(`${shell.style.good("✓")} restored: ${describeBackup(report)}`);
            if (report.kept !== null) {
              shell.print(`  What was there is kept as ${printableLine(report.kept)}.`);
            }
          }
          return exitCodes.ok;
        }),
      );
  },
};

async function intoFile(source: string, db: string): Promise<RestoreReport> {
  const { isInUse, restoreFile } = await import("../../store/sqlite/index.ts");
  if (isInUse(db)) {
    throw new OpenMcpError(
      "conflict",
      `A catalog is using "${db}". Restore through it (without --db, with its admin token), or stop it first.`,
    );
  }
  return restoreFile(source, db);
}
