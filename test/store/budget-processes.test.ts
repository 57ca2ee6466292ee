/** Budgets hold over all catalogs on one database: processes that take at the same time share what there is, to the token. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { verifies } from "../requirements.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "budget-taker-process.ts");

it("three processes on one file are given one budget between them", {
  ...verifies("fair.shared"),
  timeout: 30_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-budgets-"));
  try {
    const path = join(folder, "catalog.db");
    await (await openSqliteStore({ path })).close();
    const takers = Array.from({ length: 3 }, () => run(process.execPath, [script, path, "600"]));
    const given = (await Promise.all(takers)).map(({ stdout }) => Number(stdout));
    expect(given.reduce((sum, one) => sum + one)).toBe(1_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});
