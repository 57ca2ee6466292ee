/** Where each part of a tool stands in the document, and what of it leads where. */
import { describe, expect, it } from "vitest";
import {
  type OpenApiTool,
  openApiToTools,
  type ToolsToOpenApiOptions,
  toolsToOpenApi,
} from "../../src/openapi/index.ts";
import type { JsonObject, JsonValue } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const info = { title: "my-server", version: "1.0.0" };

// biome-ignore lint/suspicious/noExplicitAny: a document read as whoever reads it does.
const documentOf = (tools: readonly OpenApiTool[], options?: ToolsToOpenApiOptions): any =>
  toolsToOpenApi(info, tools, options);

/** The operation's schema of a tool that has this input, and the document's component schemas; it comes back the same. */
function placed(inputSchema: JsonValue, name = "t") {
  const tools = [{ name, inputSchema }];
  const document = documentOf(tools);
  expect(JSON.stringify(openApiToTools(document))).toBe(JSON.stringify(tools));
  const [item] = Object.values(document.paths) as { post: JsonObject }[];
  const { CallToolResult: _, AnyArguments: __, ...schemas } = document.components.schemas;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const schema = (item as any).post.requestBody.content["application/json"].schema;
  return { schema, schemas, post: item?.post as JsonObject };
}

const greet = {
  name: "greet",
  description: "Greet someone by name",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  outputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
} as const;

