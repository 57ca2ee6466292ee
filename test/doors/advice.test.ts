import { expect, it } from "vitest";
import { failedResult } from "../../src/doors/mcp/advice.ts";

it("ends a sentence once, however long its text: a relay's million blanks held the catalog for an hour", () => {
  const told = failedResult({
    code: "relay-error",
    message: `it says${" ".repeat(1_000_000)}no.. `,
    data: {},
  });
  expect(told.content[0]?.text).toMatch(/^It says +no\. The relay refused/);
});
