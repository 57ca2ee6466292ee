/** Failures on standard error, where an author looks who gave no logger: an answer of 500 names no cause. All else is silent. */
import { type Logger, silentLogger } from "../spec/index.ts";

export const consoleLogger: Logger = {
  ...silentLogger,
  // biome-ignore lint/suspicious/noConsole: every runtime has it, and over stdio it leads to standard error.
  error: (fields, message) => console.error(`openmcp: ${message}`, ...Object.values(fields)),
};
