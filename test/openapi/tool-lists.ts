/** Random tool lists, as bad as strangers write them: names of every kind, schemas that refer everywhere, values of the wrong form. */
import fc from "fast-check";
import type { OpenApiTool } from "../../src/openapi/index.ts";
import type { JsonObject, JsonValue } from "../../src/spec/index.ts";

const hostileKeys = [
  "$ref",
  "__proto__",
  "constructor",
  "toString",
  "1",
  "0",
  "$id",
  "x-mcp-ref",
  "a/b",
  "a~b",
  "a b",
  "é",
  "",
];

const key = fc.oneof(fc.constantFrom(...hostileKeys, "a", "b", "name"), fc.string({ maxLength: 8 }));

/** By definition, so that `__proto__` is a member. */
const objectOf = (value: fc.Arbitrary<JsonValue>, maxKeys = 4): fc.Arbitrary<JsonObject> =>
  fc
    .uniqueArray(fc.tuple(key, value), { maxLength: maxKeys, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));

const data: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    1.5,
    "",
    "#/x",
    { $ref: "#/nowhere" },
    { $anchor: "a" },
    [],
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  objectOf(fc.constantFrom<JsonValue>(null, "a", 1), 3),
);

const reference = fc.constantFrom(
  "#",
  "",
  "#/$defs/A",
  "#/$defs/B",
  "#/definitions/A",
  "#/properties/a",
  "#/properties/a/items",
  "#/$defs/A/properties/a",
  "#/anyOf/0",
  "#/%24defs/A",
  "#/$defs/a~1b",
  "#/allOf/0",
  "#/custom/inner",
  "#here",
  "#/%",
  "#/components/schemas/CallToolResult",
  "https://elsewhere.example/schema.json#/a",
  "other.json",
);

/** Each keyword with what may stand there; `weight` of all alike, so that odd ones come as often as plain ones. */
const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const inner = tie("schema");
  const keyword: fc.Arbitrary<readonly [string, JsonValue]> = fc.oneof(
    fc.tuple(fc.constantFrom("type"), fc.constantFrom<JsonValue>("object", "array", ["string", "null"], 7)),
    fc.tuple(fc.constantFrom("$ref", "$dynamicRef"), reference),
    fc.tuple(fc.constant("$ref"), reference),
    fc.tuple(
      fc.constantFrom("$id", "$schema"),
      fc.constantFrom("https://a.example/s", "rel", "#frag", "urn:x:y", "urn:x-mcp:t:input"),
    ),
    fc.tuple(
      fc.constantFrom("$anchor", "$dynamicAnchor", "$recursiveAnchor"),
      fc.constantFrom<JsonValue>("here", true),
    ),
    fc.tuple(
      fc.constantFrom(
        "properties",
        "$defs",
        "definitions",
        "patternProperties",
        "dependentSchemas",
        "dependencies",
      ),
      objectOf(inner),
    ),
    fc.tuple(fc.constantFrom("$defs", "definitions"), fc.record({ A: inner, B: inner, "a/b": inner })),
    fc.tuple(
      fc.constantFrom("allOf", "anyOf", "oneOf", "prefixItems", "items"),
      fc.array(inner, { maxLength: 2 }),
    ),
    fc.tuple(
      fc.constantFrom("items", "additionalProperties", "not", "if", "contains", "contentSchema"),
      inner,
    ),
    fc.tuple(fc.constantFrom("const", "default", "examples", "enum", "x-other", "x-mcp-ref"), data),
    fc.tuple(fc.constant("custom"), fc.record({ inner })),
    fc.tuple(
      fc.constant("discriminator"),
      fc.record({
        propertyName: fc.constant("kind"),
        mapping: fc.dictionary(fc.constantFrom("a", "b"), reference),
      }),
    ),
    fc.tuple(fc.constantFrom("properties", "allOf", "items"), data),
  );
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<JsonValue>(true, false, {}, null, { type: "string" }, { $ref: "#" }),
      fc
        .uniqueArray(keyword, { maxLength: 5, selector: ([name]) => name })
        .map((entries) => Object.fromEntries(entries) as JsonValue),
    ),
  };
});

/** Names that are hard somewhere: in a path, as a key, as an identifier, in UTF-8. */
export const hardNames = [
  "t",
  ".",
  "..",
  "%2E",
  "%2e%2e",
  "%252E",
  ".%2E",
  "__proto__",
  "constructor",
  "1",
  "0",
  "",
  " ",
  "a b",
  "a_b",
  "a+b",
  "a/b",
  "a.input",
  "a",
  "{id}",
  "ünïcode",
  "工具",
  "😀",
  "\ud800",
  "\udfff",
  "a\ud83d",
  "x".repeat(128),
  "x".repeat(129),
  `${"x".repeat(129)}y`,
];

const name = fc.oneof(
  fc.constantFrom(...hardNames),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
);

const member: fc.Arbitrary<readonly [string, JsonValue]> = fc.oneof(
  fc.tuple(fc.constantFrom("title", "description"), fc.oneof(fc.string(), data)),
  fc.tuple(fc.constantFrom("inputSchema", "outputSchema"), schema),
  fc.tuple(fc.constantFrom("annotations", "icons", "execution", "_meta"), data),
  fc.tuple(
    fc.constantFrom("strict", "x-mcp-name", "operationId", "name2", "__proto__", "7", "summary", "responses"),
    data,
  ),
);

const tool: fc.Arbitrary<OpenApiTool> = fc
  .tuple(name, fc.uniqueArray(member, { maxLength: 7, selector: ([key]) => key }), fc.nat(7))
  .map(([name, members, at]) => {
    const entries: (readonly [string, JsonValue])[] = [...members];
    entries.splice(Math.min(at, entries.length), 0, ["name", name]);
    return Object.fromEntries(entries) as OpenApiTool;
  });

export const toolLists = fc.uniqueArray(tool, { maxLength: 6, selector: ({ name }) => name });
