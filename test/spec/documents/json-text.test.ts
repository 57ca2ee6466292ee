/** What parsing hides: keys that come twice, and where a value stands. */
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { specialRange } from "../../../src/net/address-ranges.ts";
import { isPrivateHost } from "../../../src/spec/documents/host.ts";
import { duplicateKeys, locatePointers, walkJsonText } from "../../../src/spec/documents/json-text.ts";
import type { JsonValue } from "../../../src/spec/index.ts";
import { jsonValue } from "../arbitraries.ts";

function at(value: JsonValue, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      value,
    );
}

describe("walking JSON text", () => {
  it("finds every value once, where it stands", () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const seen: string[] = [];
        walkJsonText(text, ({ pointer, offset, repeated }) => {
          expect(repeated).toBe(false);
          expect(text[offset]).not.toMatch(/\s/);
          expect(at(value, pointer)).toBeDefined();
          seen.push(pointer);
          return true;
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.length).toBe(countOf(value));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', ["/a"]],
    ['{"a":1,"\\u0061":2}', ["/a"]],
    ['{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"d":[]}]}', ["/a/b", "/c/1/d"]],
    ['{"__proto__":1,"__proto__":2}', ["/__proto__"]],
    ['{"a/b":1,"a/b":2,"~":1}', ["/a~1b"]],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', []],
    ['{"a":"\\\\","b":"\\"","c":1}', []],
    ["[1,1,{},{}]", []],
    ['{"":1,"":2}', ["/"]],
  ])("of %s finds the keys %j twice", (text, pointers) => {
    expect(duplicateKeys(text, 100)).toEqual(pointers);
  });

  it("stops at as many as are wanted", () => {
    expect(duplicateKeys(`{${Array(10_000).fill('"a":1').join(",")}}`, 5)).toHaveLength(5);
  });

  it("tells line and column, of what is missing those of the nearest around it", () => {
    const text = '{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}';
    expect(Object.fromEntries(locatePointers(text, ["", "/a", "/a/1/b", "/a/1/c", "/x"]))).toEqual({
      "": { line: 1, column: 1 },
      "/a": { line: 2, column: 3 },
      "/a/1/b": { line: 4, column: 6 },
      "/a/1/c": { line: 4, column: 5 },
      "/x": { line: 1, column: 1 },
    });
  });
});

describe("a private host", () => {
  it.each([
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "printer.local",
    "db.internal",
    "intranet",
    "router.lan",
    "x.home.arpa",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
  ])("is %s", (host) => expect(isPrivateHost(host)).toBe(true));

  it.each([
    "example.com",
    "example.com.",
    "8.8.8.8",
    "[2606:4700::1111]",
    "local.example",
    "10.example.com",
    "xn--bcher-kva.example",
  ])("is not %s", (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });

  it("is told as the network policy tells it, of every address", () => {
    const word = fc.integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
    const v6 = fc
      .tuple(
        fc.constantFrom("2001", "2606", "fe80", "fc00", "ff02", "3fff", "2400"),
        fc.array(word, { minLength: 7, maxLength: 7 }),
      )
      .map(([first, rest]) => [first, ...rest].join(":"));
    // Networks of the registries that nobody publishes by mistake are only the policy's.
    const policyOnly = new Set(["reserved", "discard-only", "benchmark", "documentation"]);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), v6), (address) => {
        const special = specialRange(ipaddr.parse(address));
        if (isPrivateHost(address)) expect(special, address).toBeDefined();
        else if (special !== undefined) expect(policyOnly, address).toContain(special.kind);
      }),
      { numRuns: 2_000 },
    );
  });
});

function countOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + 1 + countOf(inner as JsonValue), 0);
}
