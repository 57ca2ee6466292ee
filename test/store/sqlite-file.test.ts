/** What is the file's own: schema versions, files of other kinds, and what outlives a close or a kill. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OpenMcpError } from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import {
  indexAll,
  list,
  listedIds,
  NOW,
  sampleRecord,
  sampleTool,
  wholePage,
} from "../../src/store/suite/samples.ts";

let folder = "";
let path = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-file-"));
  path = join(folder, "catalog.db");
});
afterEach(() => rm(folder, { recursive: true }));

async function refusal(file: string): Promise<OpenMcpError> {
  return openSqliteStore({ path: file }).then(
    () => expect.fail("the file was opened"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(OpenMcpError);
      return error as OpenMcpError;
    },
  );
}

describe("opening", () => {
  it("refuses a newer schema, naming both versions and the cure, and leaves it alone", async () => {
    await (await openSqliteStore({ path })).close();
    const database = new DatabaseSync(path);
    const known = database.prepare("pragma user_version").get()?.user_version as number;
    database.exec(`pragma user_version = ${known + 1}`);
    database.close();
    const before = await readFile(path);
    const error = await refusal(path);
    expect(error.code).toBe("schema-too-new");
    expect(error.data).toEqual({ found: known + 1, known });
    expect(error.message).toContain(`version ${known + 1}`);
    expect(error.message).toContain("Run the newer OpenMCP");
    expect(await readFile(path)).toEqual(before);
  });

  it("refuses a file that is no database, and leaves it alone", async () => {
    const text = "This is a shopping list.\n".repeat(200);
    await writeFile(path, text);
    const error = await refusal(path);
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain("not a SQLite database");
    // By this the doors know that the sentence, which names the file, is not for callers.
    expect(error.data).toEqual({ part: "store" });
    expect(error.message).toContain(path);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("refuses another program's database, and leaves it alone", async () => {
    const database = new DatabaseSync(path);
    database.exec("create table cookbook (recipe text)");
    database.close();
    const error = await refusal(path);
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain("another program");
    const again = new DatabaseSync(path);
    expect(
      again
        .prepare("select name from sqlite_schema")
        .all()
        .map((row) => row.name),
    ).toEqual(["cookbook"]);
    expect(again.prepare("pragma user_version").get()?.user_version).toBe(0);
    again.close();
  });

  it("says why a file can't be opened", async () => {
    expect((await refusal(join(folder, "no", "such", "folder.db"))).message).toContain("create its folder");
    await mkdir(join(folder, "a-folder"));
    expect((await refusal(join(folder, "a-folder"))).code).toBe("unavailable");
  });

  it("takes an empty file for a new one", async () => {
    await writeFile(path, "");
    await using store = await openSqliteStore({ path });
    expect(await store.relays.counts()).toEqual({ relays: 0, online: 0 });
  });
});

describe("closing", () => {
  it("keeps everything for the next opening, marks of the search index too", async () => {
    {
      await using store = await openSqliteStore({ path });
      await list(store, sampleRecord("a.example", { tools: [sampleTool("indexed")] }));
      await indexAll(store);
      await list(store, sampleRecord("b.example", { tools: [sampleTool("marked")] }));
      await store.jobs.create({ id: "job", urls: ["https://c.example"], now: NOW });
    }
    await using store = await openSqliteStore({ path });
    expect(await listedIds(store, {}, wholePage)).toEqual(["a.example", "b.example"]);
    expect(await store.changes.list(0, 10)).toHaveLength(2);
    expect(await store.jobs.unfinished()).toEqual(["job"]);
    expect(await store.tools.find({ q: "indexed", limit: 5 })).toHaveLength(1);
    expect(await store.searchIndex.pending()).toBe(1);
    await indexAll(store);
    expect(await store.tools.find({ q: "marked", limit: 5 })).toHaveLength(1);
  });

  it("leaves one file: no write-ahead log beside it", async () => {
    await (await openSqliteStore({ path })).close();
    await expect(readFile(`${path}-wal`)).rejects.toThrow("ENOENT");
  });
});

describe("a killed process", () => {
  it("leaves a file that opens and holds all that was answered for", async () => {
    const answered = new Map<string, number>();
    for (const enough of [1, 40, 150]) {
      const writer = spawn(process.execPath, [join(import.meta.dirname, "writer-process.ts"), path], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(writer, "exit");
      let heard = 0;
      for await (const line of createInterface({ input: writer.stdout })) {
        const [id = "", revision] = line.split(" ");
        if (line.endsWith(String(revision)) && revision !== "") answered.set(id, Number(revision));
        heard += 1;
        if (heard === enough) writer.kill("SIGKILL");
      }
      expect(await exited).toEqual([null, "SIGKILL"]);

      await using store = await openSqliteStore({ path });
      for (const [id, revision] of answered) {
        const stored = await store.relays.get(id);
        expect(stored?.record.tools, id).toHaveLength(5);
        expect(stored?.revision).toBe(revision);
      }
      const { relays } = await store.relays.counts();
      expect(relays).toBeGreaterThanOrEqual(answered.size);
      expect(await store.changes.list(0, 10_000)).toHaveLength(relays);
      await indexAll(store);
      const last = [...answered.keys()].at(-1) ?? "";
      const word = `word${last.split("-")[1]}`;
      const hits = await store.tools.find({ q: word, limit: 100 });
      expect(hits.filter((hit) => hit.relay === last)).toHaveLength(5);
    }
    const database = new DatabaseSync(path);
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
    database.close();
  });
});

describe("two processes", () => {
  it("see each other's writes", async () => {
    await using one = await openSqliteStore({ path });
    await using two = await openSqliteStore({ path });
    await list(one, sampleRecord("a.example", { tools: [sampleTool("alpha")] }));
    await list(two, sampleRecord("b.example", { tools: [sampleTool("beta")] }));
    await indexAll(one);
    await list(one, sampleRecord("c.example", { tools: [sampleTool("gamma")] }));
    await indexAll(two);
    expect(await listedIds(one, {}, wholePage)).toEqual(["a.example", "b.example", "c.example"]);
    for (const store of [one, two]) {
      for (const q of ["alpha", "beta", "gamma"])
        expect(await store.tools.find({ q, limit: 5 })).toHaveLength(1);
    }
  });
});
