/** docs/errors.md is the union of codes, with the status and exit code that the doors really give. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-code.ts";
import { problems } from "../../src/http/problem.ts";
import { errorCodes } from "../../src/spec/index.ts";

const page = await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d+) \| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, code, status, exit, meaning, cure]) => ({
    code,
    status: Number(status),
    exit: Number(exit),
    meaning,
    cure,
  }),
);

describe("docs/errors.md", () => {
  it("lists exactly the codes there are, in their order", () => {
    expect(rows.map((row) => row.code)).toEqual([...errorCodes]);
  });

  it.each(errorCodes)("says what %s becomes", (code) => {
    const row = rows.find((candidate) => candidate.code === code);
    expect(row).toMatchObject({ status: problems[code].status, exit: exitCodeOf(code) });
    expect(row?.meaning?.trim()).not.toBe("");
    expect(row?.cure?.trim()).not.toBe("");
  });
});
