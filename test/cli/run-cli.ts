/** The command line run in this process with streams that a test holds, and as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type ProcessLike, run } from "../../src/cli/run.ts";

export const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Given: both outputs are terminals of this width. */
  readonly columns?: number;
  /** Ctrl-C, once this was written. */
  readonly interruptAt?: RegExp;
}

/** In this process: fast, and with a terminal where wanted. Environment variables of options need a process. */
export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const signals = new EventEmitter();
  let interrupted = false;
  const stream = (into: string[]) => ({
    write: (text: string | Uint8Array) => {
      // What carries a protocol writes bytes.
      into.push(typeof text === "string" ? text : Buffer.from(text).toString());
      if (interrupted || options.interruptAt?.test(into.join("")) !== true) return;
      interrupted = true;
      setImmediate(() => signals.emit("SIGINT"));
    },
    ...(options.columns === undefined ? {} : { isTTY: true, columns: options.columns }),
  });
  const runtime: ProcessLike = {
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: stream(out),
    stderr: stream(err),
    env: options.env ?? {},
    on: (signal, listener) => signals.on(signal, listener),
    removeListener: (signal, listener) => signals.removeListener(signal, listener),
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  const code = await run(argv, runtime);
  if (signals.eventNames().length > 0) throw new Error("a signal's listener was left behind");
  return { code, stdout: out.join(""), stderr: err.join("") };
}

/** As its own process, with nothing of this environment but what finds Node. */
export function startCli(argv: readonly string[], { env = {} }: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [main, ...argv], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (part: Buffer) => out.push(part));
  child.stderr?.on("data", (part: Buffer) => err.push(part));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("close", (code, signal) => resolve([code, signal])),
  );
  if (code === null) throw new Error(`ended by ${signal}: ${Buffer.concat(err)}`);
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

export function spawnCli(argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = startCli(argv, options);
  child.stdin?.end(options.stdin ?? "");
  return endOf(child);
}
