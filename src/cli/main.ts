#!/usr/bin/env node
/**
 * The bin `openmcp`. Starts fast: compiled code is cached between runs, `--version` needs nothing, and every command's
 * code is loaded only when it is that command's turn.
 */
import { enableCompileCache } from "node:module";

enableCompileCache();

const given = process.argv.slice(2);
if (given.length === 1 && (given[0] === "--version" || given[0] === "-V")) {
  const { version } = await import("./version.ts");
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import("./run.ts");
  process.exitCode = await run(given, process);
}
