#!/usr/bin/env node
/**
 * The bin `openmcp`. Starts fast: compiled code is cached between runs, `--version` needs nothing, and every command's
 * code is loaded only when it is that command's turn. What must be set before anything runs is set here. A Node that is
 * too old gets a sentence, so nothing is imported by a name that it lacks before its version is looked at.
 */
import { keepCompiledCode } from "./compile-cache.ts";

/** As `engines` in package.json has it; a test compares. */
const OLDEST = { major: 22, minor: 19 };

keepCompiledCode(process);

// The system's resolver waits in libuv's pool, four threads unless told otherwise: four names whose servers do not answer would
// hold up every look and every call for seconds. 64 is as many as sweep and bulk registration may ask at once. The pool
// starts with its first work and reads the variable then; nothing above gives it any, and a test counts the threads.
process.env.UV_THREADPOOL_SIZE ??= "64";

const given = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  process.stderr.write(
    `✗ openmcp needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and this is ${process.versions.node} (${process.execPath}).\n` +
      "  Install a newer one from https://nodejs.org, or one for this folder: `npm install node@24`, then `npx openmcp`.\n",
  );
  process.exitCode = 2;
} else if (given.length === 1 && (given[0] === "--version" || given[0] === "-V")) {
  const { version } = await import("./version.ts");
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import("./run.ts");
  process.exitCode = await run(given, process);
}
