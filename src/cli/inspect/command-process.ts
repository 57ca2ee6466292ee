/** A command that speaks MCP over its standard streams, as lines in and lines out, and its end. It reads no message. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { OpenMcpError } from "../../spec/index.ts";
import { END_MS, MAX_LINE_CHARS } from "./limits.ts";

export interface CommandOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line of its standard output, without its end. */
  readonly line: (text: string) => void;
  /** What it writes beside. */
  readonly stderr: (text: string) => void;
  /** Once; with a sentence for a person. */
  readonly ended: (why: string) => void;
}

export interface CommandProcess {
  send(line: string): void;
  /** Idempotent; in bounded time. */
  close(): Promise<void>;
}

/** @throws OpenMcpError `invalid-input` when there is no such command, or it may not be run. */
export async function startCommand({
  command,
  env,
  line,
  stderr,
  ended,
}: CommandOptions): Promise<CommandProcess> {
  const [name = "", ...args] = command;
  const child = spawn(name, args, { env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  try {
    await once(child, "spawn");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such command" : `it can't be run (${code ?? "unknown"})`;
    throw new OpenMcpError("invalid-input", `"${name}": ${why}`, {
      data: { field: "command" },
      cause: error,
    });
  }
  // Writing to one that just ended is no failure of ours: its end is told.
  child.stdin.on("error", () => {});
  readLines(child, line);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr(text));
  child.once("exit", (code, signal) =>
    ended(`the command ended${code === null ? ` by ${signal}` : ` with ${code}`}`),
  );
  let closing: Promise<void> | null = null;
  return {
    send: (text) => void child.stdin.write(`${text}\n`),
    close() {
      closing ??= end(child);
      return closing;
    },
  };
}

function readLines(child: ChildProcess, line: (text: string) => void): void {
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = text.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARS) child.kill("SIGKILL");
    for (const each of lines) if (each.trim() !== "") line(each.endsWith("\r") ? each.slice(0, -1) : each);
  });
}

/** As the specification has it: its input ends, then SIGTERM, then SIGKILL. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const timer = setTimeout(() => child.kill(signal), signal === "SIGTERM" ? END_MS : 2 * END_MS);
    void exited.then(() => clearTimeout(timer));
  }
  await exited;
}
