/**
 * Builds the Explorer (web/explorer) into `dist/web/explorer`, and the same files as one module beside it, for runtimes without a file
 * system: `openmcp/kit` loads that module when somebody opens its page.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { noticesOf } from "./notices.ts";

const source = join(import.meta.dirname, "..", "web", "explorer");

export async function buildExplorer(folder: string, { module }: { readonly module: string }): Promise<void> {
  const modules: string[] = [];
  await build({
    configFile: false,
    root: source,
    // Wherever it is mounted.
    base: "./",
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [
      {
        name: "explorer",
        // package.json says that no module of ours does something by being imported; this one does.
        transform: (_code, id) => (id.endsWith("without-eval.ts") ? { moduleSideEffects: true } : null),
        generateBundle(_options, bundle) {
          for (const file of Object.values(bundle))
            if (file.type === "chunk") modules.push(...file.moduleIds);
        },
      },
    ],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      modulePreload: false,
      // An inlined file would be a `data:` that the page's policy refuses.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  await writeFile(join(folder, "third-party-notices.txt"), await noticesOf(modules));
  const entries: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (/\.(?:html|js|css|txt)$/.test(name))
      entries[name.replaceAll("\\", "/")] = await readFile(join(folder, name), "utf8");
  }
  await writeFile(module, `export const files = ${JSON.stringify(entries)};\n`);
}
