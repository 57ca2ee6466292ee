import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  contentHash,
  encodeRaw,
  isJsonObject,
  type JsonValue,
  nestsDeeper,
  parseRaw,
  RawJson,
  stringifyRaw,
  versionText,
} from "../../src/spec/index.ts";
import { jsonObject, jsonValue, reordered } from "./arbitraries.ts";

describe("canonicalJson", () => {
  it.each<[JsonValue, string]>([
    [{ b: 1, a: [2, { d: null, c: true }] }, '{"a":[2,{"c":true,"d":null}],"b":1}'],
    // RFC 8785 section 3.2.3: by UTF-16 code unit, so that the surrogates of an emoji come before U+FB33
    [
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    ["</script>\u2028", '"</script>\u2028"'],
    [[1e21, 0.1, -0, 1e-7], "[1e+21,0.1,0,1e-7]"],
    ["\ud800", '"\\ud800"'],
    [JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}') as JsonValue, '{"__proto__":{"a":2,"b":1},"z":1}'],
  ])("of %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("is the same in whatever order the keys come, and loses nothing", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reordered(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
  });

  it("tells different values apart", () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (one, other) => {
        let equal = true;
        try {
          expect(one).toStrictEqual(other);
        } catch {
          equal = false;
        }
        expect(canonicalJson(one) === canonicalJson(other)).toBe(equal);
      }),
    );
  });

  it("keeps the order of arrays, and different lone surrogates different", () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson("\ud800")).not.toBe(canonicalJson("\ud801"));
  });

  it("leaves absent members out, as JSON does", () => {
    expect(canonicalJson({ a: undefined, b: 1 } as unknown as JsonValue)).toBe('{"b":1}');
  });
});

describe("contentHash", () => {
  it("is SHA-256 over the canonical JSON", async () => {
    await fc.assert(
      fc.asyncProperty(jsonValue, async (value) => {
        const hex = createHash("sha256").update(canonicalJson(value), "utf8").digest("hex");
        expect(await contentHash(value)).toBe(`sha256:${hex}`);
      }),
      { numRuns: 50 },
    );
  });
});

describe("stringifyRaw", () => {
  it("gives the text of JSON.stringify where nothing is raw", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(stringifyRaw(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([
    [{ a: undefined, b: () => 1, c: Symbol("c"), d: null }],
    [[undefined, () => 1, Symbol("c"), null]],
    [new Array(3)],
    [{ when: new Date(0), where: new URL("https://x.example"), map: new Map([[1, 2]]) }],
    [Object.assign(Object.create(null), { a: 1 })],
    [{ toJSON: () => ({ form: "own" }), hidden: 1 }],
    [[Number.NaN, Number.POSITIVE_INFINITY, Object(7), Object("text")]],
    ["\ud800</script>"],
  ])("does so for %o too", (value) => {
    expect(stringifyRaw(value)).toBe(JSON.stringify(value));
  });

  it("says null where JSON.stringify has no text", () => {
    expect(stringifyRaw(undefined)).toBe("null");
  });

  it("splices raw text wherever it stands, verbatim", () => {
    const raw = new RawJson('{ "n" : 12345678901234567890 }');
    expect(stringifyRaw(raw)).toBe(raw.text);
    expect(stringifyRaw({ ok: true, relay: raw, nested: { list: [raw, undefined, raw] } })).toBe(
      `{"ok":true,"relay":${raw.text},"nested":{"list":[${raw.text},null,${raw.text}]}}`,
    );
    expect(stringifyRaw(Object.assign(Object.create(null), { raw }))).toBe(`{"raw":${raw.text}}`);
  });

  it("comes back as the value it was made of", () => {
    fc.assert(
      fc.property(jsonObject, jsonValue, (object, value) => {
        const mixed = {
          ...object,
          raw: new RawJson(JSON.stringify(value)),
          list: [new RawJson("[]"), value],
        };
        expect(parseRaw(mixed)).toEqual({ ...object, raw: value, list: [[], value] });
      }),
    );
  });
});

describe("nestsDeeper", () => {
  it("counts as the parsed value is nested", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(nestsDeeper(text, depth(value))).toBe(false);
        if (depth(value) > 0) expect(nestsDeeper(text, depth(value) - 1)).toBe(true);
      }),
    );
  });

  it("answers for text that is no JSON", () => {
    expect(nestsDeeper(`${"[".repeat(9)}`, 8)).toBe(true);
    expect(nestsDeeper("]]]]}}", 0)).toBe(false);
    expect(nestsDeeper('"[[[[', 1)).toBe(false);
  });
});

describe("isJsonObject", () => {
  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ["{}", false],
    [undefined, false],
  ])("of %j is %s", (value, is) => {
    expect(isJsonObject(value)).toBe(is);
  });
});

describe("encodeRaw", () => {
  it("gives the text of stringifyRaw, as bytes when a member is made of bytes", () => {
    const utf8 = (text: string) => new TextEncoder().encode(text);
    const member = fc.oneof(
      jsonValue.map((raw) => ({ raw, kind: "plain" })),
      jsonValue.map((value) => ({ raw: new RawJson(JSON.stringify(value)), kind: "text" })),
      fc.tuple(jsonValue, fc.nat(30)).map(([value, cut]) => {
        const bytes = utf8(JSON.stringify(value));
        // In two pieces, perhaps in the middle of a character.
        return { raw: new RawJson([bytes.subarray(0, cut), bytes.subarray(cut)]), kind: "bytes" };
      }),
      fc.constant({ raw: undefined, kind: "absent" }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), (members) => {
        const value = Object.fromEntries(Object.entries(members).map(([key, { raw }]) => [key, raw]));
        const encoded = encodeRaw(value);
        expect(typeof encoded !== "string").toBe(Object.values(members).some(({ kind }) => kind === "bytes"));
        const text = typeof encoded === "string" ? encoded : new TextDecoder().decode(encoded);
        expect(text).toBe(stringifyRaw(value));
      }),
    );
  });
});

describe("versionText", () => {
  const page = (version: string | null, json = "[]", total = 0) => ({
    ok: true,
    relays: new RawJson(json, version),
    total,
  });

  it("says another thing when a version or another member does, and looks at no text that has a version", () => {
    const texts = [
      versionText(page("1")),
      versionText(page("2")),
      versionText(page("1", "[]", 1)),
      versionText({ ...page("1"), more: new RawJson("{}") }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).not.toContain(null);
    expect(versionText(page("1", "[1]"))).toBe(versionText(page("1", "[2]")));
  });

  it("is null where nothing has a version", () => {
    expect(versionText(page(null))).toBe(null);
    expect(versionText({ ok: true })).toBe(null);
  });
});
