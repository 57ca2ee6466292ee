/** Every example compiles: the `ts` blocks of the pages, and the `@example`s of the code, each against the room it is in. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
    for (const [, text = ""] of (await read(page)).matchAll(/^```ts\n((?:(?!```).*\n)*)/gm)) {
      found.push({ from: page, text });
    }
  }
  return found;
}

/** What an example in the code leaves unsaid is imported from its own room's entrance. */
async function codeExamples(): Promise<Example[]> {
  const found: Example[] = [];
  for (const file of await filesOf("src", ".ts")) {
    for (const [, block = ""] of (await read(file)).matchAll(/^ *\* @example\n((?: *\*(?!\/| @).*\n)*)/gm)) {
      const text = block.replace(/^ *\* ?/gm, "").replace(/^```.*$/gm, "");
      found.push({ from: file, text: `${await missingImports(file, text)}${text}` });
    }
  }
  return found;
}

async function missingImports(file: string, text: string): Promise<string> {
  const [, room = "", inner] = file.split(sep);
  const adapter = room === "store" && (inner === "sqlite" || inner === "postgres");
  const entrance = join(root, "src", room, ...(adapter ? [inner] : []), "index.ts");
  const names = Object.keys((await import(pathToFileURL(entrance).href)) as object);
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text) && !text.includes("import {"));
  const handed = /\bexchange\b/.test(text) && !/\.exchange\b/.test(text);
  return [
    used.length === 0 ? "" : `import { ${used.join(", ")} } from ${JSON.stringify(entrance)};\n`,
    handed ? 'declare const exchange: import("openmcp/spec").Exchange;\n' : "",
  ].join("");
}

it("every example compiles", async () => {
  const examples = [...(await pageExamples()), ...(await codeExamples())];
  expect(examples.length).toBeGreaterThan(5);
  const folder = await mkdtemp(join(tmpdir(), "openmcp-examples-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    await mkdir(join(folder, "examples"));
    for (const [index, { from, text }] of examples.entries()) {
      const name = `${index}-${from.replaceAll(/[^a-z0-9]+/gi, "-")}.ts`;
      await writeFile(join(folder, "examples", name), `${text}\nexport {};\n`);
    }
    const { compilerOptions } = JSON.parse(await read("tsconfig.json")) as { compilerOptions: object };
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, paths: { "openmcp/*": [join(root, "src/*/index.ts")] } },
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
