/** Looks at imports, and ends one. */
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { importList, importReport, importResultLine } from "../../format/import-report.ts";
import type { Shell } from "../../shell.ts";
import { exitCodeOf, follow } from "./follow.ts";

export async function list(shell: Shell): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.imports();
  if (shell.json) shell.printJson(answer);
  else if (answer.jobs.length === 0) {
    shell.note("No imports in the last week. Try one: openmcp import registry --dry-run");
  } else shell.print(importList(answer.jobs, shell));
  return exitCodes.ok;
}

export async function show(
  shell: Shell,
  { job: id, results, wait }: { readonly job: string; readonly results?: boolean; readonly wait?: boolean },
): Promise<number> {
  await using catalog = openCatalog(shell);
  if (wait === true && results !== true) return await follow(shell, { catalog, job: id });
  if (results === true && shell.json) {
    // One a line: there may be thousands.
    for await (const result of catalog.importResults(id)) shell.printJsonLine(result);
    return exitCodes.ok;
  }
  const job = await catalog.importJob(id);
  if (shell.json) shell.printJson({ job });
  else shell.print(importReport(job, shell));
  if (results === true) {
    for await (const result of catalog.importResults(id)) shell.print(importResultLine(result, shell.style));
  }
  return exitCodeOf(job);
}

export async function cancel(shell: Shell, id: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const job = await catalog.cancelImport(id);
  if (shell.json) shell.printJson({ job });
  else shell.print(importReport(job, shell));
  return exitCodes.ok;
}
