/** Whatever a relay writes, nothing that a terminal acts on or that hides text from people comes out. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson, printableLine } from "../../src/cli/terminal/printable.ts";

const ESC = "\u001b";

/** The characters of `text` that a terminal acts on, or that hide or reorder what people see. */
function unsafe(text: string): string[] {
  const hidden = (point: number): boolean =>
    [0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].includes(point) ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2060 && point <= 0x206f) ||
    (point >= 0xd800 && point <= 0xdfff) ||
    (point >= 0xe0000 && point <= 0xe0fff);
  const control = (point: number): boolean =>
    (point < 0x20 && point !== 0x09 && point !== 0x0a) || (point >= 0x7f && point <= 0x9f);
  return [...text].filter((char) => {
    const point = char.codePointAt(0) ?? 0;
    return control(point) || hidden(point);
  });
}

describe("printable", () => {
  it.each([
    ["colour", `${ESC}[31mred${ESC}[0m`, "red"],
    ["clearing the screen", `a${ESC}[2J${ESC}[Hb`, "ab"],
    ["the window's title", `a${ESC}]0;owned\u0007b`, "ab"],
    ["a link that lies", `${ESC}]8;;https://evil.example\u0007bank${ESC}]8;;\u0007`, "bank"],
    ["a lone escape", `a${ESC}`, "a"],
    ["C1 introducers", "a\u009b31mb\u009dtitle\u009cc", /^a.*b.*c$/],
    ["backspaces over text", "safe\b\b\b\bevil", "safeevil"],
    ["a carriage return over text", "real\rfake", "real\nfake"],
    ["bells and nulls", "a\u0007\u0000b", "ab"],
    ["direction overrides", "abc\u202edcba\u202c", "abcdcba"],
    ["isolates", "\u2066abc\u2069", "abc"],
    ["zero-width spaces", "a\u200bb\ufeffc\u2060d", "abcd"],
    ["tags that hide instructions", `hi${String.fromCodePoint(0xe0049, 0xe0067, 0xe006e)}`, "hi"],
    ["a lone surrogate", "a\ud800b", "ab"],
    ["a joiner between letters", "a\u200db", "ab"],
  ])("takes out %s", (_name, text, expected) => {
    if (typeof expected === "string") expect(printable(text)).toBe(expected);
    else expect(printable(text)).toMatch(expected);
  });

  it.each(["Grüße, 日本語, العربية, ไทย", "👩‍👩‍👧 ❤️ 👍🏽", "tabs\tand\nlines", "naïve café"])(
    "leaves %j as it is",
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );

  it("never lets a control or an invisible character through, and changes nothing twice", () => {
    const nasty = fc.constantFrom(
      ESC,
      "\u009b",
      "\u202e",
      "\u200d",
      "[31m",
      "]0;",
      "\u0007",
      "\r",
      "\u{e0041}",
      "\ud800",
      "👩",
      "a",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(nasty).map((parts) => parts.join("")),
        ),
        (text) => {
          const safe = printable(text);
          expect(unsafe(safe)).toEqual([]);
          expect(printable(safe)).toBe(safe);
          expect(printableLine(text)).not.toContain("\n");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("printableJson", () => {
  it("is the same value for a machine, and safe for a terminal", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        const value = JSON.parse(json);
        const text = printableJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(unsafe(text)).toEqual([]);
        expect(text).not.toContain("	");
      }),
      { numRuns: 300 },
    );
    expect(printableJson({ a: "\u202e\u{e0041}" })).toBe('{\n  "a": "\\u202e\\udb40\\udc41"\n}');
  });
});
