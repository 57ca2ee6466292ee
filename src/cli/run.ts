/**
 * One run of the command line: signals, broken pipes, the program, and errors as text or JSON with their exit code.
 * It never calls `process.exit` for an ordinary end, so that what was written is written out.
 */
import { CommanderError } from "commander";
import { commands } from "./commands.ts";
import { exitCodes } from "./exit-code.ts";
import { presentFailure } from "./failure.ts";
import { createProgram, invokedCommand } from "./program.ts";
import type { Runtime } from "./shell.ts";
import { printableJson } from "./terminal/printable.ts";
import { createStyle, usesColour } from "./terminal/style.ts";

export interface ProcessLike extends Runtime {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  removeListener(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): never;
}

/** As shells count them: 128 and the signal's number. The reason of an aborted run is one of these. */
const signalCodes = { SIGINT: exitCodes.interrupted, SIGTERM: 143 } as const;

/** The exit code of `openmcp ...argv`. */
export async function run(argv: readonly string[], runtime: ProcessLike): Promise<number> {
  quietBrokenPipes(runtime);
  const name = invokedCommand(argv);
  // The options may be what fails, so these two are read from the bare words.
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const colour = !words.includes("--no-color");
  const stop = new AbortController();
  const known = commands.find((command) => command.name === name);
  const unhook = known?.ownsSignals === true ? () => {} : onSignals(runtime, stop);
  let code: number = exitCodes.ok;
  try {
    const program = await createProgram({
      runtime,
      signal: stop.signal,
      colour,
      load: name,
      onExitCode: (given) => {
        code = given;
      },
    });
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...asked(argv, name)], { from: "user" });
    return stop.signal.aborted ? stop.signal.reason : code;
  } catch (error) {
    // Help and --version end the parsing by an error of code 0; their text is written already.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (stop.signal.aborted) return stop.signal.reason;
    const failure = presentFailure(error, {
      style: createStyle(
        usesColour({ wanted: colour, env: runtime.env, isTerminal: runtime.stderr.isTTY === true }),
      ),
      command: known?.name,
    });
    const text = words.includes("--json") ? printableJson(failure.json) : failure.text;
    runtime.stderr.write(`${text}\n`);
    return failure.exitCode;
  } finally {
    unhook();
  }
}

/** Of `help x` only x where there is no such command: then it is refused by its name, with what comes near. */
function asked(argv: readonly string[], name: string | undefined): readonly string[] {
  const isKnown = name === undefined || commands.some((command) => command.name === name);
  return isKnown ? argv : argv.filter((word) => word !== "help");
}

/** The first signal lets the command end in order, the second ends at once. */
function onSignals(runtime: ProcessLike, stop: AbortController): () => void {
  const removers = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const listener = (): void => {
      if (stop.signal.aborted) runtime.exit(signalCodes[signal]);
      stop.abort(signalCodes[signal]);
    };
    runtime.on(signal, listener);
    return () => runtime.removeListener(signal, listener);
  });
  return () => {
    for (const remove of removers) remove();
  };
}

/**
 * Whoever reads our output may stop reading (`| head`): that is no failure, and there is nobody to tell. What else keeps it from
 * being written (a full disk) is said where that is still possible.
 */
function quietBrokenPipes(runtime: ProcessLike): void {
  for (const stream of [runtime.stdout, runtime.stderr]) {
    const emitter = stream as unknown as { on?: (event: string, listener: (error: Error) => void) => void };
    emitter.on?.("error", (error) => {
      if ((error as NodeJS.ErrnoException).code === "EPIPE") runtime.exit(exitCodes.ok);
      if (stream !== runtime.stderr)
        runtime.stderr.write(`✗ The output can't be written: ${error.message}.\n`);
      runtime.exit(exitCodes.later);
    });
  }
}
