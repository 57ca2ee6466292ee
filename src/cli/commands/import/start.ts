/** Starts an import and waits for it. */
import type { ImportInput } from "../../../spec/index.ts";
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { printableLine } from "../../terminal/printable.ts";
import { follow } from "./follow.ts";

export interface ImportFlags {
  readonly limit?: number;
  readonly dryRun?: boolean;
  readonly wait: boolean;
}

export async function start(
  shell: Shell,
  { input, wait, ...flags }: ImportFlags & { readonly input: ImportInput },
): Promise<number> {
  await using catalog = openCatalog(shell);
  const { job, rejected } = await catalog.importRelays({ ...input, ...flags });
  for (const { url, error } of rejected) {
    shell.note(`${shell.noteStyle.bad("✗")} ${printableLine(url)}  ${printableLine(error)}`);
  }
  // Awaited here: the client closes when this function ends.
  const refused = rejected.length;
  if (wait) return await follow(shell, { catalog, job, refused });
  if (shell.json) shell.printJson({ job, rejected });
  else {
    shell.print(job);
    shell.note(shell.noteStyle.quiet(`  openmcp import show ${printableLine(job)}`));
  }
  return refused > 0 ? exitCodes.no : exitCodes.ok;
}
