/**
 * How Claude Desktop is to start the bridge to a relay. It starts programs with a thin PATH and in another folder: the command is an
 * absolute path, and what that needs of PATH is given along (connect.md "Into an application").
 */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { OpenMcpError } from "../../spec/index.ts";
import { version } from "../version.ts";

export interface BridgeCommand {
  readonly command: string;
  /** The relay's URL comes behind. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface BridgeMachine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Node's own path; npx mostly lies beside it. */
  readonly execPath: string;
}

/** Where the relay's bridge finds what Node's own scripts call. */
const USUAL_PATH = ["/usr/local/bin", "/usr/bin", "/bin"];

/** @throws OpenMcpError `invalid-input` when there is no npx on this machine. */
export async function bridgeCommand({ platform, env, execPath }: BridgeMachine): Promise<BridgeCommand> {
  const windows = platform === "win32";
  const name = windows ? "npx.cmd" : "npx";
  const folders = [dirname(execPath), ...(env.PATH ?? env.Path ?? "").split(delimiter)];
  for (const folder of folders) {
    // A folder of a project is gone with the project.
    if (!isAbsolute(folder) || folder.includes("node_modules")) continue;
    const npx = join(folder, name);
    if (!(await isExecutable(npx))) continue;
    const args = ["-y", `openmcp@${version}`, "connect"];
    return windows
      ? { command: "cmd", args: ["/c", npx, ...args], env: {} }
      : { command: npx, args, env: { PATH: [...new Set([folder, ...USUAL_PATH])].join(delimiter) } };
  }
  throw new OpenMcpError(
    "invalid-input",
    "Claude Desktop starts the bridge with npx, and there is none in PATH. Install Node.js with npm, then try again.",
    { data: { field: "format" } },
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
