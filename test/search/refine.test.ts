/** The second look: neighbours that stand together and names that were asked for raise a tool, and nothing lowers one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestPossible, type Plan, planQuestion, readQuestion, refineScores } from "../../src/search/index.ts";
import type { JsonObject } from "../../src/spec/index.ts";

function planOf(text: string, known: readonly string[]): Promise<Plan> {
  return planQuestion(readQuestion(text), {
    size: 1_000,
    tools: async (terms) => new Map(terms.filter((term) => known.includes(term)).map((term) => [term, 10])),
    startingWith: async () => [],
    resembling: async () => [],
  });
}

const refined = async (plan: Plan, ...tools: JsonObject[]) =>
  refineScores(
    plan,
    tools.map((tool) => ({ tool, score: 1 })),
  ) as [number, number];

describe("a second look", () => {
  it("raises the tool in which neighbouring words are neighbours", async () => {
    const plan = await planOf("exchange rate", ["exchang", "rate"]);
    const [together, apart] = await refined(
      plan,
      { name: "x", description: "The exchange rate." },
      { name: "x", description: "Rate any exchange." },
    );
    expect(together).toBeGreaterThan(apart);
  });

  it("does not take words for neighbours that a dropped word parts", async () => {
    const plan = await planOf("exchange of rate", ["exchang", "rate"]);
    expect(plan.pairs.size).toBe(0);
  });

  it("raises the tool whose name says no more than was asked", async () => {
    const plan = await planOf("create issue", ["creat", "issu"]);
    const [exact, more] = await refined(plan, { name: "create_issue" }, { name: "create_issue_type_scheme" });
    expect(exact).toBeGreaterThan(more);
  });

  it("lowers no tool, whatever a relay sent, and stays below the best possible", async () => {
    const plan = await planOf("create a GitHub issue", ["creat", "github", "git", "hub", "issu"]);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("name", "title", "description"), fc.jsonValue()),
        fc.double({ min: 0, max: plan.best, noNaN: true }),
        (tool, score) => {
          const [after] = refineScores(plan, [{ tool: tool as JsonObject, score }]);
          expect(after).toBeGreaterThanOrEqual(score);
          expect(after).toBeLessThanOrEqual(bestPossible(plan) + 1e-9);
        },
      ),
    );
  });
});
