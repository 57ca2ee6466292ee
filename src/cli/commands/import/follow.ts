/** Waits for an import, with its numbers on the terminal; the job goes on whatever happens here. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CatalogClient } from "../../../client/index.ts";
import { type ImportJob, isOpenMcpError, OpenMcpError } from "../../../spec/index.ts";
import { exitCodes } from "../../exit-code.ts";
import { importLine, importReport, isWholeImport } from "../../format/import-report.ts";
import { IMPORT_AWAY_MS, POLL_FIRST_MS, POLL_MOST_MS } from "../../limits.ts";
import type { Shell } from "../../shell.ts";
import { printableLine } from "../../terminal/printable.ts";

interface Following {
  readonly catalog: CatalogClient;
  readonly job: string;
  /** What was not sent, and so is no part of the job. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** Of these what was to be taken, and could not be: the answer is no. */
  readonly refused?: number;
}

/** Prints the report when it has ended, and gives the exit code. */
export async function follow(shell: Shell, following: Following): Promise<number> {
  const job = await ended(shell, following);
  const { skipped, refused = 0 } = following;
  if (shell.json) shell.printJson({ job, ...(skipped === undefined ? {} : { skipped }) });
  else {
    shell.print(importReport(job, { style: shell.style, refused }));
    shell.note(shell.noteStyle.quiet(`  openmcp import show ${printableLine(job.id)} --results`));
  }
  return refused > 0 ? exitCodes.no : exitCodeOf(job);
}

export function exitCodeOf(job: ImportJob): number {
  return isWholeImport(job) ? exitCodes.ok : exitCodes.no;
}

async function ended(shell: Shell, { catalog, job: id }: Following): Promise<ImportJob> {
  shell.note(shell.noteStyle.quiet(`The catalog takes it as job ${printableLine(id)}.`));
  const progress = await shell.progress();
  const told = new Set<string>();
  let pause = POLL_FIRST_MS;
  try {
    for (;;) {
      const job = await patient(shell, () => catalog.importJob(id));
      for (const problem of job.problems) {
        if (told.has(problem)) continue;
        told.add(problem);
        progress.settle(`${shell.noteStyle.warn("!")} ${printableLine(problem)}`);
      }
      if (job.finishedAt !== null) return job;
      progress.update(importLine(job));
      await sleep(pause, undefined, { signal: shell.signal });
      pause = Math.min(POLL_MOST_MS, pause * 1.5);
    }
  } catch (error) {
    progress.close();
    if (shell.signal.aborted || isAway(error)) {
      shell.note(
        `The catalog goes on with it. To look again: openmcp import show ${printableLine(id)} --wait`,
      );
    }
    if (shell.signal.aborted)
      throw new OpenMcpError("aborted", "Ended before the import was done.", { cause: error });
    throw error;
  } finally {
    progress.close();
  }
}

/** A catalog that is started anew goes on with its imports: it is waited for. */
async function patient<T>({ signal }: Shell, ask: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += POLL_MOST_MS) {
    try {
      return await ask();
    } catch (error) {
      if (waited >= IMPORT_AWAY_MS || !isAway(error)) throw error;
      await sleep(POLL_MOST_MS, undefined, { signal });
    }
  }
}

function isAway(error: unknown): boolean {
  return isOpenMcpError(error) && ["catalog-unreachable", "timeout", "unavailable"].includes(error.code);
}
