/** The linter finds what the house forbids where it forbids it, and lets it pass where it is allowed. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const asks = 'export const ask = () => fetch("https://x.example");\n';
const asksGlobally = 'export const ask = () => globalThis.fetch("https://x.example");\n';

/** Path, text, and the rules that must be named for it. */
const plants: readonly (readonly [path: string, text: string, rules: readonly string[]])[] = [
  ["src/catalog/fetch.ts", asks, ["noRestrictedGlobals"]],
  ["src/relay/global-fetch.ts", asksGlobally, ["noJsRestrictedProperties"]],
  [
    "src/discovery/socket.ts",
    'export const open = () => new WebSocket("wss://x");\n',
    ["noRestrictedGlobals"],
  ],
  ["src/client/fetch.ts", asks, []],
  ["src/client/global-fetch.ts", asksGlobally, []],
  ["test/catalog/fetch.ts", asks, []],
  ["src/spec/star.ts", 'export * from "./error.ts";\n', ["noReExportAll"]],
  ["src/http/any.ts", "export const loose = (value: any): unknown => value;\n", ["noExplicitAny"]],
  ["src/server/console.ts", 'console.log("here");\n', ["noConsole"]],
  ["src/cli/console.ts", 'console.log("here");\n', []],
  ["src/store/type.ts", 'import { Store } from "./store.ts";\nexport type S = Store;\n', ["useImportType"]],
  ["test/store/only.test.ts", 'import { it } from "vitest";\nit.only("a", () => {});\n', ["noFocusedTests"]],
  ["test/store/skip.test.ts", 'import { it } from "vitest";\nit.skip("a", () => {});\n', ["noSkippedTests"]],
];

describe("the linter", () => {
  let folder = "";
  const found = new Map<string, string[]>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "openmcp-lint-"));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    for (const name of ["biome.json", ".gitignore"]) await cp(join(root, name), join(folder, name));
    for (const [path, text] of plants) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const report = await new Promise<string>((resolve) => {
      const bin = join(root, "node_modules/@biomejs/biome/bin/biome");
      const args = [bin, "lint", "--reporter=github", "--max-diagnostics=none", "src", "test"];
      execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
    });
    for (const [, rule = "", file = ""] of report.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g)) {
      const path = file.slice(file.search(/(?:src|test)\/[a-z]+\/[a-z-]+(?:\.test)?\.ts$/));
      found.set(path, [...(found.get(path) ?? []), rule]);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(plants)("%s", (path, _text, rules) => {
    expect(found.get(path) ?? []).toEqual(rules);
  });
});
