/**
 * The directory's own files into `dist/web/assets`: one style sheet, one small script, an icon, and in `api/` the three files of
 * Swagger UI with what starts it. Swagger UI's licence lies beside it.
 */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "rolldown";

const web = join(import.meta.dirname, "..", "web");
const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** Writes them to `folder`, which may exist. */
export async function buildDirectory(folder: string): Promise<void> {
  const api = join(folder, "api");
  await mkdir(api, { recursive: true });
  const styles = ["design/tokens.css", "design/base.css", "directory/directory.css"];
  const css = await Promise.all(styles.map((path) => readFile(join(web, path), "utf8")));
  await writeFile(join(folder, "directory.css"), css.map(withoutComments).join(""));
  await script("directory.ts", folder);
  await copyFile(join(web, "directory", "icon.svg"), join(folder, "icon.svg"));
  await script("api.ts", api);
  await writeFile(
    join(api, "api.css"),
    withoutComments(await readFile(join(web, "directory", "api.css"), "utf8")),
  );
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"]) {
    const text = await readFile(join(swagger, name), "utf8");
    // Its source map is left out: what names it would send browsers for nothing.
    await writeFile(
      join(api, name.includes(".") ? name : `swagger-ui.${name}.txt`),
      text.replace(SOURCE_MAP, ""),
    );
  }
}

const SOURCE_MAP = /\n?(?:\/\*# sourceMappingURL=[^*]*\*\/|\/\/# sourceMappingURL=\S*)\s*$/;

async function script(name: string, folder: string): Promise<void> {
  await build({
    input: join(web, "directory", name),
    platform: "browser",
    output: { dir: folder, format: "iife", entryFileNames: "[name].js", minify: true },
    logLevel: "warn",
  });
}

/** Our own style sheets hold no comment mark in a text. */
function withoutComments(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/^\n/, "");
}
