/**
 * `openmcp import file`: the HTTP servers out of a configuration or a list. The file is read here; what leaves this machine is
 * their addresses, without query and user name, and nothing else.
 */
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { type FileServer, type FileSkip, readImportFile } from "../../import-file/read-file.ts";
import { inputText } from "../../input-file.ts";
import { BULK_SIZE } from "../../limits.ts";
import type { Shell } from "../../shell.ts";
import { printableLine } from "../../terminal/printable.ts";
import { follow } from "./follow.ts";
import type { ImportFlags } from "./start.ts";

const skipWords: Readonly<Record<FileSkip, string>> = {
  local: "runs on this machine (stdio): nothing to list",
  template: "has a variable in its address",
  personal: "has what looks like a key in its address: it is yours alone, and was not sent",
  "not-http": "has no http or https address, and was not sent",
};

export async function importFile(
  shell: Shell,
  { path, wait, limit, dryRun }: ImportFlags & { readonly path: string },
): Promise<number> {
  const servers = readImportFile(
    path === "-"
      ? await shell.readInput()
      : await inputText(path, { what: "The file", field: "file", signal: shell.signal }),
    path,
  );
  for (const server of servers) tell(shell, server);
  const all = [...new Set(servers.map(({ url }) => url).filter((url) => url !== null))];
  const skipped = tally(servers);
  if (all.length === 0) {
    if (shell.json) shell.printJson({ job: null, skipped });
    else shell.print("Nothing in it can be listed.");
    return exitCodes.no;
  }
  const urls = all.slice(0, limit ?? all.length);
  await using catalog = openCatalog(shell);
  const notSent = servers.filter(({ line, url }) => line !== null && url === null).length;
  let code: number = notSent > 0 ? exitCodes.no : exitCodes.ok;
  // A list may be longer than one import takes.
  for (let from = 0; from < urls.length; from += BULK_SIZE) {
    const { job, rejected } = await catalog.importRelays({
      from: "urls",
      urls: urls.slice(from, from + BULK_SIZE),
      ...(dryRun === undefined ? {} : { dryRun }),
    });
    for (const { url, error } of rejected) {
      shell.note(`${shell.noteStyle.bad("✗")} ${printableLine(url)}  ${printableLine(error)}`);
    }
    if (rejected.length > 0) code = exitCodes.no;
    const refused = rejected.length + (from === 0 ? notSent : 0);
    if (wait) code = Math.max(code, await follow(shell, { catalog, job, skipped, refused }));
    else if (shell.json) shell.printJson({ job, rejected, skipped });
    else {
      shell.print(job);
      shell.note(shell.noteStyle.quiet(`  openmcp import show ${printableLine(job)}`));
    }
  }
  return code;
}

function tell(shell: Shell, { name, line, url, skip, cut }: FileServer): void {
  const { quiet } = shell.noteStyle;
  if (skip !== null) shell.note(quiet(`- ${printableLine(name ?? `line ${line}`)}  ${skipWords[skip]}`));
  else if (name !== null) {
    const without = cut ? "  (without its query: keys stand there)" : "";
    shell.note(`  ${printableLine(name)}  ${printableLine(url ?? "")}${quiet(without)}`);
  }
}

function tally(servers: readonly FileServer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { skip } of servers) if (skip !== null) counts[skip] = (counts[skip] ?? 0) + 1;
  return counts;
}