describe("the document", () => {
  it("of the quick start's tool is the one that is written down", verifies("openapi.mapping"), () => {
    const { components, ...document } = documentOf([greet], { protocolVersion: "2025-11-25" });
    const mcp = { endpoint: "/mcp", protocolVersion: "2025-11-25", transport: "streamable-http" };
    const json = (schema: object) => ({ content: { "application/json": { schema } } });
    expect(document).toEqual({
      openapi: "3.1.0",
      info: { ...info, "x-mcp": mcp },
      servers: [{ url: "/" }],
      "x-mcp": mcp,
      paths: {
        "/mcp/tools/greet": {
          post: {
            operationId: "greet",
            description: "Greet someone by name",
            "x-mcp-transport": "json-rpc",
            requestBody: { required: true, ...json(greet.inputSchema) },
            responses: {
              200: { description: "Tool result", ...json(greet.outputSchema) },
              default: { $ref: "#/components/responses/JsonRpcError" },
            },
          },
        },
      },
    });
    expect(Object.keys(components.schemas)).toEqual(["CallToolResult", "AnyArguments"]);
    expect(components.responses.JsonRpcError.content["application/json"].schema.required).toContain("error");
  });

  it.each<[string, ToolsToOpenApiOptions, string, string]>([
    ["the default", {}, "/", "/mcp/tools/greet"],
    ["a mount", { endpoint: "/a/b/mcp" }, "/a/b", "/mcp/tools/greet"],
    ["another name", { endpoint: "/a/rpc/" }, "/a", "/rpc/tools/greet"],
    ["the root", { endpoint: "/" }, "/", "/tools/greet"],
    ["a URL", { endpoint: "https://h.example/a/mcp?key=1" }, "https://h.example/a", "/mcp/tools/greet"],
    ["a URL's root", { endpoint: "https://h.example" }, "https://h.example", "/tools/greet"],
    ["braces", { endpoint: "/{a}/m{c}p" }, "/%7Ba%7D", "/m%7Bc%7Dp/tools/greet"],
    ["from the endpoint", { endpoint: "/a/mcp", pathStyle: "server-relative" }, "/a/mcp", "/tools/greet"],
    [
      "from an endpoint's URL",
      { endpoint: "https://h.example/mcp", pathStyle: "server-relative" },
      "https://h.example/mcp",
      "/tools/greet",
    ],
  ])(
    "its server and paths follow from the endpoint: %s",
    verifies("openapi.paths"),
    (_title, options, url, path) => {
      const document = documentOf([greet], options);
      expect(document.servers).toEqual([{ url }]);
      expect(Object.keys(document.paths)).toEqual([path]);
      expect(document["x-mcp"].endpoint).toBe(options.endpoint ?? "/mcp");
    },
  );

  it("takes servers that are given, and never has an empty title or version", () => {
    const servers = [{ url: "https://proxy.example" }];
    expect(documentOf([], { servers }).servers).toEqual(servers);
    const named = toolsToOpenApi(
      { name: "n", title: "", version: "", websiteUrl: "https://w.example", "x-a": 1 },
      [],
    );
    expect(named.info).toMatchObject({ title: "n", version: "0.0.0", "x-a": 1 });
    expect(named.info).not.toHaveProperty("websiteUrl");
    expect((toolsToOpenApi({}, []).info as JsonObject).title).toBe("MCP server");
  });

  it("has the tools in their order, each name once", verifies("openapi.names"), () => {
    const names = ["zebra", "10", "9", "__proto__", "a"];
    const tools = names.map((name) => ({ name }));
    expect(openApiToTools(documentOf(tools)).map(({ name }) => name)).toEqual(names);
    expect(() => documentOf([{ name: "a" }, { name: "b" }, { name: "a" }])).toThrow(
      'two tools are named "a"',
    );
  });

  it(
    "tells all of a tool, absence as absence, and leaves out what it is told to",
    verifies("openapi.mapping"),
    () => {
      const whole: OpenApiTool = {
        name: "whole",
        title: "Whole",
        description: "",
        icons: [{ src: "data:," }],
        annotations: { readOnlyHint: true },
        execution: { taskSupport: "optional" },
        _meta: { "a/b": null },
        inputSchema: true,
        strict: true,
      };
      const post = documentOf([whole]).paths["/mcp/tools/whole"].post;
      expect(post).toMatchObject({
        summary: "Whole",
        description: "",
        "x-mcp-icons": whole.icons,
        "x-mcp-annotations": whole.annotations,
        "x-mcp-execution": whole.execution,
        "x-mcp-meta": whole._meta,
        "x-mcp-tool-strict": true,
      });
      const include = { annotations: false, icons: false, execution: false, meta: false };
      const { icons: _i, annotations: _a, execution: _e, _meta: _m, ...rest } = whole;
      expect(openApiToTools(documentOf([whole], { include }))).toEqual([rest]);
      const bare = documentOf([{ name: "bare", annotations: {} }]).paths["/mcp/tools/bare"].post;
      expect(Object.keys(bare)).toEqual([
        "operationId",
        "x-mcp-annotations",
        "x-mcp-transport",
        "requestBody",
        "responses",
      ]);
      expect(bare.requestBody.content["application/json"].schema.$ref).toBe(
        "#/components/schemas/AnyArguments",
      );
      expect(bare.responses[200].content["application/json"].schema.$ref).toBe(
        "#/components/schemas/CallToolResult",
      );
    },
  );

  it(
    "of callable operations says so, with problems for errors and what gets one in",
    verifies("openapi.callable"),
    () => {
      const scheme = { type: "apiKey", in: "header", name: "X-Key" };
      const document = documentOf([greet], {
        http: {
          server: "https://c.example",
          toolsPath: "/v1/relays/r/tools",
          problem: { title: "P" },
          security: { schemes: { key: scheme }, requirements: ({ name }) => [{ key: [name] }] },
        },
      });
      expect(document.servers).toEqual([{ url: "https://c.example" }]);
      const { post } = document.paths["/v1/relays/r/tools/greet"];
      expect(post).toMatchObject({ "x-mcp-transport": "http", security: [{ key: ["greet"] }] });
      expect(post.responses.default).toEqual({ $ref: "#/components/responses/Problem" });
      expect(document.components.responses.Problem.content).toEqual({
        "application/problem+json": { schema: { title: "P" } },
      });
      expect(document.components.securitySchemes).toEqual({ key: scheme });
      expect(openApiToTools(document)).toEqual([greet]);
    },
  );
});

describe("names", () => {
  it.each([
    [".", "%252E"],
    ["..", "%252E%252E"],
    ["%2E", "%25252E"],
    ["a/b", "a%2Fb"],
    ["{id}", "%7Bid%7D"],
    ["\ud800", "_"],
    ["__proto__", "__proto__"],
    ["", ""],
  ])("%j is the segment %s", verifies("openapi.names"), (name, segment) => {
    expect(Object.keys(documentOf([{ name }]).paths)).toEqual([`/mcp/tools/${segment}`]);
  });

  it(
    "that are no identifiers get one beside them, told apart where they would be one",
    verifies("openapi.names"),
    () => {
      const names = ["a b", "ünï", "x/y", "x y", "a_c", "a+c"];
      const posts = Object.values(documentOf(names.map((name) => ({ name }))).paths) as {
        post: JsonObject;
      }[];
      expect(posts.map(({ post }) => post["x-mcp-name"] ?? post.operationId)).toEqual(names);
      const [ab, uni, xSlash, xSpace, ac, aPlus] = posts.map(({ post }) => post.operationId as string);
      expect([ab, uni, ac]).toEqual(["a_b", "_n_", "a_c"]);
      for (const id of [xSlash, xSpace]) expect(id).toMatch(/^x_y_[0-9a-f]{8}$/);
      expect(aPlus).toMatch(/^a_c(?:_[0-9a-f]{8})$/);
    },
  );
});

