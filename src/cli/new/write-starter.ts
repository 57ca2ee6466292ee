/**
 * A folder of new files that appears whole or not at all: it is filled beside its place and moved there. A folder that is there has to
 * be empty, and is left as it was when something fails.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OpenMcpError } from "../../spec/index.ts";

/** Path in the folder -> text, or the bytes of what is none. */
export type StarterFiles = ReadonlyMap<string, string | Uint8Array>;

/** @throws OpenMcpError `invalid-input` for a place that is taken or can't be written. */
export async function writeStarter(folder: string, files: StarterFiles): Promise<void> {
  try {
    if (await isEmptyFolder(folder)) await intoEmptyFolder(folder, files);
    else await asNewFolder(folder, files);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof OpenMcpError || code === undefined) throw error;
    throw refusal(`"${folder}" can't be written (${code})`, error);
  }
}

/** False: nothing is there yet. @throws OpenMcpError `invalid-input` for a place that is taken. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  const there = await entriesOf(folder);
  if (there !== null && there.length > 0) {
    throw refusal(`"${folder}" is not empty; name a folder that is new or empty`);
  }
  return there !== null;
}

/** Null: there is nothing of that name. */
async function entriesOf(folder: string): Promise<readonly string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") throw refusal(`"${folder}" is a file, or lies in one`, error);
    throw error;
  }
}

async function asNewFolder(folder: string, files: StarterFiles): Promise<void> {
  const parent = dirname(folder);
  const made = await mkdir(parent, { recursive: true });
  const part = join(parent, `.${basename(folder)}.part-${randomUUID().slice(0, 8)}`);
  try {
    await mkdir(part);
    await fill(part, files);
    // What came meanwhile is not written over: a folder with something in it refuses.
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/** In the folder itself, which someone may stand in or have linked to: `package.json` comes last, and before it there is no project. */
async function intoEmptyFolder(folder: string, files: StarterFiles): Promise<void> {
  const part = join(folder, `.part-${randomUUID().slice(0, 8)}`);
  const moved: string[] = [];
  try {
    await mkdir(part);
    await fill(part, files);
    const names = (await readdir(part)).sort(
      (a, b) => Number(a === "package.json") - Number(b === "package.json"),
    );
    for (const name of names) {
      await rename(join(part, name), join(folder, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

async function fill(folder: string, files: StarterFiles): Promise<void> {
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}

function refusal(reason: string, cause?: unknown): OpenMcpError {
  return new OpenMcpError("invalid-input", `${reason}.`, { data: { field: "name" }, cause });
}
