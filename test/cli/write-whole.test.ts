/** A file that appears whole takes the place of a file, and of nothing else. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeWhole } from "../../src/cli/write-whole.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-whole-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("takes the place of the file that was there", async () => {
  const target = join(folder, "a.json");
  await writeFile(target, "old");
  await writeWhole(target, (temporary) => writeFile(temporary, "new"));
  expect(await readFile(target, "utf8")).toBe("new");
  expect(await readdir(folder)).toEqual(["a.json"]);
});

it.each([
  ["a folder", () => folder, /is a folder/],
  ["a device", () => "/dev/null", /is no file/],
])("never that of %s, which is said before anything is made", async (_name, target, said) => {
  const before = await stat(target());
  const made: string[] = [];
  await expect(writeWhole(target(), async (temporary) => made.push(temporary))).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringMatching(said),
  });
  expect(made).toEqual([]);
  expect((await stat(target())).ino).toBe(before.ino);
});
