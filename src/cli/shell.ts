/**
 * What a command works with: streams, environment, global options and the signal of Ctrl-C, read once.
 * Standard output carries answers only; everything said beside them goes to standard error, and not at all with `--json`.
 */
import type { Readable } from "node:stream";
import { OpenMcpError } from "../spec/index.ts";
import { MAX_INPUT_BYTES } from "./limits.ts";
import { printableJson } from "./terminal/printable.ts";
import type { Progress } from "./terminal/progress.ts";
import { createStyle, type Style, usesColour } from "./terminal/style.ts";

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The part of `process` that the command line uses. */
export interface Runtime {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface GlobalOptions {
  readonly catalog: string;
  readonly token?: string;
  readonly transport: "rest" | "mcp";
  readonly json?: boolean;
  readonly color: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
}

export interface Shell {
  readonly options: GlobalOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  /** For standard output. */
  readonly style: Style;
  /** For standard error. */
  readonly noteStyle: Style;
  /** Columns of the terminal that standard output is; Infinity when it is none and COLUMNS is not set. */
  readonly width: number;
  readonly signal: AbortSignal;
  /** Answers, for people. A newline is added. */
  print(text: string): void;
  /** A part of an answer that comes in parts, as it is: whoever writes it made it printable. */
  write(text: string): void;
  /** The answer, for machines. */
  printJson(value: unknown): void;
  /** One of several answers, for machines: JSON on one line. */
  printJsonLine(value: unknown): void;
  /** Something beside the answer. */
  note(text: string): void;
  progress(): Promise<Progress>;
  /** All of standard input, as text. */
  readInput(): Promise<string>;
  /** The streams themselves, for a command whose standard output is a protocol's. */
  readonly streams: Pick<Runtime, "stdin" | "stdout">;
}

export function createShell(
  runtime: Runtime,
  { options, signal }: { readonly options: GlobalOptions; readonly signal: AbortSignal },
): Shell {
  const { stdin, stdout, stderr, env } = runtime;
  const styleFor = (stream: OutputStream): Style =>
    createStyle(usesColour({ wanted: options.color, env, isTerminal: stream.isTTY === true }));
  const noteStyle = styleFor(stderr);
  return {
    options,
    env,
    json: options.json === true,
    style: styleFor(stdout),
    noteStyle,
    width: columns(stdout, env),
    signal,
    print: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    printJson: (value) => void stdout.write(`${printableJson(value)}\n`),
    printJsonLine: (value) => void stdout.write(`${printableJson(value, 0)}\n`),
    note: (text) => {
      if (options.json !== true) stderr.write(`${text}\n`);
    },
    // Widths of text are a large table: loaded for those who draw.
    async progress() {
      const { createProgress } = await import("./terminal/progress.ts");
      return createProgress(stderr, { silent: options.json === true, style: noteStyle });
    },
    readInput: () => readAll(stdin, signal),
    streams: { stdin, stdout },
  };
}

function columns(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): number {
  if (stream.isTTY === true && stream.columns !== undefined && stream.columns > 0) return stream.columns;
  const stated = Number(env.COLUMNS);
  return Number.isInteger(stated) && stated > 0 ? stated : Number.POSITIVE_INFINITY;
}

async function readAll(
  stream: Readable & { readonly isTTY?: boolean },
  signal: AbortSignal,
): Promise<string> {
  if (stream.isTTY === true) {
    throw new OpenMcpError(
      "invalid-input",
      "Standard input is a terminal. Pipe the text in, or name a file.",
    );
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => void stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of stream) {
      const buffer = Buffer.from(part as Uint8Array);
      bytes += buffer.byteLength;
      if (bytes > MAX_INPUT_BYTES) {
        throw new OpenMcpError("too-large", `Standard input is over ${MAX_INPUT_BYTES / 1024 / 1024} MiB.`);
      }
      parts.push(buffer);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  return Buffer.concat(parts).toString("utf8");
}
