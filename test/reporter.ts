/**
 * Counts the run for whoever reads only its last line: `N passed, N failed`. What was skipped has a line of its own before.
 * The line goes to the file named by TEST_COUNTS_FILE (`.ci/run` prints it last), else to standard output.
 * A file that failed to load counts as one failure, so that a broken import is never "0 failed".
 */
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const line = countsLine(modules, unhandledErrors.length);
    const file = process.env.TEST_COUNTS_FILE;
    if (file === undefined) process.stdout.write(`\n${line}\n`);
    else writeFileSync(file, `${line}\n`);
  }
}

/** The closing line, after one for what was skipped; `strayErrors` are those that belong to no test. */
export function countsLine(modules: readonly TestModule[], strayErrors: number): string {
  const counts = { passed: 0, failed: strayErrors, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === "pending" ? "failed" : state] += 1;
    }
    counts.failed += module.errors().length;
  }
  const skipped = counts.skipped === 0 ? "" : `${counts.skipped} skipped\n`;
  return `${skipped}${counts.passed} passed, ${counts.failed} failed`;
}
