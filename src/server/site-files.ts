/**
 * The built files of `dist/web` by name. The names are read once, when first asked: only what was there then is ever opened, so
 * no spelling of a path leads out. Two levels up from the sources, from the library and from the bundled command alike.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteFile, SiteFiles } from "../doors/pages/index.ts";

const BUILT = join(import.meta.dirname, "..", "..", "dist", "web");

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

/** Files are kept in memory once read: all of them are a few megabytes, and they don't change while a catalog runs. */
export function createSiteFiles(folder: string = BUILT): SiteFiles {
  const kept = new Map<string, Promise<SiteFile>>();
  let names: Promise<ReadonlySet<string>> | null = null;

  return async (path) => {
    names ??= namesIn(folder);
    if (!(await names).has(path)) return null;
    let file = kept.get(path);
    if (file === undefined) {
      file = read(path);
      kept.set(path, file);
      file.catch(() => kept.delete(path));
    }
    return file;
  };

  async function read(path: string): Promise<SiteFile> {
    const ending = path.slice(path.lastIndexOf(".") + 1);
    return { body: await readFile(join(folder, path)), type: types[ending] ?? "application/octet-stream" };
  }
}

/** Nothing where nothing was built (`npm run build:web`). */
async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll("\\", "/"),
      ),
  );
}
