/** Which changes of a tool break whoever calls it, case by case. compatibility-properties.test.ts does it over random ones. */
import { describe, expect, it } from "vitest";
import { compareTools, type JsonObject, type ToolDefinition } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const tool = (inputSchema: JsonObject, more: JsonObject = {}): ToolDefinition => ({
  name: "weather",
  description: "Tells the weather of a city, by its name.",
  inputSchema,
  ...more,
});
const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  ...more,
});

/** `breaks code pointer` and `safe code pointer`. */
function verdicts(before: readonly ToolDefinition[], after: readonly ToolDefinition[]): readonly string[] {
  const { compatible, changes } = compareTools(before, after);
  expect(compatible).toBe(!changes.some(({ breaking }) => breaking));
  return changes.map(({ breaking, code, pointer }) => `${breaking ? "breaks" : "safe"} ${code} ${pointer}`);
}
const inputs = (before: JsonObject, after: JsonObject) => verdicts([tool(before)], [tool(after)]);
const outputs = (before: JsonObject, after: JsonObject) =>
  verdicts([tool({}, { outputSchema: before })], [tool({}, { outputSchema: after })]);

const city = { city: { type: "string" } };

describe("tools", () => {
  it("that went, came and were renamed", verifies("diff.breaks"), () => {
    const other = { name: "tides", description: "Tells the tides of a harbour.", inputSchema: object(city) };
    expect(verdicts([tool(object(city)), other], [tool(object(city))])).toEqual(["breaks tool-removed "]);
    expect(verdicts([other], [other, tool(object(city))])).toEqual(["safe tool-added "]);
    const renamed = { ...tool(object(city)), name: "get_weather" };
    const [change] = compareTools([tool(object(city))], [renamed]).changes;
    expect(change).toMatchObject({
      code: "tool-renamed",
      breaking: true,
      message: "is called get_weather now",
    });
  });

  it("in another order, or with other words, break nobody", verifies("diff.safe"), () => {
    const [a, b] = [{ name: "a" }, { name: "b" }];
    expect(verdicts([a, b], [b, a])).toEqual([]);
    const reworded = {
      ...tool(object({ city: { type: "string", description: "Its name." } })),
      title: "Weather",
    };
    expect(verdicts([tool(object(city))], [reworded])).toEqual([
      "safe text /inputSchema/properties/city/description",
      "safe text /title",
    ]);
  });

  it("that promise no more what they promised break who relied on it", verifies("diff.breaks"), () => {
    const reads = tool({}, { annotations: { readOnlyHint: true } });
    expect(verdicts([reads], [tool({})])).toEqual(["breaks promise /annotations/readOnlyHint"]);
    expect(verdicts([tool({})], [reads])).toEqual(["safe promise /annotations/readOnlyHint"]);
    const mild = tool({}, { annotations: { destructiveHint: false } });
    expect(verdicts([mild], [reads])).toEqual([
      "safe promise /annotations/readOnlyHint",
      "safe text /annotations/destructiveHint",
    ]);
    expect(verdicts([mild], [tool({})])).toEqual(["breaks promise /annotations/destructiveHint"]);
  });
});

