/**
 * Where the running package lies and how it came there. Its name alone says nothing: a registry may have another package of that name,
 * so what depends on this one by name and version does so only where npm wrote down that it took it from a registry.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject } from "../spec/index.ts";
import { MAX_LOCKFILE_CHARS } from "./limits.ts";

/** The folder with package.json: a checkout, or where a package manager put it. */
export const ownHome: string = fileURLToPath(new URL("../../", import.meta.url));

/** True when npm's own record beside it says that a registry gave this package in this version. */
export async function isFromRegistry(home: string, version: string): Promise<boolean> {
  const modules = dirname(join(home, "."));
  if (basename(modules) !== "node_modules") return false;
  try {
    const text = await readFile(join(modules, ".package-lock.json"), "utf8");
    if (text.length > MAX_LOCKFILE_CHARS) return false;
    const record: unknown = JSON.parse(text);
    const packages = isJsonObject(record) && isJsonObject(record.packages) ? record.packages : {};
    const own = packages[`node_modules/${basename(home)}`];
    if (!isJsonObject(own) || own.version !== version) return false;
    // With `omit-lockfile-registry-resolved` npm leaves out whence, and of a registry's packages only.
    if (own.resolved === undefined) return typeof own.integrity === "string";
    // A registry's address of a tarball; any other is a file of somebody's.
    return /^https?:\/\/[^?#]+\/openmcp\/-\/openmcp-[^/?#]+\.tgz$/.test(String(own.resolved));
  } catch {
    return false;
  }
}
