/** Pages that show files and tables of the code are equal to them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

it("docs/examples.md shows every example, as it is", async () => {
  const page = await read("docs/examples.md");
  const shown = [...page.matchAll(/^```ts\n((?:(?!```).*\n)*)/gm)].map(([, text]) => text);
  const files = (await readdir(join(root, "examples"), { recursive: true })).filter((path) =>
    path.endsWith(".ts"),
  );
  const texts = await Promise.all(files.map((path) => read(join("examples", path))));
  expect(shown.sort()).toEqual(texts.sort());
  expect((await read("examples/greet.ts")).trimEnd().split("\n")).toHaveLength(12);
});

it("docs/testing.md lists every code of a comparison", async () => {
  const [, union = ""] =
    /export type CompatibilityCode =([^;]*);/.exec(await read("src/spec/compatibility/types.ts")) ?? [];
  const codes = [...union.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code);
  const listed = [...(await read("docs/testing.md")).matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, code]) => code,
  );
  expect(codes.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(codes.sort());
});
