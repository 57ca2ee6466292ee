/** Which changes of a tool break whoever calls it: by cases, and against a validator over random schemas and random changes of them. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareTools, type JsonObject, type JsonValue, type ToolDefinition } from "../../src/spec/index.ts";
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

// Random schemas, and changes whose direction is known

const scalar = fc.oneof(
  fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 2, max: 6 }) }),
  fc.record({
    type: fc.constant("integer"),
    minimum: fc.integer({ min: -5, max: 0 }),
    maximum: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ type: fc.constant("number") }),
  fc.record({ type: fc.constant("boolean") }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom<JsonValue>("a", "b", "c", 1, 2, null), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
);
const { node } = fc.letrec<{ node: JsonObject; object: JsonObject }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("node"), maxItems: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }) }),
  ),
  object: fc
    .dictionary(fc.constantFrom("p", "q", "r", "s"), tie("node"), { maxKeys: 3 })
    .chain((properties) =>
      fc.record({
        type: fc.constant("object"),
        properties: fc.constant(properties as JsonObject),
        required: fc.subarray(Object.keys(properties)),
        ...{},
      }),
    ),
}));
const root = fc.dictionary(fc.constantFrom("one", "two", "three"), node, { maxKeys: 3 }).chain((properties) =>
  fc.record({
    type: fc.constant("object"),
    properties: fc.constant(properties as JsonObject),
    required: fc.subarray(Object.keys(properties)),
  }),
);

/** One of the places in a schema, by number, changed. */
function changeAt(schema: JsonObject, place: number, change: (node: JsonObject) => JsonObject): JsonObject {
  const count = { left: place };
  const walk = (node: JsonValue): JsonValue => {
    if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
    const here = count.left === 0 ? change(node as JsonObject) : (node as JsonObject);
    count.left -= 1;
    if (here !== node) return here;
    return Object.fromEntries(
      Object.entries(here).map(([key, value]): [string, JsonValue] => {
        if (key === "properties") {
          return [
            key,
            Object.fromEntries(Object.entries(value as JsonObject).map(([name, one]) => [name, walk(one)])),
          ];
        }
        if (key === "anyOf") return [key, (value as JsonValue[]).map(walk)];
        return [key, key === "items" ? walk(value) : value];
      }),
    );
  };
  return walk(schema) as JsonObject;
}

const without = (node: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));

const widenings: readonly ((node: JsonObject) => JsonObject)[] = [
  (node) => without(node, "required"),
  (node) =>
    node.type === "object"
      ? { ...node, properties: { ...(node.properties as JsonObject), fresh: { type: "string" } } }
      : node,
  (node) => without(node, "minimum", "maximum", "maxLength", "maxItems"),
  (node) => (typeof node.maximum === "number" ? { ...node, maximum: node.maximum + 3 } : node),
  (node) => (node.type === "integer" ? { ...node, type: "number" } : node),
  (node) => (Array.isArray(node.enum) ? { ...node, enum: [...node.enum, "more"] } : node),
  (node) =>
    typeof node.type === "string" && node.type !== "object" ? { ...node, type: [node.type, "null"] } : node,
  (node) => (node.type === "object" ? node : { anyOf: [node, { type: "boolean" }] }),
  (node) => ({ ...node, description: "in other words" }),
  (node) =>
    node.type === "object"
      ? {
          ...node,
          properties: Object.fromEntries(
            Object.entries((node.properties ?? {}) as JsonObject).map(([name]) => [name, {}]),
          ),
        }
      : node,
];
const narrowingsOf: readonly ((node: JsonObject) => JsonObject)[] = [
  (node) =>
    node.type === "object" ? { ...node, required: Object.keys(node.properties as JsonObject) } : node,
  (node) => (typeof node.maximum === "number" ? { ...node, maximum: node.maximum - 1 } : node),
  (node) => (node.type === "number" ? { ...node, type: "integer" } : node),
  (node) => (Array.isArray(node.enum) && node.enum.length > 1 ? { ...node, enum: node.enum.slice(1) } : node),
  (node) => (typeof node.maxLength === "number" ? { ...node, maxLength: 1 } : node),
  (node) =>
    Array.isArray(node.anyOf) && node.anyOf.length > 1 ? { ...node, anyOf: node.anyOf.slice(1) } : node,
  (node) => (node.type === "string" ? { ...node, pattern: "^a" } : node),
  (node) => (node.type === "array" ? { ...node, minItems: 1 } : node),
];
const changeOf = (changes: typeof widenings) => fc.tuple(fc.constantFrom(...changes), fc.nat(5));

