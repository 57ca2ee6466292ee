/**
 * The official conformance suite in server mode against the catalog's `/mcp`, in both generations that probe.md names and
 * every revision they know. server-decisions.ts says which scenarios apply and what may fail, with reasons.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CatalogFixture,
  openCatalog,
  type ServedCatalog,
  serveDoors,
} from "../doors/catalog-fixture.ts";
import { applying, notApplying } from "./server-decisions.ts";
import { bad, own, type Results, runSuite } from "./server-suite.ts";

const runs = [
  ["0.1.16 at 2025-06-18", "conformance-stable", ["--suite", "all", "--spec-version", "2025-06-18"]],
  ["0.1.16 at 2025-11-25", "conformance-stable", ["--suite", "all", "--spec-version", "2025-11-25"]],
  ["0.2.0-alpha.12 at 2025-11-25", "conformance-next", ["--requirements", "2025-11-25"]],
  ["0.2.0-alpha.12 at 2026-07-28", "conformance-next", ["--requirements", "2026-07-28"]],
] as const;

const all = new Map<string, Results>();
let catalog: CatalogFixture;
let served: ServedCatalog;

beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.list("https://relay.example/mcp");
  served = await serveDoors(catalog.context);
  for (const [name, suite, options] of runs)
    all.set(name, await runSuite(suite, { options, url: `${served.url}/mcp` }));
}, 120_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

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
