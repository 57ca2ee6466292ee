/** The client runs in browsers: bundled for one, nothing of it, the SDK's client included, asks for Node's own modules. */
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function bundle(entry: string): Promise<readonly Rollup.OutputChunk[]> {
  const built = (await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      target: "es2022",
      lib: { entry, formats: ["es"], fileName: "out" },
    },
  })) as Rollup.RollupOutput[];
  return built.flatMap(({ output }) => output).filter((part) => part.type === "chunk");
}

it("loads no module of Node's", async () => {
  const chunks = await bundle(`${root}src/client/index.ts`);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((id) => id.endsWith("src/client/catalog-client.ts"))).toBe(true);
  expect(modules.some((id) => id.includes("@modelcontextprotocol/client"))).toBe(true);
  expect(modules.filter((id) => id.includes("node:") || id.includes("__vite-browser-external"))).toEqual([]);
  const outside = chunks
    .flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
    .filter((name) => !chunks.some((chunk) => chunk.fileName === name));
  expect(outside).toEqual([]);
});

it("loads the SDK only when MCP is spoken: reading over REST needs none of it", async () => {
  const chunks = await bundle(`${root}src/client/index.ts`);
  const entry = chunks.find((chunk) => chunk.isEntry);
  expect(Object.keys(entry?.modules ?? {}).filter((id) => id.includes("@modelcontextprotocol"))).toEqual([]);
});

it("would notice: an entry that loads a module of Node's fails the same check", async () => {
  const chunks = await bundle(`${root}src/cli/terminal/style.ts`);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((id) => id.includes("node:") || id.includes("__vite-browser-external"))).toBe(true);
});
