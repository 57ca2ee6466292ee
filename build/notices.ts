/** Whose code a bundle carries, and on what terms: the texts that their licences ask to be kept with every copy. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const LINE = "-".repeat(78);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * The notices of the packages that `modules`, paths of bundled files, come from; each once, by name.
 * @throws when a package states no licence: it must not be passed on.
 */
export async function noticesOf(modules: readonly string[]): Promise<string> {
  const folders = [...new Set(modules.map(packageFolder))].filter((folder) => folder !== null);
  const notices = await Promise.all(folders.map(noticeOf));
  return `This contains code of these packages, each under the licence stated with it.\n\n${notices.sort().join("\n")}`;
}

/** The folder below the last `node_modules` of a path; null for our own code and what the bundler adds. */
function packageFolder(path: string): string | null {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? null;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as Package;
  if (typeof license !== "string") throw new Error(`${name} states no licence: it can't be bundled`);
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return [`${name} ${version} (${license})`, LINE, ...texts.map((text) => text.trim()), ""].join("\n");
}
