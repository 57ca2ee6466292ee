/** What breaks callers, over random schemas and random changes of known direction, and against a validator. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareTools, type JsonObject, type JsonValue, type ToolDefinition } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const tool = (inputSchema: JsonObject, more: JsonObject = {}): ToolDefinition => ({
  name: "weather",
  inputSchema,
  ...more,
});

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
