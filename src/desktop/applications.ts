/**
 * The client applications: where each keeps its servers, and what an entry looks like. Paths and property names are
 * `@gleanwork/mcp-config-schema`'s, which follows the applications; what it does not know (project files, restarts, Zed) is the
 * table here.
 */
import {
  type ClientId,
  MCPConfigRegistry,
  type Platform as TheirPlatform,
} from "@gleanwork/mcp-config-schema";
import { OpenMcpError } from "../spec/index.ts";
import { expandPath, type Machine, pathsOf } from "./machine.ts";

export const applicationIds = [
  "claude-desktop",
  "claude-code",
  "vscode",
  "cursor",
  "windsurf",
  "zed",
  "codex",
  "gemini",
  "opencode",
] as const;

export type ApplicationId = (typeof applicationIds)[number];
export type Scope = "user" | "project";

/** What the parts of an entry are called. */
export interface EntryShape {
  readonly command: { readonly command: string; readonly args: string; readonly env: string };
  /** Null: an entry can't name a URL. */
  readonly http: { readonly url: string; readonly headers: string } | null;
  /** Members beside them, by the kind of entry. */
  readonly also: {
    readonly command: Readonly<Record<string, unknown>>;
    readonly http: Readonly<Record<string, unknown>>;
  };
}

export interface Application {
  readonly id: ApplicationId;
  readonly title: string;
  readonly format: "json" | "toml";
  /** False: plain JSON only; a comment makes the whole file unreadable for it. */
  readonly comments: boolean;
  /** The object that holds the entries by their names. */
  readonly key: string;
  readonly shape: EntryShape;
  /** Asks for secrets itself when an entry names `inputs`. */
  readonly inputs: boolean;
  readonly scopes: readonly Scope[];
  /** What a person has to do afterwards. */
  readonly restart: string;
}

interface Row extends Pick<Application, "comments" | "restart"> {
  /** Beside the project's folder. */
  readonly project?: string;
  readonly inputs?: true;
  /** A variable that names the folder of the user's file. */
  readonly folderVariable?: string;
  /** Other names of the file, taken when they are there and the first is not. */
  readonly otherNames?: readonly string[];
  readonly also?: Partial<EntryShape["also"]>;
  /** Does not say `type`, though it may. */
  readonly untyped?: true;
}

const rows: Readonly<Record<ApplicationId, Row>> = {
  "claude-desktop": {
    comments: false,
    untyped: true,
    restart:
      "Quit Claude Desktop completely (not only its window) and open it again: it reads the file at its start.",
  },
  "claude-code": {
    comments: false,
    project: ".mcp.json",
    folderVariable: "CLAUDE_CONFIG_DIR",
    restart:
      "Start Claude Code anew; `/mcp` in it lists the server. A project's servers are approved there once.",
  },
  vscode: {
    comments: true,
    project: ".vscode/mcp.json",
    inputs: true,
    restart: "VS Code sees the change; start the server with `MCP: List Servers`.",
  },
  cursor: {
    comments: true,
    project: ".cursor/mcp.json",
    restart:
      "Cursor sees the change; the server is in Settings under MCP, where it may have to be switched on.",
  },
  windsurf: { comments: false, restart: "Press Refresh in Windsurf's MCP settings, or start Windsurf anew." },
  zed: {
    comments: true,
    project: ".zed/settings.json",
    restart: "Zed sees the change; the Agent panel's settings show the server.",
  },
  codex: {
    comments: true,
    project: ".codex/config.toml",
    folderVariable: "CODEX_HOME",
    restart: "Start Codex anew; `codex mcp list` shows the server.",
  },
  gemini: {
    comments: true,
    project: ".gemini/settings.json",
    restart: "Start Gemini CLI anew; `/mcp` in it lists the server.",
  },
  opencode: {
    comments: true,
    project: "opencode.json",
    otherNames: ["opencode.jsonc"],
    also: { command: { type: "local", enabled: true }, http: { enabled: true } },
    restart: "Start OpenCode anew.",
  },
};

interface Known {
  readonly title: string;
  readonly format: "json" | "toml";
  readonly key: string;
  readonly shape: EntryShape;
  readonly paths: Readonly<Record<TheirPlatform, string | undefined>>;
}

