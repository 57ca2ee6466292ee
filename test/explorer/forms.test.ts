/** Forms from schemas: every kind of field, odd and hostile schemas, and the tools of real servers where the list is at hand. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/spec/index.ts";
import { isRecord } from "../../web/explorer/json/exact.ts";
import { type Field, fieldOf } from "../../web/explorer/schema/field.ts";
import { judge } from "../../web/explorer/schema/judge.ts";
import { startOf, variantOf } from "../../web/explorer/schema/start.ts";
import { verifies } from "../requirements.ts";
import { FORM_SCHEMA } from "./strange-server.ts";

const kinds = (schema: JsonValue): Record<string, string> => {
  const field = fieldOf(schema, schema);
  if (field.kind !== "object") return { "": field.kind };
  return Object.fromEntries(
    field.members.map(({ name, schema: member }) => {
      const inner = fieldOf(member, schema);
      return [name, inner.kind === "text" ? inner.format : inner.kind];
    }),
  );
};

describe("a form", () => {
  it("has a field for every kind of schema, required ones first", verifies("explorer.forms"), () => {
    expect(kinds(FORM_SCHEMA)).toEqual({
      name: "text",
      kind: "choice",
      place: "object",
      always: "fixed",
      count: "number",
      exact: "number",
      when: "date-time",
      day: "date",
      mail: "email",
      agreed: "boolean",
      file: "base64",
      note: "text",
      tags: "list",
      days: "choices",
      shape: "variants",
      tree: "object",
      labels: "object",
      anything: "json",
    });
    expect(Object.keys(kinds(FORM_SCHEMA)).slice(0, 3)).toEqual(["name", "kind", "place"]);
  });

  it("starts with defaults and what required members stand in, and nothing else", () => {
    expect(startOf(FORM_SCHEMA, FORM_SCHEMA)).toEqual({ kind: "small", place: {}, count: 2 });
    expect(startOf({}, {})).toBeUndefined();
    expect(startOf({ type: "object", required: ["v"], properties: { v: { const: 1 } } }, {})).toEqual({
      v: 1,
    });
  });

  it("takes one choice beside null for a nullable field", () => {
    const nullable: readonly JsonObject[] = [
      { type: ["string", "null"] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { oneOf: [{ type: "null" }, { type: "string" }] },
      { type: "string", nullable: true },
    ];
    for (const schema of nullable) {
      expect(fieldOf(schema, schema)).toMatchObject({ kind: "text", nullable: true });
    }
  });

  it("tells variants apart by their constants, and names them so", () => {
    const schema = (FORM_SCHEMA.properties as JsonObject).shape as JsonObject;
    const field = fieldOf(schema, FORM_SCHEMA) as Field & { kind: "variants" };
    expect(field.variants.map(({ label }) => label)).toEqual(["type: circle", "type: square"]);
    const at = (value: JsonValue) => variantOf(value, { field, root: FORM_SCHEMA });
    expect([at({ type: "circle" }), at({ type: "square", side: 2 }), at({})]).toEqual([0, 1, 0]);
  });

  it("merges allOf, follows references with words beside them, and reads titled choices", () => {
    const schema: JsonObject = {
      $defs: { a: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
      allOf: [{ $ref: "#/$defs/a" }, { properties: { b: { $ref: "#/$defs/b~1c", description: "B" } } }],
      properties: {
        c: {
          oneOf: [
            { const: 1, title: "One" },
            { const: 2, title: "Two" },
          ],
        },
      },
    };
    expect(kinds(schema)).toEqual({ a: "text", b: "json", c: "choice" });
    const field = fieldOf((schema.properties as JsonObject).c, schema) as Field & { kind: "choice" };
    expect(field.choices).toEqual([
      { value: 1, label: "One" },
      { value: 2, label: "Two" },
    ]);
    const anyOfRules: JsonObject = {
      type: "object",
      properties: { x: {}, y: {} },
      anyOf: [{ required: ["x"] }, { required: ["y"] }],
    };
    expect(fieldOf(anyOfRules, anyOfRules).kind).toBe("object");
  });

  it("ends where a schema refers to itself, or to nothing", verifies("explorer.forms"), () => {
    const circle: JsonObject = {
      $ref: "#/$defs/a",
      $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    };
    expect(fieldOf(circle, circle)).toMatchObject({ kind: "json", why: "The schema refers to itself here." });
    const all: JsonObject = { allOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(walk(all)).toBeLessThan(100);
    const deep: JsonObject = { type: "object", required: ["again"], properties: { again: { $ref: "#" } } };
    expect(walk(deep)).toBeLessThan(100);
    expect(() => startOf(deep, deep)).not.toThrow();
    expect(fieldOf({ $ref: "https://else.example/schema" }, {})).toMatchObject({ kind: "json" });
    expect(fieldOf({ $ref: "#/__proto__/constructor" }, {})).toMatchObject({ kind: "json" });
  });

  it("is given for any value at all, in bounded work", verifies("explorer.forms"), () => {
    const words = [
      "type",
      "properties",
      "items",
      "oneOf",
      "anyOf",
      "allOf",
      "enum",
      "const",
      "$ref",
      "required",
      "additionalProperties",
      "default",
      "format",
      "prefixItems",
    ];
    const value = fc.letrec<{ readonly any: JsonValue }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(
          "string",
          "object",
          "array",
          "null",
          "#",
          "#/items",
          "date",
          null,
          true,
          false,
          1,
          {},
          [],
        ),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...words), tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (schema) => {
        expect(walk(schema)).toBeLessThan(20_000);
        startOf(schema, schema);
        judge({}, schema);
      }),
      { numRuns: 300 },
    );
  });

  const list = join(import.meta.dirname, "..", "..", "..", "shared", "data", "tools", "toucan-servers.jsonl");
  it.runIf(existsSync(list))("is given for every tool of two thousand real servers", async () => {
    let tools = 0;
    let plain = 0;
    for (const line of (await readFile(list, "utf8")).split("\n")) {
      if (line === "") continue;
      for (const { input_schema: schema } of (JSON.parse(line) as { tools: { input_schema?: JsonValue }[] })
        .tools) {
        // Two thirds of the list came without.
        if (schema === undefined) continue;
        const field = fieldOf(schema, schema);
        walk(schema);
        startOf(schema, schema);
        tools += 1;
        if (field.kind === "object") plain += 1;
      }
    }
    expect(tools).toBeGreaterThan(5_000);
    expect(plain).toBe(tools);
  });
});

describe("a schema's judge", () => {
  it("says what fits, what differs, and what it can't tell", verifies("explorer.verdict"), () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "integer" } } };
    expect(judge({ a: 1 }, schema).kind).toBe("fits");
    expect(judge({ a: "x" }, schema)).toMatchObject({
      kind: "differs",
      problem: expect.stringContaining("a"),
    });
    expect(judge({}, { $ref: "https://else.example/x" }).kind).toBe("unknown");
    expect(judge("aaaa", { pattern: "^(a+)+$" }).kind).toBe("unknown");
  });
});

/** Opens every field as a person could, some levels deep; gives how many there were. */
function walk(schema: JsonValue): number {
  let count = 0;
  const visit = (inner: JsonValue | undefined, depth: number): void => {
    count += 1;
    if (depth > 5 || count > 20_000) return;
    const field = fieldOf(inner, schema);
    if (field.kind === "object") {
      for (const member of field.members) visit(member.schema, depth + 1);
      if (field.others !== null && isRecord(field.others)) visit(field.others, depth + 1);
    }
    if (field.kind === "list")
      for (const item of [...field.first, ...(field.items === null ? [] : [field.items])])
        visit(item, depth + 1);
    if (field.kind === "variants") for (const variant of field.variants) visit(variant.schema, depth + 1);
  };
  visit(schema, 0);
  return count;
}
