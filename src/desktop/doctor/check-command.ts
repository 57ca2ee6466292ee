/**
 * A command as an application starts it: is it absolute and there, does it speak nothing but the protocol, how long does it take, what
 * has it to offer. It is started in a bare environment, from a folder of its own, and ended.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isConnectError } from "../../client/index.ts";
import { connect } from "../../client/stdio/index.ts";
import type { CommandLaunch } from "../entry.ts";
import { isPlainlyRelative, relativePath, SCRIPT } from "../launch-command.ts";
import { DOCTOR_TIMEOUT_MS, EXCERPT_CHARS, SLOW_HANDSHAKE_MS } from "../limits.ts";
import { type Machine, pathsOf } from "../machine.ts";
import { bad, type Check, good, warning } from "./check.ts";
import { checkStdout, type StdoutFault } from "./stdout-check.ts";

export interface CommandCheckOptions {
  readonly machine: Machine;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export async function checkCommand(
  launch: CommandLaunch,
  options: CommandCheckOptions,
): Promise<readonly Check[]> {
  const found = await checkProgram(launch, options.machine);
  if (found.some(({ state }) => state === "bad")) return found;
  return [...found, ...(await checkStart(launch, options))];
}

async function checkProgram({ command, args }: CommandLaunch, machine: Machine): Promise<readonly Check[]> {
  const paths = pathsOf(machine);
  const what = "command";
  if (!paths.isAbsolute(command)) {
    const bare = !/[\\/]/.test(command);
    const detail = `"${command}" is no absolute path`;
    // cmd is wherever Windows is.
    if (machine.platform === "win32" && /^cmd(?:\.exe)?$/i.test(command)) return [good(what, command)];
    return [
      bad(
        what,
        detail,
        bare
          ? `Applications have a thinner PATH than a terminal. Give its path: \`${machine.platform === "win32" ? "where" : "which"} ${command}\` tells it, \`openmcp install\` writes it.`
          : "Applications start commands from a folder of their own. Give the whole path.",
      ),
    ];
  }
  if (!(await machine.exists(command))) {
    return [
      bad(
        what,
        `There is no file ${command}`,
        "Install the program, or correct the path: an update may have moved it.",
      ),
    ];
  }
  if (!(await machine.isExecutable(command))) {
    return [
      bad(
        what,
        `${command} may not be run`,
        "Make it executable: chmod +x. A script may need the program that runs it before it.",
      ),
    ];
  }
  const relative = args
    .map((word) => relativePath(word, machine))
    .find((path) => path !== null && (isPlainlyRelative(path) || SCRIPT.test(path)));
  if (relative !== undefined && relative !== null) {
    return [
      bad(
        "arguments",
        `"${relative}" is a relative path`,
        "Applications start commands from a folder of their own. Give the whole path.",
      ),
    ];
  }
  const script = args.find((word) => paths.isAbsolute(word) && SCRIPT.test(word));
  if (script !== undefined && !(await machine.exists(script))) {
    return [
      bad("arguments", `There is no file ${script}`, "Correct the path; was the project moved or not built?"),
    ];
  }
  return [good(what, command)];
}

interface Started {
  readonly checks: readonly Check[];
  /** It ended at the first request of the newer era. */
  readonly ended: boolean;
}

async function checkStart(launch: CommandLaunch, options: CommandCheckOptions): Promise<readonly Check[]> {
  const first = await start(launch, { ...options, protocolVersion: undefined });
  if (!first.ended) return first.checks;
  const second = await start(launch, { ...options, protocolVersion: "2025-11-25" });
  // What it says when spoken to in the older era is what an application of today sees.
  return second.checks;
}

async function start(
  { command, args, env }: CommandLaunch,
  {
    machine,
    signal,
    timeoutMs = DOCTOR_TIMEOUT_MS,
    protocolVersion,
  }: CommandCheckOptions & { readonly protocolVersion: string | undefined },
): Promise<Started> {
  const child = spawn(command, [...args], {
    env: { ...bareEnvironment(machine), ...env },
    cwd: machine.home,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // A group of its own, so that what it starts is ended with it.
    detached: machine.platform !== "win32",
  });
  const stdout = checkStdout();
  let last = "";
  child.stdout.on("data", (chunk: Buffer) => stdout.take(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    last = (last + chunk.toString("utf8")).slice(-4_096);
  });
  child.stdin.on("error", () => undefined);
  const exited = once(child, "exit").then(([code, by]) => ({
    code: code as number | null,
    by: by as string | null,
  }));
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve));
  exited.catch(() => undefined);
  try {
    await Promise.race([once(child, "spawn").catch(() => undefined), failed]);
    if (child.pid === undefined) {
      const { code } = await failed;
      return {
        ended: false,
        checks: [
          bad(
            "start",
            `It can't be started (${code})`,
            "Its first line (#!) may name a program that a thin PATH has not: put that program's absolute path before the script.",
          ),
        ],
      };
    }
    const began = performance.now();
    try {
      await using client = await connect(
        { output: child.stdout, input: child.stdin },
        { name: "openmcp-doctor", version: "0.1", signal, timeoutMs, protocolVersion },
      );
      const tookMs = Math.round(performance.now() - began);
      const { tools } =
        client.serverCapabilities.tools === undefined
          ? { tools: [] }
          : await client.listTools(undefined, { signal, timeoutMs });
      const { name = "?", version = "" } = client.serverInfo ?? {};
      const handshake = `${name} ${version}`.trim();
      return {
        ended: false,
        checks: [
          ...stdoutChecks(stdout.fault()),
          tookMs > SLOW_HANDSHAKE_MS
            ? warning(
                "handshake",
                `${handshake}, MCP ${client.protocolVersion}, after ${seconds(tookMs)}`,
                "Slow starts look like a hang in an application. A compiled or bundled server, or a pinned version for npx, starts sooner.",
              )
            : good("handshake", `${handshake}, MCP ${client.protocolVersion}, after ${seconds(tookMs)}`),
          tools.length === 0
            ? warning(
                "tools",
                "It lists no tools",
                "It may need a credential in its environment, or has resources and prompts only.",
              )
            : good("tools", `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`),
        ],
      };
    } catch (error) {
      signal.throwIfAborted();
      const ended = isConnectError(error, "connect/closed") && protocolVersion === undefined;
      const exit =
        child.exitCode === null && child.signalCode === null
          ? await settledSoon(exited)
          : { code: child.exitCode, by: child.signalCode };
      stdout.end();
      return { ended, checks: [...stdoutChecks(stdout.fault()), failure(error, { exit, last, timeoutMs })] };
    }
  } finally {
    await end(child, exited);
  }
}

