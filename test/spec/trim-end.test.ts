import fc from "fast-check";
import { expect, it } from "vitest";
import { trimEndOf } from "../../src/spec/index.ts";

it.each([
  ["https://a.example//", "/", "https://a.example"],
  ["It fails. ..\n", ". \n", "It fails"],
  ["///", "/", ""],
  ["", "/", ""],
  ["a/b", "/", "a/b"],
])("%j without %j at its end is %j", (text, set, expected) => {
  expect(trimEndOf(text, set)).toBe(expected);
});

it("takes off what the pattern would, and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("/", "a", ".") }), (text) => {
      expect(trimEndOf(text, "/")).toBe(text.replace(/\/+$/, ""));
    }),
  );
});
