/** A command as a server, and the errors of starting one: what a person can do about it is in the message. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ConnectError } from "../connect-error.ts";

export interface CommandTarget {
  /** A path, or a name that is looked up in PATH. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside a handful of variables that are safe to pass on (PATH, HOME and their like). */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** @throws TypeError before anything is started. */
export function assertCommand(target: CommandTarget | undefined): void {
  if (typeof target?.command !== "string" || target.command.trim() === "") {
    throw new TypeError("Name the command that starts the server: `{ command, args }`.");
  }
}

/** How errors call it. Arguments may hold credentials. */
export function labelOf({ command }: CommandTarget): string {
  return `"${command}"`;
}

export function spawnError(error: unknown, target: CommandTarget): ConnectError {
  const { code } = error as NodeJS.ErrnoException;
  const label = labelOf(target);
  const data = { reason: code ?? null };
  if (code === "ENOENT" && target.cwd !== undefined && !existsSync(target.cwd)) {
    return new ConnectError("connect/transport", `There is no folder ${target.cwd} to start ${label} in.`, {
      data,
      cause: error,
    });
  }
  const why: Readonly<Record<string, string>> = {
    ENOENT: isAbsolute(target.command)
      ? `There is no file ${label}.`
      : `There is no command ${label} in this PATH. Give its absolute path: applications start servers with a thinner PATH than a terminal has.`,
    EACCES: `${label} may not be run by this user. Make the file executable (chmod +x), or name the program that runs it.`,
    EPERM: `${label} may not be run by this user.`,
    ENOEXEC: `${label} is no program for this machine. A script needs its "#!" line, or the program that runs it before it.`,
  };
  const message =
    why[code ?? ""] ?? `${label} can't be started: ${error instanceof Error ? error.message : error}`;
  return new ConnectError("connect/transport", message, { data, cause: error });
}
