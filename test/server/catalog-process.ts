/** `openmcp serve` as a process of its own, on a free port, for tests that end it the hard way. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface CatalogProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** What it wrote so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Bytes: the most memory that was resident so far (Linux; 0 elsewhere). */
  peakMemory(): number;
}

const root = join(import.meta.dirname, "..", "..");

/** Resolves when the summary was printed. `script` in place of `openmcp serve` must print a line with its URL. */
export async function startCatalogProcess(
  flags: readonly string[],
  script: readonly string[] = [join(root, "src", "cli", "main.ts"), "serve", "--port", "0"],
): Promise<CatalogProcess> {
  const child = spawn(process.execPath, [...script, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  const output = { stdout: "", stderr: "" };
  const ended = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output.stdout += chunk;
      const found = /(http:\/\/127\.0\.0\.1:\d+)\s/.exec(output.stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${output.stdout}${output.stderr}`)));
  });
  return {
    url,
    pid: child.pid as number,
    output,
    kill: (signal) => void child.kill(signal),
    ended,
    peakMemory: () => peakMemoryOf(child),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function peakMemoryOf(child: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
