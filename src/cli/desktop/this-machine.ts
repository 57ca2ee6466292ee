/** This machine and this installation, as the desktop room wants them handed in. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { type Machine, machineOf, type OwnInstallation } from "../../desktop/index.ts";
import type { Shell } from "../shell.ts";
import { version } from "../version.ts";

export function thisMachine({ env }: Pick<Shell, "env">): Machine {
  const home = (process.platform === "win32" ? env.USERPROFILE : env.HOME) ?? homedir();
  return machineOf({ platform: process.platform, env, home, cwd: process.cwd(), execPath: process.execPath });
}

/** The script that runs now, where its links lead: a link in a project's `.bin` goes with the project's next install. */
export function ownInstallation(): OwnInstallation {
  const beside = new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js", import.meta.url);
  return { script: running() ?? fileURLToPath(beside), version };
}

function running(): string | null {
  try {
    const path = realpathSync(process.argv[1] ?? "");
    return /[\\/]cli[\\/]main\.[jt]s$/.test(path) ? path : null;
  } catch {
    return null;
  }
}
