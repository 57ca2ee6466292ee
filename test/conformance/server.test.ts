/**
 * The official conformance suite in server mode against the catalog's `/mcp`, in both generations that probe.md names and
 * every revision they know. server-decisions.ts says which scenarios apply and what may fail, with reasons.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CatalogFixture,
  openCatalog,
  type ServedCatalog,
  serveDoors,
} from "../doors/catalog-fixture.ts";
import { applying, notApplying } from "./server-decisions.ts";

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
}

/** Scenario -> its checks. */
type Results = ReadonlyMap<string, readonly Check[]>;

const runs = [
  ["0.1.16 at 2025-06-18", "conformance-stable", ["--suite", "all", "--spec-version", "2025-06-18"]],
  ["0.1.16 at 2025-11-25", "conformance-stable", ["--suite", "all", "--spec-version", "2025-11-25"]],
  ["0.2.0-alpha.12 at 2025-11-25", "conformance-next", ["--requirements", "2025-11-25"]],
  ["0.2.0-alpha.12 at 2026-07-28", "conformance-next", ["--requirements", "2026-07-28"]],
] as const;

const root = fileURLToPath(new URL("../../", import.meta.url));
const all = new Map<string, Results>();
let catalog: CatalogFixture;
let served: ServedCatalog;

beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.list("https://relay.example/mcp");
  served = await serveDoors(catalog.context);
  for (const [name, suite, options] of runs) all.set(name, await runSuite(suite, options));
}, 120_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

async function runSuite(suite: string, options: readonly string[]): Promise<Results> {
  const out = await mkdtemp(join(tmpdir(), "openmcp-conformance-"));
  try {
    const main = join(root, "node_modules", suite, "dist/index.js");
    const command = [main, "server", "--url", `${served.url}/mcp`, ...options, "-o", out];
    // Its exit code only says that something failed; what failed is in the files.
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, command, { timeout: 100_000 }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
    const results = new Map<string, readonly Check[]>();
    for (const folder of await readdir(out)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(folder)?.[1];
      if (scenario === undefined) throw new Error(`not a result of a scenario: ${folder}`);
      results.set(scenario, JSON.parse(await readFile(join(out, folder, "checks.json"), "utf8")));
    }
    if (results.size === 0) throw new Error(`${suite} ran nothing: ${output}`);
    return results;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

const bad = (check: Check) => check.status === "FAILURE" || check.status === "WARNING";
/** A success of the scenario's own, not the suite's look at every message's schema. */
const own = (check: Check) => check.status === "SUCCESS" && check.id !== "wire-schema-valid";

describe.each(runs.map(([name]) => [name] as const))("%s", (name) => {
  test("every scenario is decided", () => {
    const scenarios = [...(all.get(name) as Results).keys()];
    expect(scenarios.filter((scenario) => !(scenario in applying) && !(scenario in notApplying))).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(20);
  });

  test("what applies passes, but for what is expected to fail", () => {
    const results = all.get(name) as Results;
    const surprises = [...results]
      .filter(([scenario]) => scenario in applying)
      .flatMap(([scenario, checks]) =>
        checks
          .filter((check) => bad(check) && !(check.id in (applying[scenario] ?? {})))
          .map((check) => `${scenario}: ${check.id}: ${check.errorMessage ?? check.status}`),
      );
    expect(surprises).toEqual([]);
    expect(
      [...results].filter(([scenario, checks]) => scenario in applying && checks.some(own)).length,
    ).toBeGreaterThan(2);
  });

  test("what does not apply has not come to pass", () => {
    const passed = [...(all.get(name) as Results)]
      .filter(([scenario, checks]) => scenario in notApplying && checks.some(own) && !checks.some(bad))
      .map(([scenario]) => scenario);
    expect(passed).toEqual([]);
  });

  test("no message of ours breaks the schema of its revision, in any scenario", () => {
    const broken = [...(all.get(name) as Results)].flatMap(([scenario, checks]) =>
      checks.filter((check) => check.id === "wire-schema-valid" && bad(check)).map(() => scenario),
    );
    expect(broken).toEqual([]);
  });
});

describe("over all runs", () => {
  test("each scenario that applies passed with something of its own somewhere", () => {
    const proved = new Set(
      [...all.values()].flatMap((results) =>
        [...results].filter(([, checks]) => checks.some(own)).map(([scenario]) => scenario),
      ),
    );
    expect(Object.keys(applying).filter((scenario) => !proved.has(scenario))).toEqual([]);
  });

  test("no expected failure is stale", () => {
    const failing = new Set(
      [...all.values()].flatMap((results) =>
        [...results].flatMap(([scenario, checks]) =>
          checks.filter(bad).map((check) => `${scenario}: ${check.id}`),
        ),
      ),
    );
    const expected = Object.entries(applying).flatMap(([scenario, checks]) =>
      Object.keys(checks).map((check) => `${scenario}: ${check}`),
    );
    expect(expected.filter((entry) => !failing.has(entry))).toEqual([]);
  });

  test("no decision is about a scenario that the suites don't have", () => {
    const known = new Set([...all.values()].flatMap((results) => [...results.keys()]));
    expect(
      [...Object.keys(applying), ...Object.keys(notApplying)].filter((scenario) => !known.has(scenario)),
    ).toEqual([]);
  });
});
