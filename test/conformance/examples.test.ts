/**
 * The official conformance suite in server mode against every example, in both eras. The rest of its scenarios call tools, prompts and
 * resources of the suite's own fixture server, which no example has: what passes is exactly what is listed, so that neither a scenario
 * that stops passing nor one that begins to goes unnoticed.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExampleProcess, startExample } from "../examples/example-process.ts";
import { verifies } from "../requirements.ts";
import { applying } from "./server-decisions.ts";
import { bad, own, type Results, runSuite } from "./server-suite.ts";

const examples = ["greet.ts", "dice.ts", "notebook.ts", "pomodoro.ts", "weather/index.ts"] as const;
const revisions = ["2025-11-25", "2026-07-28"] as const;

/** What every relay of the kit passes. */
const always: Readonly<Record<(typeof revisions)[number], readonly string[]>> = {
  "2025-11-25": [
    "dns-rebinding-protection",
    "logging-set-level",
    "ping",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "tools-list",
  ],
  "2026-07-28": [
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
    "server-sse-multiple-streams",
    "tools-list",
  ],
};

/** What those that have more than tools pass beside it. */
const more: Readonly<Record<string, Readonly<Record<(typeof revisions)[number], readonly string[]>>>> = {
  "pomodoro.ts": {
    "2025-11-25": ["prompts-list", "resources-list", "resources-subscribe", "resources-unsubscribe"],
    "2026-07-28": ["caching", "prompts-list", "resources-list", "sep-2164-resource-not-found"],
  },
};

/** Scenarios of which single checks can't pass: those that server-decisions.ts names, and no other. */
const inPart = { "2025-11-25": [], "2026-07-28": ["server-stateless", "caching"] } as const;

/** The suite changes lists by a tool of its own fixture server; that a change is told is held by test/kit. */
const needsTrigger = [
  "sep-2575-server-sends-tools-list-changed-on-subscription",
  "sep-2575-server-sends-prompts-list-changed-on-subscription",
];

const all = new Map<string, Results>();
const running: ExampleProcess[] = [];

beforeAll(async () => {
  const waiting = examples.flatMap((example) => revisions.map((revision) => ({ example, revision })));
  const urls = new Map<string, string>();
  for (const example of examples) {
    const one = await startExample(example, { WEATHER_KEY: "none", WEATHER_URL: "http://127.0.0.1:1/" });
    running.push(one);
    urls.set(example, one.url);
  }
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { example, revision } = next;
      const options = ["--requirements", revision];
      const url = urls.get(example) as string;
      all.set(`${example} ${revision}`, await runSuite("conformance-next", { options, url }));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}, 180_000);
afterAll(async () => {
  for (const example of running) await example[Symbol.asyncDispose]();
});

describe.each(examples)("%s", (example) => {
  it.each(revisions)("passes what it offers at %s", verifies("example.conforms"), (revision) => {
    const results = [...(all.get(`${example} ${revision}`) as Results)];
    const passed = results.filter(([, checks]) => checks.some(own) && !checks.some(bad));
    const expected = [...always[revision], ...(more[example]?.[revision] ?? [])];
    expect(passed.map(([scenario]) => scenario).sort()).toEqual(expected.sort());
    const surprises = results
      .filter(([scenario]) => (inPart[revision] as readonly string[]).includes(scenario))
      .flatMap(([scenario, checks]) =>
        checks
          .filter((check) => bad(check) && !(check.id in (applying[scenario] ?? {})))
          .map(({ id }) => id)
          .filter((id) => !needsTrigger.includes(id)),
      );
    expect(surprises).toEqual([]);
    const broken = results.flatMap(([scenario, checks]) =>
      checks.filter((check) => check.id === "wire-schema-valid" && bad(check)).map(() => scenario),
    );
    expect(broken).toEqual([]);
  });
});
