/** Documents are valid by others' word, and what generators make of them compiles: for schemas of every shape, and of real servers. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OpenApiTool, openApiToTools, toolsToOpenApi } from "../../src/openapi/index.ts";
import type { JsonValue } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { compileErrors, complaints, typesOf } from "./judges.ts";
import { hardNames, toolLists } from "./tool-lists.ts";

const info = { name: "test", version: "1.0.0" };

/** Shapes that real writers of JSON Schema give, each of which broke one generator or another when it was copied as it stood. */
const shapes: Readonly<Record<string, JsonValue>> = {
  recursion: {
    type: "object",
    properties: { a: { $ref: "#/$defs/N" } },
    $defs: { N: { type: "object", properties: { n: { $ref: "#/$defs/N" } } } },
  },
  rootIsReference: {
    $ref: "#/$defs/N",
    $defs: { N: { type: "object", properties: { n: { $ref: "#/$defs/N" } } } },
  },
  draft7: {
    $schema: "http://json-schema.org/draft-07/schema#",
    $ref: "#/definitions/N",
    definitions: { N: { type: "object", properties: { n: { $ref: "#/definitions/N" } } } },
  },
  root: { type: "object", properties: { a: { $ref: "#" }, b: { type: "array", items: { $ref: "#" } } } },
  property: {
    type: "object",
    properties: {
      a: { type: "object", properties: { x: { type: "string" } } },
      b: { $ref: "#/properties/a" },
      c: { $ref: "#/properties/a/properties/x" },
    },
  },
  items: {
    type: "object",
    properties: { a: { type: "array", items: { type: "string" } }, b: { $ref: "#/properties/a/items" } },
  },
  branch: {
    type: "object",
    properties: {
      a: { anyOf: [{ type: "string" }, { type: "number" }] },
      b: { $ref: "#/properties/a/anyOf/0" },
    },
  },
  additional: {
    type: "object",
    properties: {
      a: {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: { q: { $ref: "#/properties/a/additionalProperties" } },
        },
      },
    },
  },
  pattern: {
    type: "object",
    patternProperties: { "^a": { type: "object", properties: { z: { $ref: "#/patternProperties/^a" } } } },
  },
  own: {
    type: "object",
    components: { N: { type: "object", properties: { n: { $ref: "#/components/N" } } } },
    properties: { a: { $ref: "#/components/N" } },
  },
  base: {
    type: "object",
    allOf: [{ $ref: "#/$defs/B" }],
    $defs: { B: { type: "object", properties: { b: { type: "number" } } } },
  },
  tagged: {
    oneOf: [{ $ref: "#/$defs/A" }],
    discriminator: { propertyName: "k", mapping: { a: "#/$defs/A" } },
    $defs: { A: { type: "object", properties: { k: { const: "a" } } } },
  },
  taggedProperty: {
    type: "object",
    properties: {
      pet: {
        oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
        discriminator: { propertyName: "kind", mapping: { cat: "#/$defs/Cat", dog: "#/$defs/Dog" } },
      },
    },
    $defs: {
      Cat: { type: "object", properties: { kind: { const: "cat" } } },
      Dog: { type: "object", properties: { kind: { const: "dog" } } },
    },
  },
  oddKeys: {
    type: "object",
    properties: { a: { $ref: "#/$defs/a~1b" }, b: { $ref: "#/$defs/c%20d" } },
    $defs: { "a/b": { type: "string" }, "c d": { type: "number" } },
  },
  prototype: JSON.parse(
    '{"type":"object","properties":{"__proto__":{"$ref":"#/$defs/constructor"}},"$defs":{"constructor":{"type":"string"}}}',
  ),
  dollarRef: { type: "object", properties: { $ref: { type: "string" } } },
  data: {
    type: "object",
    default: { $ref: "#/x" },
    examples: [{ $ref: "#/y" }],
    properties: { a: { const: { $ref: "#/z" } } },
  },
  nullable: {
    type: "object",
    properties: {
      a: { type: ["string", "null"], default: null },
      b: { enum: [null, 1, "a"] },
      c: { const: null },
    },
  },
  comment: {
    type: "object",
    description: "*/ export const evil = 1; /*",
    properties: { a: { type: "string", description: "*/" } },
  },
  broken: { type: "object", properties: { type: "object" } },
  dangling: { type: "object", properties: { a: { $ref: "#/$defs/None" } } },
  yes: true,
  no: false,
  empty: {},
};

/**
 * What the second validator takes for references that are none, and where it drops what stands beside one: it is not asked about these.
 */
const misread = ["dollarRef", "data", "rootIsReference", "draft7"];

const tools: readonly OpenApiTool[] = [
  ...Object.entries(shapes).map(([name, schema]) => ({ name, inputSchema: schema, outputSchema: schema })),
  ...hardNames.map((name) => ({ name, description: name, inputSchema: { type: "object" } })),
];

describe("documents", () => {
  it("are valid to the official schema and to a second validator", verifies("openapi.valid"), async () => {
    const plain = tools.filter(({ name }) => !misread.includes(name));
    for (const pathStyle of ["absolute", "server-relative"] as const) {
      expect(await complaints(JSON.stringify(toolsToOpenApi(info, plain, { pathStyle })))).toEqual([]);
    }
    const lists = fc.sample(toolLists, { numRuns: 60, seed: 1 });
    for (const list of [tools, ...lists]) {
      const text = JSON.stringify(toolsToOpenApi(info, list));
      expect(await complaints(text, { officialOnly: true })).toEqual([]);
    }
  });

  it("that are wrong are seen as such by both", async () => {
    const wrong = JSON.stringify({ openapi: "3.1.0", info: { title: "t" }, paths: { a: 1 } });
    expect((await complaints(wrong)).length).toBeGreaterThan(1);
  });

  it("become types that compile, of every shape and name", verifies("openapi.compiles"), async () => {
    const files: Record<string, string> = {};
    // One a document, so that a failure has a name; and all in one, where names could meet.
    for (const [name, schema] of Object.entries(shapes)) {
      const document = toolsToOpenApi(info, [{ name, inputSchema: schema, outputSchema: schema }]);
      files[`${name}.ts`] = await typesOf(JSON.stringify(document));
    }
    files["all.ts"] = await typesOf(JSON.stringify(toolsToOpenApi(info, tools)));
    // The types are the tools', not `unknown` that takes anything.
    files["uses.ts"] = `import type { operations } from "./draft7.ts";
type Input = operations["draft7"]["requestBody"]["content"]["application/json"];
export const right: Input = { n: { n: { n: {} } } };
// @ts-expect-error
export const wrong: Input = { n: { n: 7 } };
`;
    expect(await compileErrors(files)).toBe("");
  });

  it(
    "of a real server are valid, come back and compile",
    verifies("openapi.valid", "openapi.compiles"),
    async () => {
      const entry = join(
        import.meta.dirname,
        "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
      );
      await using stack = new AsyncDisposableStack();
      const client = stack.adopt(new Client({ name: "test", version: "1.0.0" }), (client) => client.close());
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [entry, "stdio"], stderr: "ignore" }),
      );
      const { tools: listed } = await client.listTools();
      expect(listed.length).toBeGreaterThan(8);
      const text = JSON.stringify(
        toolsToOpenApi(client.getServerVersion() ?? {}, listed as readonly OpenApiTool[]),
      );
      expect(await complaints(text)).toEqual([]);
      expect(JSON.stringify(openApiToTools(JSON.parse(text)))).toBe(JSON.stringify(listed));
      expect(await compileErrors({ "everything.ts": await typesOf(text) })).toBe("");
    },
  );
});