describe("arguments", () => {
  const two = { ...city, unit: { enum: ["c", "f"] } };
  const at = "/inputSchema/properties/unit";
  it.each<[name: string, before: JsonObject, after: JsonObject, verdicts: readonly string[]]>([
    ["a new one that is needed", object(city), object(two, ["unit"]), [`breaks required ${at}`]],
    ["a new one that is not", object(city), object(two), [`safe member-added ${at}`]],
    ["one that is gone", object(two), object(city), [`breaks member-removed ${at}`]],
    ["one that is needed now", object(two), object(two, ["unit"]), [`breaks required ${at}`]],
    ["one that is needed no more", object(two, ["unit"]), object(two), [`safe required ${at}`]],
    ["a value less", object(two), object({ ...city, unit: { enum: ["c"] } }), [`breaks values ${at}`]],
    ["a value more", object({ ...city, unit: { enum: ["c"] } }), object(two), [`safe values ${at}`]],
    [
      "other values",
      object({ unit: { enum: ["c", "k"] } }),
      object({ unit: { enum: ["c", "f"] } }),
      [`breaks values ${at}`, `safe values ${at}`],
    ],
    [
      "one value, then any",
      object({ unit: { const: "c" } }),
      object({ unit: { type: "string" } }),
      [`safe values ${at}`],
    ],
    [
      "any, then some",
      object({ unit: { type: "string" } }),
      object({ unit: { enum: ["c"] } }),
      [`breaks values ${at}`],
    ],
    [
      "another type",
      object({ unit: { type: "string" } }),
      object({ unit: { type: "number" } }),
      [`breaks type ${at}/type`, `safe type ${at}/type`],
    ],
    [
      "whole numbers only",
      object({ unit: { type: "number" } }),
      object({ unit: { type: "integer" } }),
      [`breaks type ${at}/type`],
    ],
    [
      "null too",
      object({ unit: { type: "string" } }),
      object({ unit: { anyOf: [{ type: "string" }, { type: "null" }] } }),
      [`safe type ${at}/type`],
    ],
    [
      "null no more",
      object({ unit: { type: ["string", "null"] } }),
      object({ unit: { type: "string" } }),
      [`breaks type ${at}/type`],
    ],
    [
      "a tighter bound",
      object({ unit: { type: "integer", minimum: 1 } }),
      object({ unit: { type: "integer", minimum: 2 } }),
      [`breaks bounds ${at}/minimum`],
    ],
    [
      "a bound left open",
      object({ unit: { type: "integer", minimum: 1 } }),
      object({ unit: { type: "integer", exclusiveMinimum: 1 } }),
      [`breaks bounds ${at}/exclusiveMinimum`],
    ],
    [
      "a longer text",
      object({ unit: { type: "string", maxLength: 3 } }),
      object({ unit: { type: "string", maxLength: 4 } }),
      [`safe bounds ${at}/maxLength`],
    ],
    [
      "another pattern",
      object({ unit: { type: "string", pattern: "^a" } }),
      object({ unit: { type: "string", pattern: "^b" } }),
      [`breaks rule ${at}/pattern`],
    ],
    [
      "a pattern less",
      object({ unit: { type: "string", pattern: "^a" } }),
      object({ unit: { type: "string" } }),
      [`safe rule ${at}/pattern`],
    ],
    [
      "a coarser step",
      object({ unit: { type: "number", multipleOf: 2 } }),
      object({ unit: { type: "number", multipleOf: 4 } }),
      [`breaks rule ${at}/multipleOf`],
    ],
    [
      "a finer step",
      object({ unit: { type: "number", multipleOf: 4 } }),
      object({ unit: { type: "number", multipleOf: 2 } }),
      [`safe rule ${at}/multipleOf`],
    ],
    [
      "items of another type",
      object({ unit: { type: "array", items: { type: "string" } } }),
      object({ unit: { type: "array", items: { type: "number" } } }),
      [`breaks type ${at}/items/type`, `safe type ${at}/items/type`],
    ],
    [
      "closed",
      object(city),
      object(city, [], { additionalProperties: false }),
      ["breaks closed /inputSchema/additionalProperties"],
    ],
    [
      "another default",
      object({ unit: { type: "string", default: "c" } }),
      object({ unit: { type: "string", default: "f" } }),
      [`breaks default ${at}/default`],
    ],
    [
      "within another",
      object({ unit: object(two) }),
      object({ unit: object(two, ["city"]) }),
      [`breaks required ${at}/properties/city`],
    ],
    [
      "a free map, then named",
      object({ unit: { type: "object", additionalProperties: { type: "string" } } }),
      object({ unit: object({ a: { type: "number" } }, [], { additionalProperties: { type: "string" } }) }),
      [`breaks type ${at}/properties/a/type`, `safe type ${at}/properties/a/type`],
    ],
    ["no schema, then one", {}, object(city, ["city"]), ["breaks required /inputSchema/properties/city"]],
  ])("%s", verifies("diff.breaks", "diff.safe"), (_, before, after, expected) => {
    expect(inputs(before, after)).toEqual(expected);
  });

  it("by reference, also to themselves, are followed", verifies("diff.breaks"), () => {
    const tree = (leaf: JsonObject) => ({
      ...object({ root: { $ref: "#/$defs/node" } }),
      $defs: { node: object({ leaf, children: { type: "array", items: { $ref: "#/$defs/node" } } }) },
    });
    expect(inputs(tree({ type: "string" }), tree({ type: "string" }))).toEqual([]);
    expect(inputs(tree({ type: "string" }), tree({ type: ["string", "null"] }))).toEqual([
      "safe type /inputSchema/properties/root/properties/leaf/type",
      "safe text /inputSchema/$defs/node/properties/leaf/type",
    ]);
    expect(inputs(tree({ type: "string" }), tree({ type: "number" }))[0]).toBe(
      "breaks type /inputSchema/properties/root/properties/leaf/type",
    );
    const inline = object({ root: object({ leaf: { type: "string" } }) });
    const named = {
      ...object({ root: { $ref: "#/$defs/n" } }),
      $defs: { n: object({ leaf: { type: "string" } }) },
    };
    expect(compareTools([tool(inline)], [tool(named)]).compatible).toBe(true);
  });

  it("that are too large to compare break", verifies("diff.breaks"), () => {
    const wide = (least: number): JsonObject => {
      const $defs: Record<string, JsonObject> = { n0: { type: "string", minLength: least } };
      for (let level = 0; level < 30; level += 1) {
        const next = { $ref: `#/$defs/n${level}` };
        $defs[`n${level + 1}`] = { anyOf: [object({ a: next }, ["a"]), object({ b: next, c: next }, ["b"])] };
      }
      return { ...object({ x: { $ref: "#/$defs/n30" } }), $defs };
    };
    const { compatible, changes } = compareTools([tool(wide(1))], [tool(wide(2))]);
    expect([compatible, changes.some(({ code }) => code === "too-large")]).toEqual([false, true]);
  });
});

