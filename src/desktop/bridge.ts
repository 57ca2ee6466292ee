/**
 * How an application starts `openmcp connect`, the bridge to what it can't reach itself: by this installation of OpenMCP where that
 * stays, by npx where it was only passing through.
 */
import { OpenMcpError } from "../spec/index.ts";
import type { CommandLaunch } from "./entry.ts";
import { inPath, launchCommand } from "./launch-command.ts";
import { type Machine, pathsOf } from "./machine.ts";

export interface BridgeTarget {
  /** A relay's id or an endpoint's URL; null: the catalog itself. */
  readonly target: string | null;
  /** Null: the default. */
  readonly catalog: string | null;
  /** The credential for the target; goes into the entry's environment. */
  readonly token: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OwnInstallation {
  /** The script of the bin. */
  readonly script: string;
  readonly version: string;
}

/** @throws OpenMcpError `invalid-input` when there is neither a lasting installation nor an npx. */
export async function bridgeLaunch(
  { target, catalog, token, headers }: BridgeTarget,
  { own, machine }: { readonly own: OwnInstallation; readonly machine: Machine },
): Promise<CommandLaunch> {
  const env: Record<string, string> = token === null ? {} : { OPENMCP_RELAY_TOKEN: token };
  const words = [
    ...(catalog === null ? [] : ["--catalog", catalog]),
    "connect",
    ...(target === null ? [] : [target]),
  ];
  for (const [index, [name, value]] of Object.entries(headers).entries()) {
    // In the environment and not in the arguments, which every user of the machine can list.
    const variable = `OPENMCP_HEADER_${index + 1}`;
    env[variable] = value;
    words.push("--header", `${name}: \${${variable}}`);
  }
  if (lasts(own.script, machine)) {
    return { kind: "command", command: machine.execPath, args: [own.script, ...words], env };
  }
  if ((await inPath("npx", machine)) === null) {
    throw new OpenMcpError(
      "invalid-input",
      "The application starts the bridge with npx, and there is none in PATH. Install Node.js with npm, or OpenMCP itself: npm install -g openmcp.",
      { data: { field: "client" } },
    );
  }
  const { launch } = await launchCommand(["npx", "-y", `openmcp@${own.version}`, ...words], { env, machine });
  return launch;
}

/** False for what npx keeps for a while. */
function lasts(script: string, machine: Machine): boolean {
  return !script.split(pathsOf(machine).sep).some((folder) => folder === "_npx" || folder === "dlx");
}
