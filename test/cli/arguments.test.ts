/** `key=value` words become what the tool's schema wants; what can't be meant is refused by name. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonArguments, wordArguments } from "../../src/cli/arguments/tool-arguments.ts";
import type { JsonObject, JsonValue } from "../../src/spec/index.ts";

const schema = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer" },
    ratio: { type: "number" },
    metric: { type: "boolean" },
    maybe: { type: ["null", "integer"] },
    either: { anyOf: [{ type: "number" }, { type: "string" }] },
    tags: { type: "array", items: { type: "string" } },
    counts: { type: "array", items: { type: "integer" } },
    unit: { enum: ["c", "f", 7] },
    only: { const: true },
    place: {
      type: "object",
      properties: { city: { type: "string" }, zip: { type: "string" }, at: { $ref: "#/$defs/point" } },
    },
    "dotted.name": { type: "integer" },
    free: {},
    map: { type: "object", additionalProperties: { type: "integer" } },
  },
  $defs: { point: { type: "object", properties: { lat: { type: "number" } } } },
} satisfies JsonObject;

const read = (...words: string[]) => wordArguments(words, schema);

describe("typed by the schema", () => {
  it.each<[string, JsonValue]>([
    ["city=Bern", { city: "Bern" }],
    ["city=", { city: "" }],
    ["city=12", { city: "12" }],
    ["city=true", { city: "true" }],
    ["city=a=b", { city: "a=b" }],
    ["city=two\nlines", { city: "two\nlines" }],
    ["days=3", { days: 3 }],
    ["days=-3", { days: -3 }],
    ["days=3.0", { days: 3 }],
    ["ratio=.5", { ratio: 0.5 }],
    ["ratio=1e3", { ratio: 1000 }],
    ["metric=true", { metric: true }],
    ["metric=false", { metric: false }],
    ["maybe=null", { maybe: null }],
    ["maybe=4", { maybe: 4 }],
    ["either=4", { either: 4 }],
    ["either=four", { either: "four" }],
    ["tags=a", { tags: ["a"] }],
    ['tags=["a","b"]', { tags: ["a", "b"] }],
    ["counts=1", { counts: [1] }],
    ["unit=f", { unit: "f" }],
    ["unit=7", { unit: 7 }],
    ["only=true", { only: true }],
    ["place.city=Bern", { place: { city: "Bern" } }],
    ["place.zip=0042", { place: { zip: "0042" } }],
    ["place.at.lat=46.9", { place: { at: { lat: 46.9 } } }],
    ['place={"city":"Bern"}', { place: { city: "Bern" } }],
    ["dotted.name=5", { "dotted.name": 5 }],
    ["map.any=5", { map: { any: 5 } }],
    ["free=5", { free: 5 }],
    ["free=text", { free: "text" }],
    ["free=[1,", { free: "[1," }],
    ["free=12345678901234567890", { free: "12345678901234567890" }],
    ["free=0042", { free: "0042" }],
    ["days:=3", { days: 3 }],
    ['city:={"odd":[null]}', { city: { odd: [null] } }],
    ["unknown=5", { unknown: 5 }],
  ])("%s", (word, expected) => {
    expect(read(word)).toEqual(expected);
  });

  it("gathers repeated keys and parts of objects", () => {
    expect(read("tags=a", "tags=b", 'tags=["c"]')).toEqual({ tags: ["a", "b", "c"] });
    expect(read("counts=1", "counts=2")).toEqual({ counts: [1, 2] });
    expect(read("place.city=Bern", "place.zip=3000", "days=1")).toEqual({
      place: { city: "Bern", zip: "3000" },
      days: 1,
    });
  });

  it.each([
    ["days=three", "whole number"],
    ["days=3.5", "whole number"],
    ["days=", "whole number"],
    ["metric=yes", "true or false"],
    ["counts=x", "whole number"],
    ["place=Bern", "JSON object"],
    ["Bern", "key=value"],
    ["=x", "key=value"],
    ["days:=three", "wants JSON"],
  ])("%s is refused, saying %j", (word, words) => {
    expect(() => read(word)).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringContaining(words) }),
    );
  });

  it("refuses a second value where there can be one, and a part of what has a value", () => {
    expect(() => read("days=1", "days=2")).toThrow(/given twice/);
    expect(() => read("place.city=a", "place={}")).toThrow(/given twice/);
    expect(() => read('city:="x"', "city.a=1")).toThrow(/reach into/);
  });

  it("refuses a key that a closed schema doesn't have, and names those it has", () => {
    const closed = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false };
    expect(() => wordArguments(["town=Bern"], closed)).toThrow(/takes no "town".*city/);
    expect(wordArguments(["city=Bern"], closed)).toEqual({ city: "Bern" });
  });
});

describe("schemas that strangers wrote", () => {
  it.each<[string, JsonValue | undefined]>([
    ["none", undefined],
    ["null", null],
    ["a list", []],
    ["odd members", { properties: [], required: 5, type: {} }],
    ["a loop of references", { $ref: "#" }],
    [
      "a loop of definitions",
      { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } },
    ],
    ["a reference elsewhere", { $ref: "https://evil.example/schema" }],
    ["alternatives in alternatives", { anyOf: [{ anyOf: [{ anyOf: [{}] }] }] }],
  ])("%s: words are read as they look", (_name, odd) => {
    expect(wordArguments(["a=1", "b.c=x"], odd)).toEqual({ a: 1, b: { c: "x" } });
  });

  it("never touch a prototype", () => {
    const result = wordArguments(
      ["__proto__.polluted=1", "constructor.prototype.polluted=1", "toString=x"],
      undefined,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(result).sort()).toEqual(["__proto__", "constructor", "toString"]);
    expect(JSON.parse(JSON.stringify(result))).toHaveProperty("toString", "x");
  });

  it("read any text back that a string wants", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(read(`city=${text}`)).toEqual({ city: text });
      }),
    );
    fc.assert(
      fc.property(fc.integer(), (number) => {
        expect(read(`days=${number}`)).toEqual({ days: number });
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(JSON.stringify(value) === JSON.stringify(JSON.parse(JSON.stringify(value))));
        expect(read(`free:=${JSON.stringify(value)}`)).toEqual({ free: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });
});

describe("one JSON object", () => {
  it("is taken as it is, and nothing else is", () => {
    expect(jsonArguments('{"a": [1]}')).toEqual({ a: [1] });
    for (const text of ["[1]", "5", '"x"', "null", "{", ""]) {
      expect(() => jsonArguments(text)).toThrow(expect.objectContaining({ code: "invalid-input" }));
    }
  });
});

it("what is given as JSON goes on with every digit", () => {
  const text = '{"id":12345678901234567890,"n":[1.0,-0,1e400],"text":"1.0"}';
  expect(JSON.stringify(jsonArguments(text))).toBe(text);
});
