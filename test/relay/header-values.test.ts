import { expect, it } from "vitest";
import { encodeHeaderValue } from "../../src/relay/parameter-headers.ts";

it("encodes a text of any length: a large one did not fit on the stack, and the call answered 500", () => {
  const text = "ü".repeat(500_000);
  expect(encodeHeaderValue(text)).toBe(`=?base64?${Buffer.from(text).toString("base64")}?=`);
});
