/**
 * No pattern that takes a run off the end of a text: from every character of a long run somewhere else it looks again, the
 * square of its length. 100,000 blanks in a relay's error message held a catalog for half a minute. `trimEndOf` is one pass.
 */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** `.replace` with a pattern that does not begin at the text's start, and ends in a repetition at its end. */
const SQUARE = /\.replace(?:All)?\(\s*\/(?!\^)(?:\\.|[^/\\\n])*[+*]\)?\$\/[a-z]*,/g;

it("finds such a pattern when there is one, and no other", () => {
  for (const pattern of ["/\\/+$/", "/[.\\s]*$/", "/-+$/g", "/\\n+$/", "/(?:\\r\\n)+$/"]) {
    expect(`text.replace(${pattern}, "")`.match(SQUARE), pattern).toHaveLength(1);
  }
  for (const pattern of ["/^-+$/", "/^\\/+/", "/\\/(v1|mcp)$/", "/\\/+/g"]) {
    expect(`text.replace(${pattern}, "")`.match(SQUARE), pattern).toBeNull();
  }
});

it("no file of the house has one", async () => {
  const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(300);
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${src}${file}`, "utf8");
      return (text.match(SQUARE) ?? []).map((pattern) => `${file}: ${pattern}`);
    }),
  );
  expect(found.flat()).toEqual([]);
});
