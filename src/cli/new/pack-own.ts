/**
 * The running package as a file that npm installs, for a starter that can't name it in a registry. Packed as it lies there: nothing is
 * built, and its scripts, which are a checkout's, are not in the copy: npm would ask about them.
 */
import { execFile } from "node:child_process";
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isJsonObject, OpenMcpError } from "../../spec/index.ts";
import { PACK_TIMEOUT_MS } from "../limits.ts";

export interface Packed {
  /** Such as `openmcp-0.1.0.tgz`. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** @throws OpenMcpError `unavailable` in a checkout that is not built, and where there is no npm. */
export async function packOwn(
  home: string,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Packed> {
  for (const built of ["dist/kit/index.js", "dist/cli/main.js"]) {
    await access(join(home, built)).catch(() => {
      throw unavailable(
        `OpenMCP is not built: there is no ${built} in ${home}. \`npm run build\` there does it.`,
      );
    });
  }
  const folder = await mkdtemp(join(tmpdir(), "openmcp-pack-"));
  try {
    const copy = join(folder, "package");
    const packed = join(folder, "packed");
    await mkdir(copy);
    await mkdir(packed);
    await copyOwn(home, copy);
    // The place in the environment: on Windows npm is a script, started by a shell that would read a path's spaces.
    await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--silent"], {
      cwd: copy,
      env: { ...withoutOuterNpm(env), npm_config_pack_destination: packed, npm_config_dry_run: "false" },
      shell: process.platform === "win32",
      timeout: PACK_TIMEOUT_MS,
      signal,
    });
    const [file = ""] = await readdir(packed);
    return { file, bytes: await readFile(join(packed, file)) };
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    throw unavailable(
      code === "ENOENT"
        ? "The relay's copy of OpenMCP is packed by npm, and there is no npm in PATH."
        : `npm could not pack ${home}: \`npm pack --ignore-scripts\` there says why.`,
      error,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What its package.json says that the package is made of. */
async function copyOwn(home: string, copy: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const { scripts: _scripts, ...kept } = isJsonObject(manifest) ? manifest : {};
  await writeFile(join(copy, "package.json"), `${JSON.stringify(kept, null, 2)}\n`);
  for (const part of Array.isArray(kept.files) ? kept.files : []) {
    if (typeof part === "string") await cp(join(home, part), join(copy, part), { recursive: true });
  }
}

/** What an outer `npm run` says of its own project is not this one's. */
function withoutOuterNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^npm_(?:package|lifecycle|command|config_(?:local_)?prefix)/i.test(name),
    ),
  );
}

function unavailable(message: string, cause?: unknown): OpenMcpError {
  return new OpenMcpError("unavailable", message, { data: { part: "package" }, cause });
}
