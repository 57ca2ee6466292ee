/** The last line of a run is true: of the reporter that counts, and of `.ci/run`, which prints it whatever happened before. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-counts-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: folder, env: { ...process.env, CI: "true", TEST_COUNTS_FILE: undefined, ...env } };
  return new Promise<{ lines: readonly string[]; ok: boolean }>((resolve) => {
    execFile(command, args, options, (error, stdout) => {
      resolve({ lines: stdout.trimEnd().split("\n"), ok: error === null });
    });
  });
}

describe("the reporter", () => {
  const vitest = (env?: NodeJS.ProcessEnv) => {
    const bin = join(root, "node_modules/vitest/vitest.mjs");
    const reporter = join(root, "test/reporter.ts");
    return run(process.execPath, [bin, "run", "--root", folder, "--reporter", reporter], env);
  };
  beforeEach(async () => {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    await put("package.json", '{ "type": "module" }');
    await put(
      "good.test.js",
      'import { it } from "vitest";\nit("a", () => {});\nit("b", () => {});\nit.skip("c", () => {});\n',
    );
  });

  it("counts what passed and what was skipped", async () => {
    const { lines, ok } = await vitest();
    expect(ok).toBe(true);
    expect(lines.at(-1)).toBe("2 passed, 0 failed");
  });

  it("counts failures, files that can't be loaded, and errors that belong to no test", async () => {
    await put(
      "bad.test.js",
      'import { it } from "vitest";\nit("d", () => {\n  throw new Error("no");\n});\n',
    );
    await put("broken.test.js", 'import "./absent.js";\n');
    await put(
      "stray.test.js",
      'import { it } from "vitest";\nit("e", async () => {\n  Promise.reject(new Error("stray"));\n  await new Promise((resolve) => setTimeout(resolve, 20));\n});\n',
    );
    const { lines, ok } = await vitest();
    expect(ok).toBe(false);
    expect(lines.at(-1)).toBe("3 passed, 3 failed");
  });

  it("writes to a file for whoever prints it last", async () => {
    const file = join(folder, "counts.txt");
    await vitest({ TEST_COUNTS_FILE: file });
    expect(await readFile(file, "utf8")).toBe("1 skipped\n2 passed, 0 failed\n");
  });
});

describe(".ci/run", () => {
  /** Runs a copy of it with an `npm` that does what the text says. */
  async function ci(npm: string) {
    await mkdir(join(folder, ".ci"));
    await cp(join(root, ".ci/run"), join(folder, ".ci/run"));
    await put("bin/npm", `#!/usr/bin/env bash\n${npm}\n`);
    await chmod(join(folder, "bin/npm"), 0o755);
    return run("bash", [".ci/run"], { PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}` });
  }

  it("installs, then types the README's test command", async () => {
    const { lines, ok } = await ci(
      'echo "npm $*"; [ "$1" = ci ] || echo "7 passed, 0 failed" >"$TEST_COUNTS_FILE"',
    );
    expect(ok).toBe(true);
    expect(lines).toEqual(["npm ci --no-audit --no-fund", "npm test", "7 passed, 0 failed"]);
  });

  it("fails when the tests fail, with their counts last", async () => {
    const { lines, ok } = await ci(
      '[ "$1" = ci ] || { echo "6 passed, 1 failed" >"$TEST_COUNTS_FILE"; echo "npm error"; exit 1; }',
    );
    expect(ok).toBe(false);
    expect(lines.at(-1)).toBe("6 passed, 1 failed");
  });

  it.each([
    ["the installation fails", "exit 1"],
    ["a gate before the tests fails", '[ "$1" = ci ] || exit 1'],
    ["nothing was counted", "exit 0"],
  ])("fails when %s", async (_name, npm) => {
    const { lines, ok } = await ci(npm);
    expect(ok).toBe(false);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });
});
