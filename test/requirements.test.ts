/**
 * Every statement in scope is proved by a test that says so, and no test claims one that does not exist.
 * Claims are read from the test files' text, so that a run of one file does not need the others; a skipped test is
 * refused by the linter.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { issuesInScope, type RequirementId, requirements } from "./requirements.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Ids named in `verifies("…", "…")` calls, each with the files that name it. */
async function claims(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".test.ts") || path === "requirements.test.ts") continue;
    const text = await readFile(join(folder, path), "utf8");
    for (const [, list = ""] of text.matchAll(/\bverifies\(([^)]*)\)/g)) {
      for (const [, id = ""] of list.matchAll(/"([^"]*)"/g)) found.set(id, [...(found.get(id) ?? []), path]);
    }
  }
  return found;
}

describe("the requirements", () => {
  it("are claimed by their names only", async () => {
    const unknown = [...(await claims())].filter(([id]) => !Object.hasOwn(requirements, id));
    expect(unknown).toEqual([]);
  });

  it("in scope are each proved by a test", async () => {
    const claimed = await claims();
    const unproved = (Object.keys(requirements) as RequirementId[]).filter(
      (id) => issuesInScope.has(requirements[id].issue) && !claimed.has(id),
    );
    expect(unproved).toEqual([]);
  });

  it("are each said once", () => {
    const statements = Object.values(requirements).map(({ source, statement }) => `${source}: ${statement}`);
    expect(new Set(statements).size).toBe(statements.length);
  });
});
