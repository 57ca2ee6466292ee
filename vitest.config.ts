import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: [process.env.CI ? "dot" : "default", "./test/reporter.ts"],
    // Real sockets and child processes: isolation by process, and no more of them than the machine has cores.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A promise nobody waits for fails the run; so does a test file without tests.
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
  },
});
