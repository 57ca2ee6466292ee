/** Schemas that are small and without end: a server's schema takes no page, and no command line, with it. */
import { describe, expect, it } from "vitest";
import { wordArguments } from "../../src/cli/arguments/tool-arguments.ts";
import type { JsonObject, JsonValue } from "../../src/spec/index.ts";
import { fieldOf } from "../../web/explorer/schema/field.ts";
import { judge } from "../../web/explorer/schema/judge.ts";
import { patternCost } from "../../web/explorer/schema/pattern-cost.ts";
import { startOf, variantOf } from "../../web/explorer/schema/start.ts";
import { verifies } from "../requirements.ts";

const itself = { $ref: "#/$defs/a" };
const sixteen = Array.from({ length: 16 }, (_, at) => `p${at}`);
const requiring: JsonObject = {
  type: "object",
  required: sixteen,
  properties: Object.fromEntries(sixteen.map((name) => [name, itself])),
};

describe("a schema without end", () => {
  it("starts a form in bounded work", verifies("explorer.forms"), () => {
    expect(startOf(itself, { $defs: { a: requiring } })).toHaveProperty("p0.p0");
    const choosing = { anyOf: [requiring, { ...requiring, minProperties: 1 }] };
    expect(startOf(itself, { $defs: { a: choosing } })).toBeDefined();
  });

  it("is told apart from others in bounded work", verifies("explorer.forms"), () => {
    const titled = Array.from({ length: 60 }, (_, at) => ({ title: `t${at}`, ...itself }));
    const schema = { $defs: { a: { anyOf: [{ type: "object" }, ...titled] } }, ...itself };
    const field = fieldOf(schema, schema);
    if (field.kind !== "variants") throw new Error(field.kind);
    expect(variantOf({ n: 1 }, { field, root: schema })).toBe(0);
  });

  it("is judged in bounded work, or said not to be", verifies("explorer.verdict"), () => {
    const twice = (levels: number): JsonObject => ({
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries([
        ...Array.from({ length: levels }, (_, at) => [
          `d${at}`,
          { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
        ]),
        [`d${levels}`, { type: "string" }],
      ]),
    });
    expect(judge("x", twice(8))).toEqual({ kind: "fits" });
    expect(judge("x", twice(40))).toEqual({ kind: "unknown", why: "To judge it would take too long." });
    const nested = { allOf: [{ properties: { n: itself } }, { properties: { n: itself } }] };
    let value: JsonValue = {};
    for (let level = 0; level < 40; level += 1) value = { n: value };
    expect(judge(value, { $defs: { a: nested }, ...itself }).kind).toBe("unknown");
    expect(judge("x", { $defs: { a: { allOf: [itself, itself] } }, ...itself }).kind).toBe("unknown");
    const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, name: `n${id}` }));
    expect(judge(rows, { type: "array", items: { type: "object", required: ["id"] } }).kind).toBe("fits");
  });

  it("types the words of a command line in bounded work", () => {
    const schema = { $defs: { a: { anyOf: sixteen.map(() => itself) } }, ...itself };
    expect(wordArguments(["city=Bern"], schema)).toEqual({ city: "Bern" });
  });
});

describe("a pattern", () => {
  it.each([
    "^[0-9]{4}$",
    "^[a-z]+$",
    "^https?://[^/]+/.*$",
    "^[^@]+@[^@]+\\.[^@]+$",
    "^(?:a|b)?[xy]{2,9}\\)$",
  ])("%s is tried on what is short", (pattern) => {
    expect(patternCost(pattern, 60)).toBeLessThan(1_000_000);
    expect(judge("x".repeat(60), { pattern }).kind).not.toBe("unknown");
  });

  it.each([
    "(a+)+",
    "(a|a)*$",
    "((a+)(b?))+$",
    "^a*a*a*a*a*a*b",
    `^${"a?".repeat(40)}${"a".repeat(40)}$`,
    "(a?){40}a{40}$",
    "(?:a{1,20}){1,20}$",
    "^(?=(a+)+$)",
  ])("%s is not", (pattern) => {
    const verdict = judge({ s: "a".repeat(2_000) }, { properties: { s: { pattern } } });
    expect(verdict).toMatchObject({ kind: "unknown", why: expect.stringContaining("pattern") });
  });

  it("that is none is told by the validator", () => {
    expect(judge("x", { pattern: "(" }).kind).toBe("unknown");
  });
});
