/**
 * The machine that an application runs on, handed in: what a path looks like on Windows is tested on Linux. Only looks at files; what
 * writes them is config-file.ts.
 */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { type PlatformPath, posix, win32 } from "node:path";

export type Platform = "darwin" | "linux" | "win32";

export interface Machine {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's own folder, absolute. */
  readonly home: string;
  /** Where the command was given. */
  readonly cwd: string;
  /** Node's own path. */
  readonly execPath: string;
  /** True for a file that may be run. */
  isExecutable(path: string): Promise<boolean>;
  /** True for anything that is there. */
  exists(path: string): Promise<boolean>;
}

/** This machine, or the parts of another. */
export function machineOf(
  process: {
    readonly platform: string;
    readonly env: Machine["env"];
    readonly home: string;
    readonly cwd: string;
    readonly execPath: string;
  } & Partial<Pick<Machine, "isExecutable" | "exists">>,
): Machine {
  const { platform } = process;
  return {
    isExecutable,
    exists,
    ...process,
    // The BSDs keep their files as Linux does.
    platform: platform === "darwin" || platform === "win32" ? platform : "linux",
  };
}

/** How paths are written there. */
export function pathsOf({ platform }: Pick<Machine, "platform">): PlatformPath {
  return platform === "win32" ? win32 : posix;
}

/**
 * A path with `$HOME`, `%APPDATA%` and their like filled in; null when the environment does not say where that is. `.config` is where
 * `XDG_CONFIG_HOME` says.
 */
export function expandPath(template: string, machine: Machine): string | null {
  const { env, home, platform } = machine;
  const paths = pathsOf(machine);
  const config = env.XDG_CONFIG_HOME ?? "";
  const known: Readonly<Record<string, string | undefined>> = {
    HOME: home,
    USERPROFILE: env.USERPROFILE ?? home,
    APPDATA: env.APPDATA ?? paths.join(home, "AppData", "Roaming"),
    LOCALAPPDATA: env.LOCALAPPDATA ?? paths.join(home, "AppData", "Local"),
  };
  const text =
    platform === "linux" && paths.isAbsolute(config)
      ? template.replace(/^\$HOME\/\.config(?=\/)/, () => config)
      : template;
  const filled = text.replace(
    /\$([A-Z]+)|%([A-Z]+)%/g,
    (_all, dollar, percent) => known[dollar ?? percent] ?? "\0",
  );
  return filled.includes("\0") ? null : paths.normalize(filled);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
