/**
 * The official conformance suite in client mode, in both generations, against relay/ (probe.md, "Conformance"). Any check that
 * fails or warns and is not in client-expected-failures.json fails the run; so does an entry there that no longer holds.
 * Not run, because the catalog does none of it: `auth/*` (it holds no credentials), `elicitation-*` and
 * `sep-2322-client-request-state` (it passes such results on to the caller), `sse-retry` (it opens no stream by GET).
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import expectedFailures from "./client-expected-failures.json" with { type: "json" };

interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
}

interface ExpectedFailure {
  readonly suite: string;
  readonly scenario: string;
  readonly version: string;
  readonly check: string;
  readonly reason: string;
}

const expected: readonly ExpectedFailure[] = expectedFailures;
const root = fileURLToPath(new URL("../../", import.meta.url));

const runs: readonly (readonly [suite: string, scenario: string, version: string])[] = [
  ["conformance-stable", "initialize", "2025-11-25"],
  ["conformance-stable", "tools_call", "2025-11-25"],
  ["conformance-next", "initialize", "2025-11-25"],
  ["conformance-next", "tools_call", "2025-11-25"],
  ["conformance-next", "json-schema-2020-12-preservation", "2025-11-25"],
  ["conformance-next", "tools_call", "2026-07-28"],
  ["conformance-next", "request-metadata", "2026-07-28"],
  ["conformance-next", "http-standard-headers", "2026-07-28"],
  ["conformance-next", "http-custom-headers", "2026-07-28"],
  ["conformance-next", "http-invalid-tool-headers", "2026-07-28"],
  ["conformance-next", "json-schema-ref-no-deref", "2026-07-28"],
  ["conformance-next", "json-schema-2020-12-preservation", "2026-07-28"],
];

describe("relay/ as a client of the official suite", () => {
  it.each(runs)("%s: %s at %s", { timeout: 60_000 }, async (suite, scenario, version) => {
    const checks = await run(suite, scenario, version);
    const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    const known = expected.filter(
      (entry) => entry.suite === suite && entry.scenario === scenario && entry.version === version,
    );
    const unexpected = bad.filter(({ id }) => !known.some(({ check }) => check === id));
    const stale = known.filter(({ check }) => !bad.some(({ id }) => id === check));
    expect({ unexpected, stale }).toEqual({ unexpected: [], stale: [] });
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
  });

  it("expects no failure of a scenario that is not run", () => {
    const named = runs.map((one) => one.join(" "));
    expect(
      expected.filter(
        ({ suite, scenario, version }) => !named.includes([suite, scenario, version].join(" ")),
      ),
    ).toEqual([]);
    expect(expected.every(({ reason }) => reason.length > 20)).toBe(true);
  });
});

/** Runs one scenario; the suite's checks, and one of ours that fails when the command did. */
async function run(suite: string, scenario: string, version: string): Promise<readonly Check[]> {
  const out = await mkdtemp(join(tmpdir(), "openmcp-conformance-"));
  try {
    const script = join(root, "node_modules", suite, "dist", "index.js");
    // The suite splits the command at spaces, so it is named relative to the root and node comes from the PATH.
    const args = [script, "client", "--command", "node test/conformance/client.ts", "--scenario", scenario];
    const log = await execute([...args, "--spec-version", version, "-o", out]);
    const [dir] = await readdir(out);
    if (dir === undefined) throw new Error(`the suite left no results:\n${log}`);
    const checks = JSON.parse(await readFile(join(out, dir, "checks.json"), "utf8")) as Check[];
    const failed = /CLIENT (TIMED OUT|EXITED WITH ERROR)/.exec(log);
    return failed === null
      ? checks
      : [...checks, { id: "command", name: "Command", status: "FAILURE", errorMessage: log }];
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function execute(args: readonly string[]): Promise<string> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...process.env, PATH: path } },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