/** Not in the package's table. */
const zed: Known = {
  title: "Zed",
  format: "json",
  key: "context_servers",
  shape: {
    command: { command: "command", args: "args", env: "env" },
    http: { url: "url", headers: "headers" },
    also: { command: {}, http: {} },
  },
  paths: {
    darwin: "$HOME/.config/zed/settings.json",
    linux: "$HOME/.config/zed/settings.json",
    win32: "%APPDATA%\\Zed\\settings.json",
  },
};

let registry: MCPConfigRegistry | undefined;

function known(id: ApplicationId): Known {
  if (id === "zed") return zed;
  registry ??= new MCPConfigRegistry();
  const config = registry.getConfig(id as ClientId);
  const stdio = config?.configStructure.stdioPropertyMapping;
  if (config === undefined || stdio === undefined || config.configFormat === "yaml") {
    throw new OpenMcpError("internal", `Nothing is known of the application "${id}".`);
  }
  const http = config.configStructure.httpPropertyMapping;
  const { untyped, also } = rows[id];
  const type = (property: string | undefined, value: string | undefined) =>
    property === undefined || value === undefined || untyped === true ? {} : { [property]: value };
  return {
    title: config.displayName,
    format: config.configFormat,
    key: config.configStructure.serversPropertyName,
    shape: {
      command: {
        command: stdio.commandProperty,
        args: stdio.argsProperty,
        env: stdio.envProperty ?? "env",
      },
      http: http === undefined ? null : { url: http.urlProperty, headers: http.headersProperty ?? "headers" },
      also: {
        command: { ...type(stdio.typeProperty, "stdio"), ...also?.command },
        http: { ...type(http?.typeProperty, http?.typeValue), ...also?.http },
      },
    },
    paths: {
      darwin: config.configPath.darwin,
      linux: config.configPath.linux,
      win32: config.configPath.win32,
    },
  };
}

export function applicationOf(id: ApplicationId): Application {
  const { title, format, key, shape } = known(id);
  const { comments, restart, inputs, project } = rows[id];
  return {
    id,
    title: id === "claude-desktop" ? "Claude Desktop" : title,
    format,
    comments,
    key,
    shape,
    inputs: inputs === true,
    scopes: project === undefined ? ["user"] : ["user", "project"],
    restart,
  };
}

/**
 * The file that holds the application's servers.
 * @throws OpenMcpError `invalid-input` when it has none in this scope, or the machine does not say where.
 */
export async function configPath(
  id: ApplicationId,
  { scope, machine }: { readonly scope: Scope; readonly machine: Machine },
): Promise<string> {
  const { project, folderVariable, otherNames = [] } = rows[id];
  const paths = pathsOf(machine);
  const folder = folderVariable === undefined ? "" : (machine.env[folderVariable] ?? "");
  const template = known(id).paths[machine.platform];
  let path: string | null;
  if (scope === "project") {
    if (project === undefined) {
      throw new OpenMcpError(
        "invalid-input",
        `${applicationOf(id).title} has one file for the user and none for a project: leave out --scope project.`,
        { data: { field: "scope" } },
      );
    }
    path = paths.join(machine.cwd, ...project.split("/"));
  } else {
    path = template === undefined ? null : expandPath(template, machine);
    if (path !== null && paths.isAbsolute(folder)) path = paths.join(folder, paths.basename(path));
  }
  if (path === null) {
    throw new OpenMcpError(
      "invalid-input",
      `Where ${applicationOf(id).title} keeps its servers on this machine is not known.`,
      {
        data: { field: "client" },
      },
    );
  }
  if (otherNames.length > 0 && !(await machine.exists(path))) {
    for (const name of otherNames) {
      const other = paths.join(paths.dirname(path), name);
      if (await machine.exists(other)) return other;
    }
  }
  return path;
}

/** True when the application seems to be on this machine: its folder is there, or a file of its own. */
export async function isPresent(id: ApplicationId, machine: Machine): Promise<boolean> {
  const path = await configPath(id, { scope: "user", machine });
  const folder = pathsOf(machine).dirname(path);
  // Claude Code's file lies in the home folder itself.
  return (await machine.exists(path)) || (folder !== machine.home && (await machine.exists(folder)));
}
