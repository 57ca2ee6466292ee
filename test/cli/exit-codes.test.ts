/** Every error code has one exit code, and docs/cli.md says which. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exitCodeOf, exitCodes } from "../../src/cli/exit-code.ts";
import { errorCodes } from "../../src/spec/index.ts";

const page = await readFile(new URL("../../docs/cli.md", import.meta.url), "utf8");

it("docs/cli.md has the same table", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| [^|]+ \| ([^|]*)\|$/gm)].map(([, code, codes = ""]) => [
    Number(code),
    [...codes.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name).sort(),
  ]);
  const expected = [...new Set(Object.values(exitCodes))]
    .sort((a, b) => a - b)
    .map((code) => [code, errorCodes.filter((name) => exitCodeOf(name) === code).sort()]);
  expect(rows).toEqual(expected);
});

it("no error ends with 0", () => {
  for (const code of errorCodes) expect(exitCodeOf(code)).toBeGreaterThan(0);
});
