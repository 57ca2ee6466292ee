/**
 * A configuration file of somebody else's application: read whole, changed in one place, written so that a kill, a full disk or another
 * writer never leaves half a file. Its mode and its symbolic links stay.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { OpenMcpError } from "../spec/index.ts";
import { ABANDONED_MS, LOCK_MS, MAX_CONFIG_BYTES, MAX_LINKS } from "./limits.ts";

export interface ConfigFile {
  /** As it was asked for. */
  readonly path: string;
  /** Where the links lead. */
  readonly target: string;
  /** Null when there is none yet. */
  readonly bytes: Buffer | null;
  /** Empty when there is none. */
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
  /** Whose it is; null when there is none yet. */
  readonly owner: Owner | null;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** For its owner only: environments hold credentials. */
const NEW_MODE = 0o600;

/** A pipe that nobody writes to is opened all the same, and then refused. Windows has no such flag, and no such pipes. */
const WITHOUT_WAITING = constants.O_NONBLOCK ?? 0;

/** @throws OpenMcpError `invalid-input` for what is no file, too large, or not UTF-8. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const target = await targetOf(path);
  let bytes: Buffer;
  let mode: number;
  let owner: Owner;
  try {
    await using handle = await open(target, constants.O_RDONLY | WITHOUT_WAITING);
    const info = await handle.stat();
    if (!info.isFile()) throw refuse(path, "it is no file");
    mode = info.mode & 0o7777;
    owner = { uid: info.uid, gid: info.gid };
    bytes = await boundedBytes(handle);
    if (bytes.byteLength > MAX_CONFIG_BYTES)
      throw refuse(path, `it is over ${MAX_CONFIG_BYTES / 1024 / 1024} MiB`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { path, target, bytes: null, text: "", mode: NEW_MODE, owner: null };
    if (error instanceof OpenMcpError) throw error;
    throw refuse(path, error instanceof Error ? error.message : String(error), error);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, target, bytes, text, mode, owner };
  } catch (error) {
    throw refuse(path, "it is not UTF-8", error);
  }
}

/** A byte more than a configuration may have at most: what a file says of its size is not what it gives. */
async function boundedBytes(handle: FileHandle): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of handle.createReadStream({ end: MAX_CONFIG_BYTES, autoClose: false })) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

export interface Written {
  /** The file as it was before; null when there was none. */
  readonly backup: string | null;
}

/**
 * Puts the text in the file's place: a backup, a new file beside it, written out, and renamed last.
 * @throws OpenMcpError `conflict` when the file is not as it was read.
 */
export async function writeConfigFile(file: ConfigFile, text: string): Promise<Written> {
  const { path, target, bytes, mode, owner } = file;
  const folder = dirname(target);
  await folderFor(folder, path);
  await using _lock = await locked(target, path);
  const backup = bytes === null ? null : `${target}.openmcp-backup`;
  if (backup !== null && bytes !== null) await replace(backup, { bytes, mode, owner });
  await replace(target, {
    bytes: Buffer.from(text, "utf8"),
    mode,
    owner,
    // As late as can be: an application writes its own file too.
    last: async () => {
      const now = await readConfigFile(path);
      const unchanged = now.bytes === null ? bytes === null : bytes !== null && now.bytes.equals(bytes);
      if (now.target === target && unchanged) return;
      throw changedMeanwhile(path);
    },
  });
  return { backup };
}

/** Made when it is not there. @throws OpenMcpError `invalid-input` when it can't be. */
async function folderFor(folder: string, path: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Two of ours at once would each find the file as it was, and one would undo the other. @throws OpenMcpError `conflict` */
async function locked(target: string, path: string): Promise<AsyncDisposable> {
  const lock = `${target}.openmcp-lock`;
  const info = await lstat(lock).catch(() => null);
  if (info !== null && Date.now() - info.mtimeMs > LOCK_MS) await rm(lock, { force: true });
  try {
    await writeFile(lock, "", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(path, error);
    throw changedMeanwhile(path);
  }
  return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
}

function changedMeanwhile(path: string): OpenMcpError {
  return new OpenMcpError(
    "conflict",
    `${path} was changed by something else meanwhile; nothing was written. Try again.`,
    { data: { path } },
  );
}

interface Replacement {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly owner: Owner | null;
  readonly last?: () => Promise<void>;
}

async function replace(target: string, { bytes, mode, owner, last }: Replacement): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString("hex")}.openmcp-new`;
  try {
    {
      await using handle = await open(temporary, "wx", mode);
      await handle.writeFile(bytes);
      // What the process masks of a new file's mode is the old one's own.
      await handle.chmod(mode).catch(() => undefined);
      // Under sudo the file stays its owner's, who would not read it again otherwise.
      if (owner !== null) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
      await handle.sync();
    }
    await last?.();
    await rename(temporary, target);
  } catch (error) {
    if (error instanceof OpenMcpError) throw error;
    throw unwritable(target, error);
  } finally {
    await rm(temporary, { force: true });
  }
  await sweep(target);
  await writtenOut(dirname(target));
}

/** Whoever was killed in the middle of a write left its new file behind. Another one's, of now, is let be. */
async function sweep(target: string): Promise<void> {
  const folder = dirname(target);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${basename(target)}.`) || !/\.[0-9a-f]{12}\.openmcp-new$/.test(name)) continue;
    const path = join(folder, name);
    const info = await lstat(path).catch(() => null);
    if (info?.isFile() === true && Date.now() - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

function unwritable(path: string, error: unknown): OpenMcpError {
  return new OpenMcpError(
    "invalid-input",
    `${path} can't be written: ${error instanceof Error ? error.message : error}.`,
    { data: { path, reason: (error as NodeJS.ErrnoException).code ?? null }, cause: error },
  );
}

/** Not every system lets a folder be written out; the file itself is. */
async function writtenOut(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch {
    // See above.
  }
}

/** Where the links lead, one that leads to nothing too: the file is made there. */
async function targetOf(path: string): Promise<string> {
  let at = resolve(path);
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      return await realpath(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw refuse(path, whyNot(error), error);
    }
    const next = await readlink(at).catch(() => null);
    if (next === null) return at;
    at = isAbsolute(next) ? next : join(dirname(at), next);
  }
  throw refuse(path, "its links lead in a circle");
}

function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ELOOP") return "its links lead in a circle";
  if (code === "ENOTDIR") return "a folder on its way is a file";
  return error instanceof Error ? error.message : String(error);
}

function refuse(path: string, reason: string, cause?: unknown): OpenMcpError {
  return new OpenMcpError("invalid-input", `${path} can't be read as a configuration: ${reason}.`, {
    data: { path },
    ...(cause === undefined ? {} : { cause }),
  });
}