describe("schemas", () => {
  it.each<[string, JsonValue]>([
    ["true", true],
    ["false", false],
    ["empty", {}],
    ["null as data", { properties: { a: { const: null, default: null, enum: [null] } } }],
    [
      "draft 7, with its keywords",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: {},
        dependencies: { a: ["b"] },
        items: [{}],
      },
    ],
    ["an external reference", { $ref: "https://elsewhere.example/s.json#/a" }],
    ["a property of the name", { properties: { $ref: { type: "string" }, $anchor: { type: "string" } } }],
    [
      "references as data",
      {
        const: { $ref: "#/a" },
        enum: [{ $ref: "#/a" }],
        default: { $ref: "#/a" },
        examples: [{ $ref: "#" }],
      },
    ],
    ["references as somebody's own", { "x-own": { $ref: "#/a" } }],
    [
      "one with an absolute $id, whose references are its own",
      { $id: "https://s.example/s", $ref: "#/$defs/a", $defs: { a: {} } },
    ],
    [
      "one that holds such a one",
      {
        properties: { a: { $id: "https://s.example/s", $ref: "#/$defs/a", $defs: { a: { $anchor: "x" } } } },
      },
    ],
  ])("that refer to nothing inside stand as they came: %s", verifies("openapi.schemas"), (_title, schema) => {
    expect(placed(schema)).toMatchObject({ schema, schemas: {} });
    expect(JSON.stringify(placed(schema).schema)).toBe(JSON.stringify(schema));
  });

  it("that refer to themselves move, and their pointers follow", verifies("openapi.references"), () => {
    const tree = {
      type: "object",
      properties: {
        root: { $ref: "#/$defs/Node" },
        again: { $ref: "#" },
        $ref: { $ref: "#/properties/root" },
      },
      $defs: {
        Node: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/$defs/Node" } } },
        },
      },
    };
    const node = { $ref: "#/components/schemas/t.input/$defs/Node" };
    expect(placed(tree)).toMatchObject({
      schema: { $ref: "#/components/schemas/t.input" },
      schemas: {
        "t.input": {
          properties: {
            root: node,
            again: { $ref: "#/components/schemas/t.input" },
            $ref: { $ref: "#/components/schemas/t.input/properties/root" },
          },
          $defs: { Node: { properties: { children: { items: node } } } },
        },
      },
    });
  });

  it(
    "whose parts generators can't name give them components of their own",
    verifies("openapi.references"),
    () => {
      const list = {
        $ref: "#/definitions/List",
        definitions: { List: { properties: { next: { $ref: "#/definitions/List" } } } },
      };
      const pointed = { $ref: "#/components/schemas/t.input.List", "x-mcp-ref": "#/definitions/List" };
      const { schemas } = placed(list);
      expect(schemas["t.input"]).toEqual({
        ...pointed,
        definitions: { List: { properties: { next: pointed } } },
      });
      expect(schemas["t.input.List"]).toEqual({ properties: { next: pointed } });
      // A tool of that name has its own.
      const both = [
        { name: "a", inputSchema: { $ref: "#/definitions/input", definitions: { input: {} } } },
        { name: "a.input", inputSchema: list },
      ];
      const document = documentOf(both);
      expect(openApiToTools(document)).toEqual(both);
      expect(Object.keys(document.components.schemas).sort()).toEqual(
        [
          "AnyArguments",
          "CallToolResult",
          "a.input",
          "a.input.input",
          "a.input.input.List",
          "a.input.input_2",
        ].sort(),
      );
    },
  );

  it("of tagged unions keep their discriminator's mapping", verifies("openapi.references"), () => {
    const { schemas } = placed({
      properties: {
        pet: {
          oneOf: [{ $ref: "#/$defs/Cat" }],
          discriminator: { propertyName: "kind", mapping: { cat: "#/$defs/Cat", other: "Dog" } },
        },
      },
      $defs: { Cat: { properties: { kind: { const: "cat" } } } },
    });
    expect(schemas["t.input"].properties.pet.discriminator.mapping).toEqual({
      cat: "#/components/schemas/t.input/$defs/Cat",
      other: "Dog",
    });
  });

  it.each<[string, JsonObject]>([
    ["an anchor", { $ref: "#here", $defs: { a: { $anchor: "here" } } }],
    ["a dynamic reference", { $dynamicRef: "#node", $dynamicAnchor: "node" }],
    ["2019's recursion", { $recursiveAnchor: true, items: { $recursiveRef: "#" } }],
    ["a relative $id inside", { properties: { a: { $id: "item", type: "string" } } }],
    ["draft 7's anchor", { definitions: { a: { $id: "#a" } }, $ref: "#a" }],
    ["the empty reference", { items: { $ref: "" } }],
  ])(
    "that say where they stand by other means get an $id: %s",
    verifies("openapi.anchors"),
    (_title, schema) => {
      expect(placed(schema)).toMatchObject({ schema: { $id: "urn:x-mcp:t:input", ...schema }, schemas: {} });
      expect(Object.keys(placed(schema).schema)[0]).toBe("$id");
    },
  );

  it.each<[string, JsonObject]>([
    ["a relative one", { $id: "schema.json", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } }],
    ["ours", { $id: "urn:x-mcp:t:input", type: "object" }],
  ])(
    "that have an $id already get it one level around: %s",
    verifies("openapi.anchors"),
    (_title, schema) => {
      expect(placed(schema).schema).toEqual({ $id: "urn:x-mcp:t:input", allOf: [schema] });
    },
  );

  it.each<[string, JsonValue]>([
    ["a word for a schema", { type: "object", properties: { type: "object", a: { type: "string" } } }],
    ["a reference to nothing", { properties: { a: { $ref: "#/$defs/Missing" } } }],
    ["a list", []],
    ["null", null],
  ])(
    "that no reader gets through stand beside, and stop nobody: %s",
    verifies("openapi.round-trip"),
    (_title, schema) => {
      const { schema: stated, post } = placed(schema);
      expect(stated).toEqual({ $ref: "#/components/schemas/AnyArguments" });
      // As text, where another reader would follow what looks like a reference.
      const text = post["x-mcp-text-inputSchema"];
      expect(text === undefined ? post["x-mcp-tool-inputSchema"] : JSON.parse(text as string)).toEqual(
        schema,
      );
      expect(text === undefined).toBe(schema === null || Array.isArray(schema));
    },
  );
});

