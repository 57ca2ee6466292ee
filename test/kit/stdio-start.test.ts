/**
 * What a bundled server over stdio reads before it answers, for an application waits for it: bench/kit.ts has the milliseconds, and here
 * is what they hang on.
 */
import { join } from "node:path";
import { build, type OutputChunk } from "rolldown";
import { beforeAll, expect, it } from "vitest";
import { verifies } from "../requirements.ts";

const root = join(import.meta.dirname, "../..");

let files: ReadonlyMap<string, OutputChunk>;
/** With all that is imported before the first statement runs. */
const atStart: OutputChunk[] = [];

beforeAll(async () => {
  const { output } = await build({
    input: join(root, "bench/processes/greet-stdio-kit.ts"),
    platform: "node",
    write: false,
    logLevel: "silent",
    // The Explorer may not be built.
    external: [/explorer-files\.js$/],
    output: { format: "esm" },
  });
  files = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : [])));
  const names = output.flatMap((file) => (file.type === "chunk" && file.isEntry ? [file.fileName] : []));
  for (const name of names) {
    const file = files.get(name);
    if (file === undefined) continue;
    atStart.push(file);
    names.push(...file.imports.filter((each) => !names.includes(each)));
  }
}, 30_000);

it("is two files, and none is waited for later", verifies("stdio.start"), () => {
  expect(atStart).toHaveLength(2);
  const late = [...files.values()].filter((file) => !atStart.includes(file));
  const modules = late.flatMap(({ moduleIds }) => moduleIds.map((id) => id.slice(root.length + 1)));
  expect(modules).toContain("src/kit/web-relay.ts");
  expect(modules.filter((id) => /stdio|stdout/.test(id))).toEqual([]);
});

it("has nothing of HTTP in it but what judges a description", verifies("stdio.start"), () => {
  const builtins = new Set(atStart.flatMap(({ imports }) => imports).filter((id) => id.startsWith("node:")));
  // The SDK's own. Ours are asked for: an import of one looks up, and so loads, all that it offers.
  expect([...builtins]).toEqual(["node:process"]);
  const modules = atStart.flatMap(({ moduleIds }) => moduleIds);
  expect(modules.filter((id) => /web-relay|explorer|published|node-server|openapi/.test(id))).toEqual([]);
});

it("makes no pattern of Unicode's classes", verifies("stdio.start"), () => {
  // In a template they are a text still.
  const own = atStart.flatMap(({ modules }) =>
    Object.entries(modules).filter(([id]) => id.startsWith(join(root, "src"))),
  );
  const literal = /(?:=|\(|return)\s*\/(?:\\.|[^/\\\n])*\\p\{/;
  expect(literal.test(String.raw`const letters = /[\p{L}]+/u;`)).toBe(true);
  expect(own.filter(([, { code }]) => literal.test(code ?? "")).map(([id]) => id)).toEqual([]);
});