function stdoutChecks(fault: StdoutFault | null): readonly Check[] {
  const what = "standard output";
  if (fault === null) return [good(what, "Only messages")];
  const seen: Readonly<Record<StdoutFault["kind"], string>> = {
    stray: `"${fault.excerpt}" is no message`,
    mark: "It begins with a byte order mark",
    encoding: "It is not UTF-8",
    "carriage-return": "Its lines end with CR LF",
    unended: "Its last message has no line feed",
  };
  const cure =
    "Standard output belongs to the protocol: log to standard error (console.error, a logger's stderr), and silence banners. A relay on OpenMCP's kit has a guard for it.";
  return [
    fault.kind === "carriage-return"
      ? warning(
          what,
          seen[fault.kind],
          "End messages with a line feed alone; some clients take the other for a part of the message.",
        )
      : bad(what, seen[fault.kind], cure),
  ];
}

/** It did answer; that it ended when it was let go of is no wonder. */
const SAID = ["connect/initialize", "connect/decode", "connect/version", "remote", "decode"] as const;

function failure(
  error: unknown,
  {
    exit,
    last,
    timeoutMs,
  }: {
    readonly exit: { readonly code: number | null; readonly by: string | null } | null;
    readonly last: string;
    readonly timeoutMs: number;
  },
): Check {
  const told = last.split("\n").filter((line) => !/^(?:\s*at |Node\.js v|\s*[{}^]?\s*$)/.test(line));
  const words = told.at(-1)?.trim().slice(0, EXCERPT_CHARS) ?? "";
  const said = words === "" ? "" : `; its last words: "${words}"`;
  if (isConnectError(error, "connect/timeout")) {
    return bad(
      "handshake",
      `No answer within ${seconds(timeoutMs)}${said}`,
      "Start it by hand and see what it waits for: a login, a download, a question. Slow virtual machines need a compiled server.",
    );
  }
  if (exit !== null && !SAID.some((stage) => isConnectError(error, stage))) {
    return bad(
      "handshake",
      `It ended before it answered (${exit.by ?? `exit code ${exit.code}`})${said}`,
      /cannot find module|no module named|not found/i.test(last)
        ? "Something that it needs is not installed where it looks. Install its dependencies, or give the whole path."
        : "An application gives it a bare environment: variables that it needs belong into the entry's env (--env K=V).",
    );
  }
  return bad(
    "handshake",
    error instanceof Error ? error.message : String(error),
    "It is no MCP server over stdio, or a broken one: does it need an argument such as `stdio`?",
  );
}

/** What a graphical session has; no profile of a shell was read. */
function bareEnvironment({ platform, env, home }: Machine): Record<string, string> {
  const kept =
    platform === "win32"
      ? [
          "APPDATA",
          "COMSPEC",
          "ComSpec",
          "HOMEDRIVE",
          "HOMEPATH",
          "LOCALAPPDATA",
          "Path",
          "PATH",
          "PATHEXT",
          "PROGRAMFILES",
          "SYSTEMDRIVE",
          "SYSTEMROOT",
          "SystemRoot",
          "TEMP",
          "TMP",
          "USERNAME",
          "USERPROFILE",
          "windir",
        ]
      : ["LANG", "LOGNAME", "SHELL", "TMPDIR", "USER"];
  const values = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const path: Record<string, string> =
    platform === "win32" ? {} : { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", HOME: home };
  return { ...Object.fromEntries(values), ...path };
}

async function settledSoon<T>(promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, 300, null);
  });
  const value = await Promise.race([promise.catch(() => null), late]);
  clearTimeout(timer);
  return value;
}

async function end(child: ReturnType<typeof spawn>, exited: Promise<unknown>): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if ((await settledSoon(exited)) !== null) break;
    child.kill(signal);
  }
  await settledSoon(exited);
  endGroup(child.pid);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** What the server started and left behind: npx and shells do. */
function endGroup(pid: number): void {
  if (process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
