/** `openmcp new`: what is written, what is refused, and that a failure leaves nothing. test/package installs and runs what it wrote. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeStarter } from "../../src/cli/new/make-starter.ts";
import { writeStarter } from "../../src/cli/new/write-starter.ts";
import { isFromRegistry } from "../../src/cli/own-package.ts";
import { verifies } from "../requirements.ts";
import { runCli } from "./run-cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-new-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const all = async (path: string) => (await readdir(path, { recursive: true })).sort();

const versions = {
  server: "2.4.0",
  zod: "4.6.7",
  typescript: "7.0.2",
  nodeTypes: "24.19.4",
  node: ">=22.19",
};
const shell = { env: process.env, signal: AbortSignal.timeout(60_000) };

/** A package as small as one can be, where a package manager or a checkout has it. */
async function ownPackage(home: string) {
  await mkdir(join(home, "dist/kit"), { recursive: true });
  await mkdir(join(home, "dist/cli"));
  await writeFile(join(home, "dist/kit/index.js"), "export {};");
  await writeFile(join(home, "dist/cli/main.js"), "export {};");
  const scripts = { prepare: "exit 1", prepack: "exit 1" };
  const manifest = { name: "openmcp", version: "9.9.9", files: ["dist"], scripts };
  await writeFile(join(home, "package.json"), JSON.stringify(manifest));
  return { home, version: "9.9.9", pinned: versions };
}

/** As npm keeps it beside what it installed. */
const record = (modules: string, resolved: string | undefined) =>
  writeFile(
    join(modules, ".package-lock.json"),
    JSON.stringify({
      packages: { "node_modules/openmcp": { version: "9.9.9", integrity: "sha512-", resolved } },
    }),
  );

it("writes a whole project with pinned dependencies, and a copy of what wrote it", {
  ...verifies("new.starter", "new.own-package"),
  timeout: 60_000,
}, async () => {
  const own = await ownPackage(join(folder, "check out"));
  const place = join(folder, "relays", "weather");
  await makeStarter({ folder: place, name: "weather", own }, shell);
  const files = [".gitignore", "README.md", "package.json", "src", "src/main.ts", "src/relay.ts"];
  const copy = "vendor/openmcp-9.9.9.tgz";
  expect(await all(place)).toEqual([...files, "test", "test/relay.test.ts", "tsconfig.json", "vendor", copy]);
  const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "weather",
    dependencies: { openmcp: `file:${copy}`, zod: "4.6.7", "@modelcontextprotocol/server": "2.4.0" },
  });
  const { openmcp, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(Object.values(others).filter((one) => !/^\d/.test(`${one}`))).toEqual([]);
  expect(await readFile(join(place, "src/relay.ts"), "utf8")).toContain('server("weather", "0.1.0"');
  expect(await readFile(join(place, "README.md"), "utf8")).toContain(copy);
  expect(await readdir(join(folder, "relays"))).toEqual(["weather"]);
  expect(await readdir(own.home)).toEqual(["dist", "package.json"]);
});

it("names a version only of what a registry gave", verifies("new.own-package"), async () => {
  const modules = join(folder, "project", "node_modules");
  const own = await ownPackage(join(modules, "openmcp"));
  expect(await isFromRegistry(own.home, "9.9.9")).toBe(false);
  await record(modules, "https://registry.example/npm/openmcp/-/openmcp-9.9.9.tgz");
  expect(await isFromRegistry(own.home, "9.9.9")).toBe(true);
  expect(await isFromRegistry(own.home, "9.9.8")).toBe(false);
  await record(modules, undefined);
  expect(await isFromRegistry(own.home, "9.9.9")).toBe(true);
  const place = join(folder, "named");
  await makeStarter({ folder: place, name: "named", own }, shell);
  const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  expect(manifest.dependencies.openmcp).toBe("9.9.9");
  expect(await readFile(join(place, "README.md"), "utf8")).not.toContain("vendor");
  for (const other of [
    "file:../openmcp-9.9.9.tgz",
    "https://files.example/openmcp-9.9.9.tgz",
    "git+ssh://git@git.example/openmcp.git#1a2b3c",
  ]) {
    await record(modules, other);
    expect(await isFromRegistry(own.home, "9.9.9"), other).toBe(false);
  }
});

it("says how a checkout is built before it can be copied", verifies("new.own-package"), async () => {
  const own = await ownPackage(join(folder, "unbuilt"));
  await rm(join(own.home, "dist/cli"), { recursive: true });
  const before = await all(folder);
  const making = makeStarter({ folder: join(folder, "none"), name: "none", own }, shell);
  await expect(making).rejects.toThrow("`npm run build`");
  expect(await all(folder)).toEqual(before);
});

it("writes into a folder that is empty", verifies("new.refuses"), async () => {
  const place = join(folder, "empty");
  await mkdir(place);
  await writeStarter(place, new Map([["package.json", "{}"]]));
  expect(await readdir(place)).toEqual(["package.json"]);
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