describe("a document that is read", () => {
  it("gives its marked operations and no other", verifies("openapi.round-trip"), () => {
    const document = documentOf([greet]);
    document.paths["/pets"] = {
      get: { operationId: "pets" },
      post: { operationId: "addPet", responses: {} },
    };
    expect(openApiToTools(document)).toEqual([greet]);
  });

  it.each<[string, (document: ReturnType<typeof documentOf>) => void, string]>([
    ["no document", (document) => delete document.openapi, ""],
    ["no paths", (document) => delete document.paths, "/paths"],
    [
      "no operationId",
      (document) => delete document.paths["/mcp/tools/greet"].post.operationId,
      "/paths/~1mcp~1tools~1greet/post/operationId",
    ],
    [
      "a name of another type",
      (document) => (document.paths["/mcp/tools/greet"].post["x-mcp-name"] = 1),
      "/paths/~1mcp~1tools~1greet/post/x-mcp-name",
    ],
    [
      "no schema",
      (document) => delete document.paths["/mcp/tools/greet"].post.requestBody.content,
      "/paths/~1mcp~1tools~1greet/post/requestBody/content/application~1json/schema",
    ],
    [
      "a name twice",
      (document) => (document.paths["/other"] = document.paths["/mcp/tools/greet"]),
      "/paths/~1other/post",
    ],
  ])("is refused by the pointer of what is wrong: %s", (_title, harm, pointer) => {
    const document = structuredClone(documentOf([greet]));
    harm(document);
    expect(() => openApiToTools(document)).toThrow(
      expect.objectContaining({ code: "invalid-input", data: { pointer } }),
    );
  });
});
