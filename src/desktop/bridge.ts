/**
 * How an application starts `openmcp connect`, the bridge to what it can't reach itself: by this installation of OpenMCP where that
 * stays, by npx where a registry's was only passing through. No entry names a package that a registry did not give: under its name
 * there may be another's.
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
  /** A registry gave it, so that npx finds the same there. */
  readonly fromRegistry: boolean;
}

/** @throws OpenMcpError `invalid-input` when there is neither a lasting installation nor an npx that would find this one. */
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
  if (!own.fromRegistry) {
    throw refusal(
      "This OpenMCP is gone when npx clears its store, and came out of no registry. Install it first, by the file or folder that you gave npx: npm install -g <that>.",
    );
  }
  if ((await inPath("npx", machine)) === null) {
    throw refusal(
      `The application starts the bridge with npx, and there is none in PATH. Install Node.js with npm, or OpenMCP itself: npm install -g openmcp@${own.version}.`,
    );
  }
  const { launch } = await launchCommand(["npx", "-y", `openmcp@${own.version}`, ...words], { env, machine });
  return launch;
}

function refusal(message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field: "client" } });
}

/** False for what npx keeps for a while. */
function lasts(script: string, machine: Machine): boolean {
  return !script.split(pathsOf(machine).sep).some((folder) => folder === "_npx" || folder === "dlx");
}
