/** Every example compiles: the `ts` blocks of the pages, and the `@example`s of the code, each against the room it is in. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");
const filesOf = async (folder: string, end: string) =>
  (await readdir(join(root, folder), { recursive: true }))
    .filter((path) => path.endsWith(end))
    .map((path) => join(folder, path));

interface Example {
  readonly from: string;
  readonly text: string;
}

async function pageExamples(): Promise<Example[]> {
  const found: Example[] = [];
  for (const page of ["README.md", ...(await filesOf("docs", ".md"))]) {
    // Files of examples/, which are compiled where they lie; the page is held equal to them.
    if (page === "docs/examples.md") continue;
    for (const [, text = ""] of (await read(page)).matchAll(/^```ts\n((?:(?!```).*\n)*)/gm)) {
      found.push({ from: page, text });
    }
  }
  return found;
}

/** What an example in the code leaves unsaid is imported from its own room's entrance, or from another's. */
async function codeExamples(): Promise<Example[]> {
  const found: Example[] = [];
  const entrances = await entranceNames();
  for (const file of await filesOf("src", ".ts")) {
    for (const [, block = ""] of (await read(file)).matchAll(/^ *\* @example\n((?: *\*(?!\/| @).*\n)*)/gm)) {
      const text = block.replace(/^ *\* ?/gm, "").replace(/^```.*$/gm, "");
      found.push({ from: file, text: `${unsaid(file, text, entrances)}${text}` });
    }
  }
  return found;
}

/** Each file by which a room is entered, with the values it exports. */
async function entranceNames(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const file of await filesOf("src", ".ts")) {
    if (!/(?:index|suite)\.ts$/.test(file) || /operations/.test(file)) continue;
    const text = await read(file);
    const names = [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
      ([, name]) => name,
    );
    for (const [, list = ""] of text.matchAll(/^export \{([^}]*)\}/gm))
      names.push(...list.split(",").map((item) => item.trim()));
    found.set(
      file,
      names.filter((name): name is string => name !== undefined && /^\w+$/.test(name)),
    );
  }
  return found;
}

function unsaid(file: string, text: string, entrances: ReadonlyMap<string, readonly string[]>): string {
  if (text.includes("import {")) return "";
  const near = (path: string) => Number(!path.startsWith(dirname(file)));
  const lines = /\bit\(/.test(text) ? ['import { it } from "vitest";'] : [];
  const known = new Set<string>();
  for (const [path, names] of [...entrances].sort(([a], [b]) => near(a) - near(b))) {
    const used = names.filter(
      (name) => !known.has(name) && new RegExp(`\\b(?:of ${name}\\b|${name}\\()`).test(text),
    );
    for (const name of used) known.add(name);
    if (used.length > 0)
      lines.push(`import { ${used.join(", ")} } from ${JSON.stringify(join(root, path))};`);
  }
  if (/[ {]exchange[,; ]/.test(text) && !/\.exchange\b/.test(text)) {
    lines.push('declare const exchange: import("openmcp/spec").Exchange;');
  }
  return `${lines.join("\n")}\n`;
}

it("every example compiles", async () => {
  const examples = [...(await pageExamples()), ...(await codeExamples())];
  expect(examples.length).toBeGreaterThan(5);
  const folder = await mkdtemp(join(tmpdir(), "openmcp-examples-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    await symlink(join(root, "test/requirements.ts"), join(folder, "requirements.ts"));
    await mkdir(join(folder, "examples"));
    for (const [index, { from, text }] of examples.entries()) {
      const name = `${index}-${from.replaceAll(/[^a-z0-9]+/gi, "-")}.ts`;
      await writeFile(join(folder, "examples", name), `${text}\nexport {};\n`);
    }
    const { compilerOptions } = JSON.parse(await read("tsconfig.json")) as { compilerOptions: object };
    const { exports } = JSON.parse(await read("package.json")) as {
      exports: Record<string, { types?: string }>;
    };
    // Each entry of the package as it is in the sources.
    const paths = Object.fromEntries(
      Object.entries(exports).flatMap(([entry, { types }]) =>
        types === undefined
          ? []
          : [
              [
                `openmcp${entry.slice(1)}`,
                [join(root, types.replace("dist/", "src/").replace(/\.d\.ts$/, ".ts"))],
              ],
            ],
      ),
    );
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, paths },
        include: ["examples", join(root, "src/**/*.d.ts")],
      }),
    );
    expect(await compile(folder)).toBe("");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** What the compiler complains of; empty when nothing. */
function compile(folder: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", "."], { cwd: folder }, (error, stdout, stderr) => {
      resolve(error === null ? "" : `${stdout}${stderr}` || String(error));
    });
  });
}