describe("results", () => {
  const answer = object({ ...city, degrees: { type: "number" } }, ["city", "degrees"]);
  const at = "/outputSchema/properties/degrees";
  it.each<[name: string, before: JsonObject, after: JsonObject, verdicts: readonly string[]]>([
    [
      "a member more",
      object(city, ["city"], { additionalProperties: false }),
      { ...answer, additionalProperties: false },
      [`safe member-added ${at}`],
    ],
    ["a member less", answer, object(city, ["city"]), [`breaks member-removed ${at}`]],
    ["one that may be missing", answer, { ...answer, required: ["city"] }, [`breaks required ${at}`]],
    ["one that is always there", { ...answer, required: ["city"] }, answer, [`safe required ${at}`]],
    [
      "another value",
      object({ degrees: { enum: [1] } }),
      object({ degrees: { enum: [1, 2] } }),
      [`breaks values ${at}`],
    ],
    [
      "a value less",
      object({ degrees: { enum: [1, 2] } }),
      object({ degrees: { enum: [1] } }),
      [`safe values ${at}`],
    ],
    [
      "null too",
      object({ degrees: { type: "number" } }),
      object({ degrees: { type: ["number", "null"] } }),
      [`breaks type ${at}/type`],
    ],
    [
      "whole numbers",
      object({ degrees: { type: "number" } }),
      object({ degrees: { type: "integer" } }),
      [`safe type ${at}/type`],
    ],
    [
      "a map, then anything",
      object({ degrees: { type: "object", additionalProperties: { type: "string" } } }),
      object({ degrees: { type: "object" } }),
      [`breaks type ${at}/additionalProperties/type`],
    ],
  ])("%s", verifies("diff.breaks", "diff.safe"), (_, before, after, expected) => {
    expect(outputs(before, after)).toEqual(expected);
  });

  it("with a schema, and without one", verifies("diff.breaks"), () => {
    const [bare, said] = [tool({}), tool({}, { outputSchema: answer })];
    expect(verdicts([said], [bare])).toEqual(["breaks output-removed /outputSchema"]);
    expect(verdicts([bare], [said])).toEqual(["safe output-added /outputSchema"]);
  });
});
