/**
 * `npm run build`, second half: the command as a bundle in `dist/cli`, with all that it imports. Finding, reading and linking four
 * hundred modules was half of a start. What is imported late stays in files of its own; the library entries are not
 * bundled (tsc writes them), so that whoever imports them shares their dependencies. Every file lies flat in `dist/cli`:
 * threads are started from beside whoever starts them, and package.json is two levels up, as it is for the sources.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "rolldown";
import { noticesOf } from "./notices.ts";

const root = join(import.meta.dirname, "..");

/** Writes the command to `folder`, which has package.json two levels up as `dist/cli` has. */
export async function buildCommand(folder: string): Promise<void> {
  const { output } = await build({
    cwd: root,
    input: {
      main: "src/cli/main.ts",
      // By the names under which their neighbours start them.
      "search-thread-main": "src/store/sqlite/search-thread-main.ts",
      "copy-thread": "src/store/sqlite/copy-thread.ts",
    },
    platform: "node",
    // Packages that have both forms: the CommonJS one of jsonc-parser hides what it requires from whoever bundles it.
    resolve: { mainFields: ["module", "main"] },
    // An operator adds OpenTelemetry's SDK beside us, and both have to hold the same copy of its interface.
    // The Explorer's files stay beside, for the library too.
    external: [/^node:/, /^@opentelemetry\//, /explorer-files\.js$/],
    // By the path that the source has: it is two levels up from here as well.
    makeAbsoluteExternalsRelative: false,
    output: {
      dir: folder,
      format: "esm",
      entryFileNames: "[name].js",
      // No hash: a new version overwrites what the compile cache has of the old one.
      chunkFileNames: "[name].js",
      // Stack traces stay readable; smaller files measured no faster.
      minify: false,
    },
    logLevel: "warn",
  });
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  await writeFile(join(folder, "THIRD-PARTY-NOTICES.txt"), await noticesOf(modules));
}

if (import.meta.main) await buildCommand(join(root, "dist", "cli"));
