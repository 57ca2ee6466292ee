/** The end of a log, and what comes after it. */
import { followFile, logFiles, tailOf } from "../../desktop/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import { exitCodes } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import { thisMachine } from "./this-machine.ts";

export interface LogsOptions {
  readonly follow?: true;
  readonly lines: number;
}

export async function runLogs(
  shell: Shell,
  { name, follow, lines }: LogsOptions & { readonly name: string | undefined },
): Promise<number> {
  const files = await logFiles(name ?? null, thisMachine(shell));
  const path = name === undefined ? files.general : files.server;
  if (path === null) {
    const known =
      files.names.length === 0
        ? "It has none yet."
        : `It has: ${files.names.join(", ")}. Did you mean one of them?`;
    throw new OpenMcpError(
      "not-found",
      `Claude Desktop has no log of ${name === undefined ? "its servers" : `"${name}"`} in ${files.folder}. ${known}`,
    );
  }
  shell.note(shell.noteStyle.quiet(printableLine(path)));
  const { text, offset } = await tailOf(path, lines);
  shell.write(printable(text));
  if (follow !== true) return exitCodes.ok;
  for await (const part of followFile(path, { offset, signal: shell.signal })) shell.write(printable(part));
  return exitCodes.ok;
}
