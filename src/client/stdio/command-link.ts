/**
 * The SDK's stdio transport on a process of its own, with what connect.md asks beyond it: how the process ended, the end of its
 * standard error, the first stray line on its standard output, and an end that leaves nothing behind.
 */
import type { ChildProcess } from "node:child_process";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { EXCERPT_CHARS, PROCESS_END_MS, STDERR_TAIL_BYTES } from "../limits.ts";
import { type Link, tapNotifications } from "../session/link.ts";
import { type CommandTarget, labelOf, spawnError } from "./command-target.ts";

/** What becomes of the server's standard error; its end is in errors, unless it is inherited. */
export type StderrChoice = "pipe" | "inherit" | ((text: string) => void);

export interface CommandLink extends Link {
  readonly transport: StdioClientTransport;
  readonly pid: number | null;
}

/** Starts the process. Rejects with a `ConnectError` when it can't be. */
export async function commandLink(
  target: CommandTarget,
  { stderr = "pipe" }: { readonly stderr?: StderrChoice | undefined } = {},
): Promise<CommandLink> {
  let exit: { readonly code: number | null; readonly signal: string | null } | null = null;
  let tail = "";
  let stray: string | null = null;
  let closing: Promise<void> | undefined;

  const transport = new CommandTransport({
    command: target.command,
    args: [...(target.args ?? [])],
    ...(target.env === undefined ? {} : { env: { ...target.env } }),
    ...(target.cwd === undefined ? {} : { cwd: target.cwd }),
    stderr: stderr === "inherit" ? "inherit" : "pipe",
  });
  transport.stderr?.on("data", (chunk: Buffer) => {
    const text = chunk.toString("utf8");
    tail = (tail + text).slice(-STDERR_TAIL_BYTES);
    if (typeof stderr === "function") stderr(text);
  });
  try {
    await transport.start();
  } catch (error) {
    throw spawnError(error, target);
  }
  const child = transport.child;
  child?.once("exit", (code, signal) => {
    exit = { code, signal };
  });
  child?.stdout?.on(
    "data",
    strayFinder((line) => (stray ??= line)),
  );
  transport.startOnce();

  const link: CommandLink = {
    kind: "command",
    label: labelOf(target),
    transport,
    onNotification: null,
    get pid() {
      return transport.pid;
    },
    settled: () => Promise.resolve(),
    evidence: () => ({ exit: closing === undefined ? exit : null, stderr: tail, stray }),
    close: () => {
      closing ??= end(transport, child);
      return closing;
    },
  };
  tapNotifications(transport, (message) => link.onNotification?.(message));
  return link;
}

/**
 * For a subclass the SDK looks for the era in this process and not in a second one, which would be started for it alone, unseen, and
 * could not be ended.
 */
class CommandTransport extends StdioClientTransport {
  /** The process, which the SDK keeps to itself; how it ended is known to nobody else. */
  get child(): ChildProcess | undefined {
    return (this as unknown as { readonly _process?: ChildProcess })._process;
  }

  /** The process runs: the next `start()`, which is the client's, finds that done. */
  startOnce(): void {
    const start = this.start;
    this.start = async () => {
      this.start = start;
    };
  }
}

/** The SDK ends standard input, waits, sends SIGTERM, waits, sends SIGKILL; it does not wait for the end, nor let go of the pipes. */
async function end(transport: CommandTransport, child: ChildProcess | undefined): Promise<void> {
  await transport.close().catch(() => undefined);
  if (child === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      new Promise((resolve) => child.once("exit", resolve)),
      new Promise((resolve) => {
        timer = setTimeout(resolve, PROCESS_END_MS);
      }),
    ]);
    clearTimeout(timer);
  }
  // A grandchild may hold its ends; ours would keep this process alive.
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.stdin?.destroy();
}

/** Looks at the beginning of each line: a message begins with a brace. */
function strayFinder(found: (line: string) => void): (chunk: Buffer) => void {
  let beginning = "";
  let judged = false;
  return (chunk) => {
    for (const [index, part] of chunk.toString("utf8").split("\n").entries()) {
      if (index > 0) {
        if (!judged) judge();
        beginning = "";
        judged = false;
      }
      if (judged) continue;
      beginning = (beginning + part).slice(0, EXCERPT_CHARS);
      if (beginning.length === EXCERPT_CHARS) judge();
    }
  };

  function judge(): void {
    judged = true;
    const text = beginning.trim();
    if (text !== "" && !text.startsWith("{") && !text.startsWith("[")) found(text);
  }
}
