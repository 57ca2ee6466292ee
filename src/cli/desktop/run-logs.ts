/** The end of a log, and what comes after it. */
import { followFile, logFiles, tailOf } from "../../desktop/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import { exitCodes } from "../exit-code.ts";
import { MAX_LOG_LINE_CHARS } from "../limits.ts";
import type { Shell } from "../shell.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import { isRelayId } from "./endpoint-of.ts";
import { targetNames } from "./target-names.ts";
import { thisMachine } from "./this-machine.ts";

export interface LogsOptions {
  readonly follow?: true;
  readonly lines: number;
}

export async function runLogs(
  shell: Shell,
  { target, follow, lines }: LogsOptions & { readonly target: readonly string[] },
): Promise<number> {
  const machine = thisMachine(shell);
  const [name] = target;
  let files = await logFiles(name ?? null, machine);
  let path = name === undefined ? files.general : files.server;
  // By what install was given, too: it makes a name of it.
  for (const made of name === undefined || path !== null ? [] : namesMadeOf(target)) {
    files = await logFiles(made, machine);
    path = files.server;
    if (path !== null) break;
  }
  if (path === null) {
    const known =
      files.names.length === 0
        ? "It writes the first when it starts a server."
        : `It has: ${files.names.join(", ")}. Did you mean one of them?`;
    throw new OpenMcpError(
      "not-found",
      `Claude Desktop has no log of ${name === undefined ? "its servers" : `"${name}"`} in ${files.folder}. ${known}`,
    );
  }
  shell.note(shell.noteStyle.quiet(printableLine(path)));
  const { text, offset } = await tailOf(path, lines);
  const shown = shell.json
    ? linesAsJson(shell, path)
    : { take: (part: string) => shell.write(printable(part)), end: () => undefined };
  shown.take(text);
  if (follow === true) {
    for await (const part of followFile(path, { offset, signal: shell.signal })) shown.take(part);
  }
  shown.end();
  return exitCodes.ok;
}

interface Shown {
  take(part: string): void;
  /** No more comes. */
  end(): void;
}

/** One line of the log on each, when it has ended; the last may have no end yet. */
function linesAsJson(shell: Shell, path: string): Shown {
  let waiting = "";
  const tell = (line: string): void => shell.printJsonLine({ path, line: line.replace(/\r$/, "") });
  return {
    take(part) {
      const lines = (waiting + part).split("\n");
      waiting = (lines.pop() ?? "").slice(0, MAX_LOG_LINE_CHARS);
      for (const line of lines) tell(line);
    },
    end() {
      if (waiting !== "") tell(waiting);
      waiting = "";
    },
  };
}

function namesMadeOf(target: readonly string[]): readonly string[] {
  const [first = ""] = target;
  return targetNames(target, { relay: isRelayId(target) ? first : null, catalog: "" });
}
