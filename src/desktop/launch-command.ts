/**
 * A person's command as an application can start it: with a thin PATH, no profile, and from another folder. So programs and scripts are
 * absolute, npx is told not to ask, and what only Node's own scripts need is in the entry's PATH.
 */
import { OpenMcpError } from "../spec/index.ts";
import type { CommandLaunch } from "./entry.ts";
import { type Machine, pathsOf } from "./machine.ts";

/** Programs whose first argument that is no option is a file. */
const INTERPRETERS =
  /^(?:node|bun|deno|python[\d.]*|py|ruby|perl|php|tsx|ts-node|sh|bash|zsh|java)(?:\.exe)?$/i;

/** Files that an interpreter runs. */
export const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|jar|sh)$/i;

/** Where scripts look for what they call. */
const USUAL_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

export interface FoundCommand {
  readonly launch: CommandLaunch;
  /** What a person should know, as sentences. */
  readonly remarks: readonly string[];
}

/** @throws OpenMcpError `invalid-input` for a relative path, or a program that is not there. */
export async function launchCommand(
  [program = "", ...args]: readonly string[],
  { env, machine }: { readonly env: Readonly<Record<string, string>>; readonly machine: Machine },
): Promise<FoundCommand> {
  const paths = pathsOf(machine);
  const remarks: string[] = [];
  const found = await programPath(program, machine);
  const name = paths.basename(found).replace(/\.(?:exe|cmd|bat)$/i, "");
  const words = name === "npx" ? npxWords(args, remarks) : [...args];
  await assertAbsolute(words, { interpreter: INTERPRETERS.test(name), machine });
  const script = /\.(?:cmd|bat)$/i.test(found);
  // Its first line is `#!/usr/bin/env node`, and the application's PATH knows no node.
  const needsPath =
    machine.platform !== "win32" && /^(?:npx|npm|uvx|pnpm|yarn|bunx)$/.test(name) && env.PATH === undefined;
  return {
    launch: {
      kind: "command",
      command: script ? (machine.env.ComSpec ?? machine.env.COMSPEC ?? "cmd") : found,
      args: script ? ["/c", found, ...words] : words,
      env: needsPath ? { PATH: [...new Set([paths.dirname(found), ...USUAL_PATH])].join(":"), ...env } : env,
    },
    remarks,
  };
}

/** The program's own path. `node` is the one that runs now: it is new enough, and it is there. */
export async function programPath(program: string, machine: Machine): Promise<string> {
  const paths = pathsOf(machine);
  if (paths.isAbsolute(program)) {
    if (await machine.isExecutable(program)) return program;
    const why = (await machine.exists(program))
      ? "may not be run: make it executable (chmod +x)"
      : "is not there";
    throw refuse(`${program} ${why}.`);
  }
  if (/[\\/]/.test(program)) {
    throw refuse(
      `Applications start commands from a folder of their own, so "${program}" would not be found: give ${paths.resolve(machine.cwd, program)}.`,
    );
  }
  if (program === "") throw refuse("Name what to install: a relay, a URL or a command.");
  if (program === "node") return machine.execPath;
  const found = await inPath(program, machine);
  if (found === null) {
    throw refuse(`There is no command "${program}" in PATH. Install it, or give its absolute path.`);
  }
  return found;
}

/** In PATH, projects' own folders left out: they are gone with the project. Null when it is nowhere. */
export async function inPath(program: string, machine: Machine): Promise<string | null> {
  const paths = pathsOf(machine);
  const windows = machine.platform === "win32";
  const endings = windows && paths.extname(program) === "" ? [".exe", ".cmd", ".bat"] : [""];
  const listed = (machine.env.PATH ?? machine.env.Path ?? "").split(paths.delimiter);
  for (const folder of [paths.dirname(machine.execPath), ...listed]) {
    if (!paths.isAbsolute(folder) || folder.includes("node_modules")) continue;
    for (const ending of endings) {
      const path = paths.join(folder, `${program}${ending}`);
      if (await machine.isExecutable(path)) return path;
    }
  }
  return null;
}

/** `-y`: there is nobody to answer its question; a version: what runs tomorrow is what was looked at today. */
function npxWords(args: readonly string[], remarks: string[]): string[] {
  const words = args.some((word) => word === "-y" || word === "--yes") ? [...args] : ["-y", ...args];
  const pack = words.find((word) => !word.startsWith("-"));
  if (pack !== undefined && !/^@?[^@]+@./.test(pack)) {
    remarks.push(`"${pack}" has no version: every start may run a newer one. ${pack}@<version> pins it.`);
  }
  return words;
}

async function assertAbsolute(
  words: readonly string[],
  { interpreter, machine }: { readonly interpreter: boolean; readonly machine: Machine },
): Promise<void> {
  const script = interpreter ? words.find((word) => !word.startsWith("-")) : undefined;
  for (const word of words) {
    const path = relativePath(word, machine) ?? (word === script ? word : null);
    if (path === null || pathsOf(machine).isAbsolute(path)) continue;
    const whole = wholePath(path, machine);
    if (!isPlainlyRelative(path) && !(await machine.exists(whole))) continue;
    throw refuse(
      `Applications start commands from a folder of their own, so "${path}" would not be found: give ${whole}.`,
    );
  }
}

/** Of a word what may be a path from here: begun by a dot or a tilde, with a separator in it, or with a script's ending. Null for another. */
export function relativePath(word: string, machine: Pick<Machine, "platform">): string | null {
  const text = /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
  const paths = pathsOf(machine);
  if (paths.isAbsolute(text) || /^[a-z][a-z0-9+.-]*:/i.test(text) || /^[-@]/.test(text)) return null;
  return isPlainlyRelative(text) || /[\\/]/.test(text) || SCRIPT.test(text) ? text : null;
}

/** Whatever is there. */
export function isPlainlyRelative(text: string): boolean {
  return /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(text);
}

function wholePath(path: string, machine: Machine): string {
  const paths = pathsOf(machine);
  // The shell fills it in, and there is none.
  return path.startsWith("~") ? paths.join(machine.home, path.slice(1)) : paths.resolve(machine.cwd, path);
}

function refuse(message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field: "command" } });
}
