/** This machine and this installation, as the desktop room wants them handed in. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Machine, machineOf, type OwnInstallation } from "../../desktop/index.ts";
import { isFromRegistry, ownHome } from "../own-package.ts";
import type { Shell } from "../shell.ts";
import { version } from "../version.ts";

export function thisMachine({ env }: Pick<Shell, "env">): Machine {
  const home = (process.platform === "win32" ? env.USERPROFILE : env.HOME) ?? homedir();
  return machineOf({ platform: process.platform, env, home, cwd: process.cwd(), execPath: process.execPath });
}

/** The script that runs now, where its links lead: a link in a project's `.bin` goes with the project's next install. */
export async function ownInstallation(): Promise<OwnInstallation> {
  const beside = join(ownHome, import.meta.url.endsWith(".ts") ? "src/cli/main.ts" : "dist/cli/main.js");
  return { script: running() ?? beside, version, fromRegistry: await isFromRegistry(ownHome, version) };
}

function running(): string | null {
  try {
    const path = realpathSync(process.argv[1] ?? "");
    return /[\\/]cli[\\/]main\.[jt]s$/.test(path) ? path : null;
  } catch {
    return null;
  }
}
