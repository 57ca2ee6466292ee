/**
 * Over stdio, standard output is the protocol's: one stray line and the client hangs up. The guard keeps the real one for the
 * transport and sends everything else that this process writes there to standard error, with one warning that names the caller. It
 * has to be in place before user code is loaded: `import "openmcp/kit/guard"` as the first import, or `node --import`.
 * What it can't see: a child process that inherits our output, and writes to descriptor 1 from another thread.
 */
import type { Writable } from "node:stream";
import { builtin } from "./builtin.ts";

export interface GuardOptions {
  /** Exit with 1 at the first stray write, in place of a warning. Default: `OPENMCP_STDIO_STRICT=1`. */
  readonly strict?: boolean;
}

export interface StdoutGuard {
  /** The real standard output. */
  readonly output: Writable;
  /** Stray writes so far. */
  readonly strays: number;
  set(options: GuardOptions): void;
}

type Write = typeof process.stdout.write;
type Callback = (error?: Error | null) => void;
// biome-ignore lint/complexity/noBannedTypes: any function, to take a trace from.
type Stand = Function;

const STDOUT = 1;
let installed: StdoutGuard | null = null;

/** Puts the guard in place; the one that is there, where it is. */
export function guardStdout(options: GuardOptions = {}): StdoutGuard {
  if (installed !== null) {
    installed.set(options);
    return installed;
  }
  let strict = options.strict ?? process.env.OPENMCP_STDIO_STRICT === "1";
  let strays = 0;
  const { stdout } = process;
  const write: Write = stdout.write.bind(stdout);
  const { writeSync } = builtin("node:fs");

  /** `from`: the function that was called in place of Node's; who called it is asked. */
  function stray(from: Stand): void {
    strays += 1;
    if (strays > 1) return;
    const trace = { stack: "" };
    Error.captureStackTrace(trace, from);
    const caller = callerOf(trace.stack);
    const cure = strict
      ? "stopping, as strict mode says."
      : "it and all that follow go to standard error; log with console.error.";
    // Synchronous: in strict mode nothing runs after it.
    try {
      writeSync(2, `openmcp: ${caller} wrote to standard output, which is the protocol's: ${cure}\n`);
    } catch {
      // Standard error may be closed; there is nobody to tell then.
    }
    if (strict) process.exit(1);
  }

  const stand = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Callback,
    callback?: Callback,
  ): boolean => {
    stray(stand);
    // Asked for only now: a start that writes nothing there need not wait for it.
    return process.stderr.write(chunk, encoding as BufferEncoding, callback);
  };
  stdout.write = stand as Write;
  divertDescriptor(stray);
  divertConsole(stray);

  const { Writable: Output } = builtin("node:stream");
  const output = new Output({
    decodeStrings: false,
    write(chunk: string | Buffer, encoding, done) {
      // A slow reader is waited for: what is not taken yet would grow without bound.
      const flushed = write(chunk as string, encoding);
      if (flushed) done();
      else stdout.once("drain", () => done());
    },
    final(done) {
      write("", () => done());
    },
  });
  stdout.on("error", (error) => output.destroy(error));

  installed = {
    output,
    get strays() {
      return strays;
    },
    set(more) {
      strict = more.strict ?? strict;
    },
  };
  return installed;
}

/** Loggers write to the descriptor itself. */
function divertDescriptor(stray: (from: Stand) => void): void {
  const fs = builtin("node:fs");
  const patched: Record<string, unknown> = fs as never;
  for (const name of ["write", "writev", "writeSync", "writevSync"] as const) {
    const original = fs[name] as (descriptor: number, ...rest: unknown[]) => unknown;
    const stand = (descriptor: number, ...rest: unknown[]): unknown => {
      if (descriptor !== STDOUT) return original(descriptor, ...rest);
      stray(stand);
      return original(2, ...rest);
    };
    patched[name] = stand;
  }
  builtin("node:module").syncBuiltinESMExports();
}

const WRITERS = [
  ...(["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const),
  ...(["count", "timeEnd", "timeLog"] as const),
] as const;
/** They write nothing, and belong to those that do. */
const KEEPERS = ["groupEnd", "countReset", "time"] as const;

/** Bun and Deno write what the console is told past `process.stdout`. */
function divertConsole(stray: (from: Stand) => void): void {
  const patched: Record<string, unknown> = console as never;
  let made: Console | null = null;
  const diverted = (): Console => {
    made ??= new (builtin("node:console").Console)(process.stderr);
    return made;
  };
  for (const name of WRITERS) {
    const stand = (...given: unknown[]): void => {
      stray(stand);
      (diverted()[name] as (...given: unknown[]) => void)(...given);
    };
    patched[name] = stand;
  }
  for (const name of KEEPERS) patched[name] = (label?: string) => diverted()[name](label);
}

/** The place of the first frame that is not Node's own. */
function callerOf(stack: string): string {
  const line = stack.split("\n").find((frame) => /^\s+at /.test(frame) && !frame.includes("node:")) ?? "";
  const place = /\(?((?:file:\/\/)?[^\s()]+:\d+:\d+)\)?\s*$/.exec(line)?.[1];
  return place === undefined ? "something" : place.replace(/^file:\/\//, "");
}
