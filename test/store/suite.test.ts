/** Every SQLite store passes the suite: in memory, and in a file that is opened anew. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { storeSuite } from "../../src/store/suite.ts";
import { verifies } from "../requirements.ts";

describe("SQLite in memory", verifies("rest.list-paged", "rest.list-page-size"), () => {
  for (const { name, run } of storeSuite) {
    it(name, async () => {
      await using store = await openSqliteStore({ path: ":memory:" });
      await run(store);
    });
  }
});

describe("SQLite in a file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "openmcp-store-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  for (const [index, { name, run }] of storeSuite.entries()) {
    it(name, async () => {
      const path = join(folder, `${index}.db`);
      await (await openSqliteStore({ path })).close();
      await using store = await openSqliteStore({ path });
      await run(store);
    });
  }
});