/** A value of a schema that has nothing but what is described. */
function sampleOf(schema: JsonValue, pick: () => number): JsonValue {
  const node = (typeof schema === "object" && schema !== null ? schema : {}) as JsonObject;
  if (Array.isArray(node.enum)) return node.enum[pick() % node.enum.length] as JsonValue;
  if (Array.isArray(node.anyOf)) return sampleOf(node.anyOf[pick() % node.anyOf.length] as JsonValue, pick);
  const types = [node.type].flat() as string[];
  switch (types[pick() % types.length]) {
    case "string":
      return "abcdef".slice(0, pick() % (1 + ((node.maxLength as number | undefined) ?? 6)));
    case "integer": {
      const [low, high] = [
        (node.minimum as number | undefined) ?? -9,
        (node.maximum as number | undefined) ?? 20,
      ];
      return low + (pick() % Math.max(1, high - low + 1));
    }
    case "number":
      return ((node.minimum as number | undefined) ?? 0) + 0.5;
    case "boolean":
      return pick() % 2 === 0;
    case "null":
      return null;
    case "array": {
      const length = pick() % (1 + ((node.maxItems as number | undefined) ?? 3));
      return Array.from({ length }, () => sampleOf(node.items as JsonValue, pick));
    }
    case "object": {
      const required = (node.required as string[] | undefined) ?? [];
      return Object.fromEntries(
        Object.entries(node.properties as JsonObject)
          .filter(([name]) => required.includes(name) || pick() % 2 === 0)
          .map(([name, one]) => [name, sampleOf(one, pick)]),
      );
    }
    default:
      return "anything";
  }
}

describe("of random tools", () => {
  const runs = { numRuns: 400 };

  it("the same list twice is no change", verifies("diff.empty"), () => {
    fc.assert(
      fc.property(root, root, (input, outputSchema) => {
        const one = tool(input, { outputSchema });
        expect(compareTools([one], [structuredClone(one)])).toEqual({ compatible: true, changes: [] });
      }),
      runs,
    );
  });

  it("a widened input never breaks", verifies("diff.widened"), () => {
    fc.assert(
      fc.property(root, fc.array(changeOf(widenings), { minLength: 1, maxLength: 4 }), (before, changes) => {
        const after = changes.reduce(
          (schema, [change, at]) => changeAt(schema, at, change),
          before as JsonObject,
        );
        expect(
          compareTools([tool(before)], [tool(after)]).changes.filter(({ breaking }) => breaking),
        ).toEqual([]);
      }),
      runs,
    );
  });

  it(
    "an output that gives less never breaks, when it is the input's mirror",
    verifies("diff.widened"),
    () => {
      const fewer = narrowingsOf;
      fc.assert(
        fc.property(root, fc.array(changeOf(fewer), { minLength: 1, maxLength: 3 }), (before, changes) => {
          const after = changes.reduce(
            (schema, [change, at]) => changeAt(schema, at, change),
            before as JsonObject,
          );
          const [was, is] = [tool({}, { outputSchema: before }), tool({}, { outputSchema: after })];
          expect(compareTools([was], [is]).changes.filter(({ breaking }) => breaking)).toEqual([]);
        }),
        runs,
      );
    },
  );

  it("what is called compatible, a validator takes as before", verifies("diff.sound"), () => {
    const ajv = new Ajv2020({ strict: false });
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(
        root,
        fc.array(fc.oneof(changeOf(widenings), changeOf(narrowingsOf)), { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat(1_000)),
        (before, changes, numbers) => {
          const after = changes.reduce(
            (schema, [change, at]) => changeAt(schema, at, change),
            before as JsonObject,
          );
          const valid = ajv.compile(after);
          const { compatible } = compareTools([tool(before)], [tool(after)]);
          if (compatible) taken += 1;
          else refused += 1;
          for (let round = 0; round < 5 && compatible; round += 1) {
            const value = sampleOf(before, () => numbers.next().value as number);
            expect(valid(value), `${JSON.stringify(value)} of ${JSON.stringify(after)}`).toBe(true);
          }
        },
      ),
      runs,
    );
    // Both verdicts are met.
    expect([taken > 20, refused > 20], `${taken} taken, ${refused} refused`).toEqual([true, true]);
  });
});
