/** Others' word on a document: two validators, and the types that a generator makes of it, compiled. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Validator as Judge, validate } from "@hyperjump/json-schema/openapi-3-1";
import { Validator } from "@seriousme/openapi-schema-validator";

/** The schema that the OpenAPI initiative publishes for 3.1. What a `$schema` in a tool's schema says is left to that dialect. */
const OFFICIAL = "https://spec.openapis.org/oas/3.1/schema";

let official: Promise<Judge> | null = null;
const second = new Validator();

/**
 * What the official schema and a second validator have against a document; nothing where it is valid. The second
 * follows whatever is named `$ref`, and knows nothing beside one: where that misleads it, it is not asked.
 */
export async function complaints(text: string, { officialOnly = false } = {}): Promise<unknown[]> {
  official ??= validate(OFFICIAL);
  const first = (await official)(JSON.parse(text), "BASIC");
  const other = officialOnly ? { valid: true } : await second.validate(JSON.parse(text));
  return [...(first.valid ? [] : (first.errors ?? [first])), ...(other.valid ? [] : [other.errors ?? other])];
}

const hook = new URL("../architecture/typescript-6-hook.mjs", import.meta.url).href;

type Generate = (document: string) => Promise<string>;
let generator: Promise<Generate> | null = null;

/** TypeScript of a document, by openapi-typescript. It fetches nothing that the documents here hold. */
export async function typesOf(text: string): Promise<string> {
  generator ??= loadGenerator();
  return (await generator)(text);
}

async function loadGenerator(): Promise<Generate> {
  await import(hook);
  const { default: generate, astToString } = await import("openapi-typescript");
  return async (text) => astToString(await generate(text, { silent: true }));
}

const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const settings = {
  strict: true,
  noEmit: true,
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "nodenext",
  moduleResolution: "nodenext",
  allowImportingTsExtensions: true,
  types: [],
};

/** What the compiler has against files, strictly read; empty when they compile. */
export async function compileErrors(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-types-"));
  try {
    const all = {
      "tsconfig.json": JSON.stringify({ compilerOptions: settings }),
      "package.json": '{"type":"module"}',
      ...files,
    };
    for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
    return await new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [compiler, "-p", folder],
        { maxBuffer: 1 << 26 },
        (error, stdout, stderr) => {
          if (error !== null && stdout === "") reject(new Error(stderr, { cause: error }));
          else resolve(stdout);
        },
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
