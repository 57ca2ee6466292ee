/** `openmcp new`: what is written, what is refused, and that a failure leaves nothing. test/package installs and runs what it wrote. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { writeStarter } from "../../src/cli/new/write-starter.ts";
import { verifies } from "../requirements.ts";
import { runCli } from "./run-cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-new-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const all = async (path: string) => (await readdir(path, { recursive: true })).sort();

it("writes a whole project with pinned dependencies", verifies("new.starter"), async () => {
  const place = join(folder, "relays", "weather");
  const { code, stdout } = await runCli(["new", place]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("npm install && npm start")]);
  const files = [".gitignore", "README.md", "package.json", "src", "src/main.ts", "src/relay.ts"];
  expect(await all(place)).toEqual([...files, "test", "test/relay.test.ts", "tsconfig.json"]);
  const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "weather",
    dependencies: {
      openmcp: packageJson.version,
      zod: packageJson.dependencies.zod,
      "@modelcontextprotocol/server": packageJson.dependencies["@modelcontextprotocol/server"],
    },
  });
  expect(
    Object.values({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      (one) => !/^\d/.test(`${one}`),
    ),
  ).toEqual([]);
  expect(await readFile(join(place, "src/relay.ts"), "utf8")).toContain('server("weather", "0.1.0"');
  expect(await readdir(join(folder, "relays"))).toEqual(["weather"]);
});

it("writes into a folder that is empty", verifies("new.refuses"), async () => {
  const place = join(folder, "empty");
  await mkdir(place);
  const { stdout } = await runCli(["new", place, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, name: "empty", folder: place });
  expect(await readdir(place)).toHaveLength(6);
});

it(
  "refuses a folder that is not empty, a file, and names that are none",
  verifies("new.refuses"),
  async () => {
    const place = join(folder, "full");
    await mkdir(place);
    await writeFile(join(place, "mine.txt"), "mine");
    await writeFile(join(folder, "file"), "mine");
    const names = [
      place,
      join(folder, "file"),
      join(folder, "file", "in-it"),
      join(folder, "Big"),
      join(folder, "openmcp"),
      join(folder, "a b"),
    ];
    const before = await all(folder);
    for (const name of names) {
      const { code, stdout, stderr } = await runCli(["new", name]);
      expect([code, stdout, stderr.startsWith("✗")], name).toEqual([2, "", true]);
    }
    expect(await all(folder)).toEqual(before);
  },
);

it("leaves nothing when a file can't be written", verifies("new.refuses"), async () => {
  const broken = new Map([
    ["package.json", "{}"],
    ["src/relay.ts", ""],
    // A file in the place of a folder: it fails in the middle.
    ["package.json/inside", ""],
  ]);
  const before = await all(folder);
  await expect(writeStarter(join(folder, "deep/er/none"), broken)).rejects.toThrow("can't be written");
  expect(await all(folder)).toEqual(before);
  const empty = join(folder, "still-empty");
  await mkdir(empty);
  await expect(writeStarter(empty, broken)).rejects.toThrow("can't be written");
  expect(await readdir(empty)).toEqual([]);
});
