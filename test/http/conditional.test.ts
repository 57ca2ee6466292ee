import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { doneReply, noneMatch, readReply, strongEtag } from "../../src/http/index.ts";

describe("entity tags", () => {
  test("are strong and follow the bytes", () => {
    expect(strongEtag("a")).toMatch(/^"[\w-]{22}"$/);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        // Lone surrogates are one replacement character on the wire: equal bytes, equal tag.
        expect(strongEtag(a) === strongEtag(b)).toBe(Buffer.from(a).equals(Buffer.from(b)));
      }),
    );
  });

  test.each([
    ['"x"', true],
    ['W/"x"', true],
    ["*", true],
    [" * ", true],
    ['"a", "x"', true],
    ['"a",W/"x"', true],
    ['"a" , "b"', false],
    ['"xx"', false],
    ['"', false],
    ["x", false],
    ["", false],
    ['"a, x"', false],
    [null, false],
  ])('If-None-Match %s matches the tag "x": %s', (header, matches) => {
    expect(noneMatch(header, '"x"')).toBe(matches);
  });

  test("any list that holds the tag matches, none that doesn't", () => {
    const tag = fc.stringMatching(/^[!#-~]{0,8}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), tag)), tag, (list, mine) => {
        const header = list.map(([weak, opaque]) => `${weak ? "W/" : ""}"${opaque}"`).join(", ");
        expect(noneMatch(header, `"${mine}"`)).toBe(
          list.some(([, opaque]) => opaque === mine) || header.trim() === "*",
        );
      }),
    );
  });
});

describe("readReply", () => {
  const ask = (headers: Record<string, string> = {}) =>
    readReply(new Request("http://catalog.test/", { headers }), '{"a":1}', { headers: { vary: "Accept" } });

  test("304 repeats the headers of the 200 but the body's own", async () => {
    const whole = ask();
    const tag = whole.headers.get("etag") as string;
    const unchanged = ask({ "if-none-match": `W/${tag}` });
    expect(unchanged.status).toBe(304);
    expect(await unchanged.text()).toBe("");
    const expected = new Headers(whole.headers);
    expected.delete("content-type");
    expect(Object.fromEntries(unchanged.headers)).toEqual(Object.fromEntries(expected));
    expect(unchanged.headers.get("access-control-allow-origin")).toBe("*");
    expect(unchanged.headers.get("vary")).toBe("Accept");
  });

  test("what was done is never stored, and no other origin may read it", () => {
    const done = doneReply("{}", { status: 201 });
    expect(done.status).toBe(201);
    expect(done.headers.get("cache-control")).toBe("no-store");
    expect(done.headers.get("access-control-allow-origin")).toBeNull();
  });
});
