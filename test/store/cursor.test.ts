/** Cursors: any place goes in and out; nothing else comes in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOpenMcpError } from "../../src/spec/index.ts";
import { cursorAfter, placeOf } from "../../src/store/cursor.ts";

describe("a cursor", () => {
  it("stands for its place", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (place) => {
        const cursor = cursorAfter(place);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(placeOf(cursor)).toBe(place);
      }),
    );
    expect(placeOf(undefined)).toBe(0);
  });

  it("is refused when it is anything else", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.base64String(),
      fc.string().map((text) => Buffer.from(`relays:${text}`).toString("base64url")),
      fc.double().map((number) => Buffer.from(`relays:${number}`).toString("base64url")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let place: number | undefined;
        try {
          place = placeOf(text);
        } catch (error) {
          expect(isOpenMcpError(error, "invalid-input")).toBe(true);
          return;
        }
        expect(cursorAfter(place)).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});
