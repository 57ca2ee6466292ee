/** A file that appears whole or not at all: made beside its place and given its name last, so that a crash or a full disk leaves the old one. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OpenMcpError } from "../spec/index.ts";

/**
 * `make` gets the path of the file under the name that it has until it is whole.
 * @throws OpenMcpError `invalid-input` where something else than a file has the name: a device would be put out of its place.
 */
export async function writeWhole<T>(target: string, make: (temporary: string) => Promise<T>): Promise<T> {
  const there = await stat(target).catch(() => null);
  if (there !== null && !there.isFile()) {
    const what = there.isDirectory() ? "a folder" : "no file";
    throw new OpenMcpError("invalid-input", `The file can't be written: "${target}" is ${what}.`, {
      data: { field: "file" },
    });
  }
  const temporary = `${target}.part-${randomUUID().slice(0, 8)}`;
  try {
    const made = await make(temporary);
    await toDisk(temporary);
    await rename(temporary, target);
    await toDisk(dirname(target)).catch(() => {
      // Not every system lets a folder be written out; the file itself is.
    });
    return made;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A file that was not there. @throws OpenMcpError `invalid-input` when it can't be made. */
export async function openNew(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, "wx", mode);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpenMcpError("invalid-input", `The file can't be written: ${reason}.`, {
      data: { field: "file" },
    });
  }
}

async function toDisk(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
