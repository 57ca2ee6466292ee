/**
 * Where compiled code is kept between runs. Node's own choice is a folder that all users of a machine share, and what lies there
 * is run unread: whoever may write to it may run code as us. So it is a folder of this user's alone, or none.
 * main.ts imports this before a Node's version is looked at: nothing that an old one lacks is named here.
 */
import { mkdirSync, statSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** The parts of `process` that are used. */
export interface CacheOwner {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Absent on Windows, where a user's folders are the user's. */
  getuid?(): number;
}

/** Turns the cache on where it is safe; without it a start takes longer, and nothing else changes. */
export function keepCompiledCode(owner: CacheOwner): void {
  // Whoever runs us may choose another place, or none: Node reads these two itself.
  if (owner.env.NODE_COMPILE_CACHE !== undefined || owner.env.NODE_DISABLE_COMPILE_CACHE !== undefined)
    return;
  const folder = cacheFolder(owner);
  if (folder !== null) module.enableCompileCache?.(folder);
}

/** Made if it isn't there; null when there is none that only this user can write to. */
export function cacheFolder(owner: CacheOwner): string | null {
  try {
    const caches = userCaches(owner);
    const ours = join(caches, "openmcp");
    const folder = join(ours, "compiled");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const uid = owner.getuid?.();
    // Whoever may write to a folder may put another in its place.
    return uid === undefined || [caches, ours, folder].every((path) => isOnlyOf(uid, path)) ? folder : null;
  } catch {
    // No home, or one that can't be written to.
    return null;
  }
}

function userCaches({ env, platform }: CacheOwner): string {
  if (env.XDG_CACHE_HOME?.startsWith("/")) return env.XDG_CACHE_HOME;
  const home = homedir();
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  return platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** A folder of this user that no one else may write to. */
function isOnlyOf(uid: number, path: string): boolean {
  const entry = statSync(path);
  return entry.isDirectory() && entry.uid === uid && (entry.mode & 0o022) === 0;
}
