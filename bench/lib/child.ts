/** A module of `processes/` as a process of its own: it sends one message when it is ready, and ends when its channel does. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Child<Ready> extends AsyncDisposable {
  readonly ready: Ready;
  readonly process: ChildProcess;
  /** Sends a message and takes the next one back. */
  ask<Answer>(message: unknown): Promise<Answer>;
  memory(): Memory;
  /** Milliseconds of processor time used so far: what a busy neighbour does not change. */
  cpuMs(): number;
}

/** Bytes. */
export interface Memory {
  /** Resident now. */
  readonly rss: number;
  /** Resident at most so far. */
  readonly peak: number;
  /** Of `rss`, what belongs to the process alone: without mapped files, which the system takes back when it must. */
  readonly own: number;
}

export async function startChild<Ready>(
  module: string,
  args: readonly string[],
  options: { readonly path?: string } = {},
): Promise<Child<Ready>> {
  const file = options.path ?? join(import.meta.dirname, "..", "processes", module);
  const child = fork(file, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`${module} ended with ${String(code)}`);
  });
  failed.catch(() => {});
  const [ready] = (await Promise.race([once(child, "message"), failed])) as [Ready];
  return {
    ready,
    process: child,
    async ask<Answer>(message: unknown): Promise<Answer> {
      const answer = once(child, "message");
      child.send(message as object);
      return ((await Promise.race([answer, failed])) as [Answer])[0];
    },
    memory: () => memoryOf(child.pid as number),
    cpuMs: () => cpuMsOf(child.pid as number),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** From /proc; zeros where there is none. */
export function memoryOf(pid: number): Memory {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const bytes = (key: string) =>
      Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
    return { rss: bytes("VmRSS"), peak: bytes("VmHWM"), own: bytes("RssAnon") };
  } catch {
    return { rss: 0, peak: 0, own: 0 };
  }
}

/** From /proc, where a tick is a hundredth of a second; zero where there is none. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
