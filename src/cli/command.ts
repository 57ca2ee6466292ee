/** What a command file exports, and the table through which commands are found without loading all of them. */
import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/** Does the work of a command and gives the exit code. */
export type Work = (shell: Shell) => Promise<number>;

/** What a command may ask of the program that it is part of. */
export interface Host {
  /** Runs the command's work with a shell made from the global options; its exit code becomes the process's. */
  run(work: Work): Promise<void>;
  /** The program with every command loaded. */
  wholeProgram(): Promise<Command>;
}

export interface CommandModule {
  /** Adds arguments, options, help and the action to a command whose name and summary are set. */
  define(command: Command, host: Host): void;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Heading in the help. */
  readonly group:
    | "Find and call"
    | "Keep a catalog"
    | "Look at a relay"
    | "Build a relay"
    | "Into applications"
    | "This tool";
  /** Has handlers of its own for signals. */
  readonly ownsSignals?: boolean;
  load(): Promise<CommandModule>;
}
