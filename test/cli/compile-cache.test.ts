/** Where compiled code is kept: run unread at the next start, so only where nobody else can write. */
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CacheOwner, cacheFolder } from "../../src/cli/compile-cache.ts";
import { spawnCli } from "./run-cli.ts";

let caches = "";
beforeEach(async () => {
  caches = await mkdtemp(join(tmpdir(), "openmcp-caches-"));
});
afterEach(() => rm(caches, { recursive: true, force: true }));

const uid = process.getuid?.() ?? 0;
const owner = (more: Partial<CacheOwner> = {}): CacheOwner => ({
  env: { XDG_CACHE_HOME: caches },
  platform: "linux",
  getuid: () => uid,
  ...more,
});

describe.skipIf(process.platform === "win32")("the folder of compiled code", () => {
  it("is this user's alone", async () => {
    const folder = cacheFolder(owner());
    expect(folder).toBe(join(caches, "openmcp", "compiled"));
    expect((await stat(folder as string)).mode & 0o777).toBe(0o700);
    expect(cacheFolder(owner())).toBe(folder);
  });

  it("is not one that others may write to, or that is another's", async () => {
    expect(cacheFolder(owner({ getuid: () => uid + 1 }))).toBe(null);
    await mkdir(join(caches, "openmcp", "compiled"), { recursive: true });
    await chmod(join(caches, "openmcp"), 0o777);
    expect(cacheFolder(owner())).toBe(null);
    await chmod(join(caches, "openmcp"), 0o700);
    await chmod(caches, 0o770);
    expect(cacheFolder(owner())).toBe(null);
  });

  it("is none where there is no place for it", async () => {
    const nowhere = join(caches, "file");
    await symlink("/dev/null", nowhere);
    expect(cacheFolder(owner({ env: { XDG_CACHE_HOME: nowhere } }))).toBe(null);
  });

  it("is used by the command, and Node's own settings come first", async () => {
    const env = { XDG_CACHE_HOME: caches };
    expect((await spawnCli(["--help"], { env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } })).code).toBe(0);
    await expect(stat(join(caches, "openmcp"))).rejects.toThrow("ENOENT");
    expect((await spawnCli(["--help"], { env })).code).toBe(0);
    expect((await stat(join(caches, "openmcp", "compiled"))).isDirectory()).toBe(true);
  });
});
