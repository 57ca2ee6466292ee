/** Slices of JSON text against what `JSON.parse` makes of the whole. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementTexts, memberText } from "../../src/spec/index.ts";
import { jsonObject, jsonValue } from "./arbitraries.ts";

/** The same value, written with white space of every kind wherever it may stand. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, "\t").replaceAll("\n", " \r\n");
}

describe("memberText", () => {
  it("is the member's own text, for every member of every object", () => {
    fc.assert(
      fc.property(jsonObject, (object) => {
        for (const text of [JSON.stringify(object), spaced(object), `\uFEFF ${JSON.stringify(object)}`]) {
          for (const [name, value] of Object.entries(object)) {
            const slice = memberText(text, name);
            expect(JSON.parse(slice as string)).toEqual(value);
            expect(text).toContain(slice);
          }
          expect(memberText(text, "no such name at all")).toBeUndefined();
        }
      }),
    );
  });

  it.each([
    ['{"result":1,"result":{"a":[1.0,"]}"]}}', '{"a":[1.0,"]}"]}'],
    ['{"\\u0072esult" : -0 }', "-0"],
    ['{"x":{"result":1},"result":12345678901234567890}', "12345678901234567890"],
    ['{"x":"\\\\\\"","result":"\\\\"}', '"\\\\"'],
    ['{"result":1e400,"y":2}', "1e400"],
    ['{"result":{"__proto__":{"a":1},"__proto__":2}}', '{"__proto__":{"a":1},"__proto__":2}'],
    ["{}", undefined],
    ["[]", undefined],
    ['["result"]', undefined],
    ['"result"', undefined],
    ["", undefined],
  ])("of %s is %s", (text, slice) => {
    expect(memberText(text, "result")).toBe(slice);
  });

  it("ends on text that is no JSON", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        for (const text of [
          before,
          `{"result":${before}`,
          `{"result"${before}:[${after}`,
          `{"a":"${before}`,
        ]) {
          memberText(text, "result");
          elementTexts(text);
        }
      }),
    );
  });
});

describe("elementTexts", () => {
  it("are the elements, one by one", () => {
    fc.assert(
      fc.property(fc.array(jsonValue), (array) => {
        for (const text of [JSON.stringify(array), spaced(array)]) {
          expect(elementTexts(text).map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
        }
      }),
    );
    expect(elementTexts('{"a":1}')).toEqual([]);
  });
});
