/** Any tool list, however strange, comes back from its document's text to the byte. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openApiToTools, type ToolsToOpenApiOptions, toolsToOpenApi } from "../../src/openapi/index.ts";
import { type JsonObject, withExactNumbers } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { hardNames, toolLists } from "./tool-lists.ts";

const info = { name: "test", version: "1.0.0" };

const options: fc.Arbitrary<ToolsToOpenApiOptions> = fc.record(
  {
    pathStyle: fc.constantFrom("absolute" as const, "server-relative" as const),
    endpoint: fc.constantFrom("/mcp", "/a/b/mcp", "/", "https://host.example/x/mcp?key=1", null),
    protocolVersion: fc.constantFrom("2025-11-25", null),
    http: fc.constant({ toolsPath: "/v1/relays/x/tools", problem: { type: "object" } }),
  },
  { requiredKeys: [] },
);

const thereAndBack = (tools: Parameters<typeof toolsToOpenApi>[1], settings: ToolsToOpenApiOptions = {}) =>
  openApiToTools(JSON.parse(JSON.stringify(toolsToOpenApi(info, tools, settings))) as JsonObject);

describe("tools -> document -> text -> tools", () => {
  it("is exact over random lists, key order included", verifies("openapi.round-trip"), () => {
    fc.assert(
      fc.property(toolLists, options, (tools, settings) => {
        expect(JSON.stringify(thereAndBack(tools, settings))).toBe(JSON.stringify(tools));
      }),
      { numRuns: 1_500 },
    );
  });

  it("gives every tool a path, an operationId and components of its own", verifies("openapi.names"), () => {
    fc.assert(
      fc.property(toolLists, (tools) => {
        const { paths } = toolsToOpenApi(info, tools) as { paths: Record<string, { post: JsonObject }> };
        const ids = Object.values(paths).map(({ post }) => post.operationId as string);
        expect(Object.keys(paths)).toHaveLength(tools.length);
        expect(new Set(ids).size).toBe(tools.length);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        for (const path of Object.keys(paths)) {
          // What a client makes of the path is what it was: no segment is a dot segment, nothing is cut off.
          expect(new URL(path, "http://host.example").pathname).toBe(path);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("names do not depend on the order of the tools", verifies("openapi.names"), () => {
    const tools = hardNames.map((name) => ({ name, inputSchema: {} }));
    const idsOf = (list: typeof tools) =>
      new Map(
        Object.entries(toolsToOpenApi(info, list).paths as JsonObject).map(([path, item]) => [
          path,
          ((item as JsonObject).post as JsonObject).operationId,
        ]),
      );
    const forward = idsOf(tools);
    for (const [path, id] of idsOf(tools.toReversed())) expect(forward.get(path)).toBe(id);
    expect(thereAndBack(tools)).toEqual(tools);
  });

  it("keeps every digit of numbers that were read exactly", verifies("openapi.round-trip"), () => {
    const text =
      '[{"name":"n","inputSchema":{"$defs":{"N":{"maximum":12345678901234567890,"default":1.0}},"properties":{"a":{"$ref":"#/$defs/N"}},"const":1e400}}]';
    const tools = withExactNumbers(text, JSON.parse(text));
    const document = JSON.stringify(toolsToOpenApi(info, tools));
    expect(JSON.stringify(openApiToTools(withExactNumbers(document, JSON.parse(document))))).toBe(text);
  });
});
