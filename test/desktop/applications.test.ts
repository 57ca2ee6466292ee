/** Each application's file, key and entry, on three platforms; and commands as an application can start them. */
import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import {
  applicationIds,
  applicationOf,
  bridgeLaunch,
  configPath,
  entryFor,
  type Launch,
  launchCommand,
  launchOf,
  type Machine,
  machineOf,
  nameFrom,
} from "../../src/desktop/index.ts";
import { verifies } from "../requirements.ts";

function machine(
  platform: "darwin" | "linux" | "win32",
  files: readonly string[] = [],
  more: Partial<Machine> = {},
): Machine {
  const windows = platform === "win32";
  const home = windows ? "C:\\Users\\me" : platform === "darwin" ? "/Users/me" : "/home/me";
  const has = async (path: string) => files.includes(path);
  return machineOf({
    platform,
    home,
    cwd: windows ? "C:\\work" : "/work",
    execPath: windows ? "C:\\Program Files\\nodejs\\node.exe" : "/opt/node/bin/node",
    env: windows
      ? { APPDATA: "C:\\Users\\me\\AppData\\Roaming", Path: "C:\\tools" }
      : { PATH: "/usr/local/bin:/work/node_modules/.bin:/bin" },
    isExecutable: has,
    exists: has,
    ...more,
  });
}

const machines = { darwin: machine("darwin"), linux: machine("linux"), win32: machine("win32") };

it("knows each application's file on three platforms", verifies("install.applications"), async () => {
  const rows: Record<string, Record<string, string>> = {};
  for (const id of applicationIds) {
    const row: Record<string, string> = {};
    for (const [platform, at] of Object.entries(machines)) {
      for (const scope of applicationOf(id).scopes)
        row[`${platform} ${scope}`] = await configPath(id, { scope, machine: at });
    }
    rows[id] = row;
    for (const [key, path] of Object.entries(row)) {
      expect((key.startsWith("win32") ? win32 : posix).isAbsolute(path)).toBe(true);
      expect(path).not.toMatch(key.startsWith("win32") ? /\// : /\\|%/);
    }
  }
  await expect(`${JSON.stringify(rows, null, 2)}\n`).toMatchFileSnapshot("applications.txt");
  await expect(configPath("claude-desktop", { scope: "project", machine: machines.linux })).rejects.toThrow(
    "leave out --scope",
  );
});

it("keeps to what the environment says of folders", verifies("install.applications"), async () => {
  const env = { XDG_CONFIG_HOME: "/x", CODEX_HOME: "/c", CLAUDE_CONFIG_DIR: "relative" };
  const at = { scope: "user", machine: machine("linux", ["/x/opencode/opencode.jsonc"], { env }) } as const;
  expect(await configPath("claude-desktop", at)).toBe("/x/Claude/claude_desktop_config.json");
  expect(await configPath("zed", at)).toBe("/x/zed/settings.json");
  expect(await configPath("codex", at)).toBe("/c/config.toml");
  expect(await configPath("claude-code", at)).toBe("/home/me/.claude.json");
  expect(await configPath("opencode", at)).toBe("/x/opencode/opencode.jsonc");
});

const command: Launch = { kind: "command", command: "/bin/s", args: ["a"], env: { API_KEY: "k", MODE: "m" } };
const http: Launch = { kind: "http", url: "https://a.example/mcp", headers: { Authorization: "Bearer t" } };

it("writes each application's entry, and reads it again", verifies("install.applications"), async () => {
  const entries: Record<string, unknown> = {};
  for (const id of applicationIds) {
    const application = applicationOf(id);
    const made = (launch: Launch) => entryFor(application, { name: "mine", launch });
    entries[id] = {
      key: application.key,
      command: made(command),
      ...(application.shape.http === null ? {} : { http: made(http) }),
    };
    if (application.inputs) continue;
    expect(launchOf(application, made(command).value)).toEqual(command);
    if (application.shape.http === null) expect(() => made(http)).toThrow("no URLs");
    else expect(launchOf(application, made(http).value)).toEqual(http);
  }
  await expect(`${JSON.stringify(entries, null, 2)}\n`).toMatchFileSnapshot("entries.txt");
  expect(JSON.stringify(entries.vscode)).not.toMatch(/"k"|Bearer t/);
});

describe("a command", () => {
  const files = [
    "/usr/local/bin/npx",
    "/usr/bin/python3",
    "/bin/sh",
    "/work/server.js",
    "/work/src/server.ts",
    "/work/node_modules/.bin/tool",
    "/srv/plain",
  ];
  const linux = machine(
    "linux",
    files.filter((file) => file !== "/srv/plain"),
    { exists: async (path) => files.includes(path) },
  );
  const launched = (words: readonly string[], env = {}) => launchCommand(words, { env, machine: linux });

  it("is written with its whole path", verifies("install.absolute"), async () => {
    expect((await launched(["node", "/srv/a.js"])).launch).toMatchObject({
      command: "/opt/node/bin/node",
      args: ["/srv/a.js"],
    });
    const npx = await launched(["npx", "@acme/server", "stdio"]);
    expect(npx.launch).toEqual({
      kind: "command",
      command: "/usr/local/bin/npx",
      args: ["-y", "@acme/server", "stdio"],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    expect(npx.remarks.join()).toContain("no version");
    expect((await launched(["npx", "--yes", "@acme/server@1.2.3"])).remarks).toEqual([]);
    expect((await launched(["npx", "-y", "a@1"], { PATH: "/mine" })).launch.env).toEqual({ PATH: "/mine" });
  });

  it.each([
    [["./server"], "give /work/server"],
    [["bin/server"], "give /work/bin/server"],
    [["node", "server.js"], "give /work/server.js"],
    [["/bin/sh", "../x.sh"], "give /x.sh"],
    [["npx", "-y", "files@1", "."], "give /work"],
    [["node", "--import", "tsx", "server.js"], "give /work/server.js"],
    [["npx", "tsx@4", "src/server.ts"], "give /work/src/server.ts"],
    [["node", "/srv/server.js", "--config=./c.json"], "give /work/c.json"],
    [["npx", "-y", "files@1", "~/notes"], "/notes"],
    [["nowhere"], "no command"],
    [["tool"], "no command"],
    [["/not/there"], "is not there"],
    [["/srv/plain"], "may not be run"],
  ])("%j is refused", verifies("install.absolute"), async (words, reason) => {
    await expect(launched(words)).rejects.toThrow(reason);
  });

  it("of Windows is started by cmd when it is a script", verifies("install.absolute"), async () => {
    const windows = machine("win32", ["C:\\tools\\npx.cmd", "C:\\tools\\server.exe"]);
    expect((await launchCommand(["npx", "-y", "a@1"], { env: {}, machine: windows })).launch).toEqual({
      kind: "command",
      command: "cmd",
      args: ["/c", "C:\\tools\\npx.cmd", "-y", "a@1"],
      env: {},
    });
    expect((await launchCommand(["server", "--port=1"], { env: {}, machine: windows })).launch.command).toBe(
      "C:\\tools\\server.exe",
    );
    await expect(launchCommand([".\\server.exe"], { env: {}, machine: windows })).rejects.toThrow(
      "C:\\work\\server.exe",
    );
  });

  it(
    "of a bridge is this installation where it lasts, npx where it does not",
    verifies("install.absolute", "install.secrets", "install.own-package"),
    async () => {
      const target = {
        target: "https://a.example/mcp",
        catalog: null,
        token: "t0ken",
        headers: { "X-Key": "k3y" },
      };
      const own = {
        script: "/usr/lib/openmcp/dist/cli/main.js",
        version: "9.9.9",
        fromRegistry: true,
      };
      const lasting = await bridgeLaunch(target, { own, machine: linux });
      expect(lasting).toEqual({
        kind: "command",
        command: "/opt/node/bin/node",
        args: [
          own.script,
          "connect",
          "https://a.example/mcp",
          "--header",
          ["X-Key: $", "{OPENMCP_HEADER_1}"].join(""),
        ],
        env: { OPENMCP_RELAY_TOKEN: "t0ken", OPENMCP_HEADER_1: "k3y" },
      });
      const passing = { ...own, script: "/home/me/.npm/_npx/1a/node_modules/openmcp/dist/cli/main.js" };
      const npx = await bridgeLaunch(
        { ...target, token: null, headers: {} },
        { own: passing, machine: linux },
      );
      expect(npx).toMatchObject({
        command: "/usr/local/bin/npx",
        args: ["-y", "openmcp@9.9.9", "connect", "https://a.example/mcp"],
      });
      await expect(bridgeLaunch(target, { own: passing, machine: machine("linux") })).rejects.toThrow(
        "npm install -g",
      );
      // A package of this name in a registry is somebody else's, for all that is known.
      const unknown = { ...passing, fromRegistry: false };
      await expect(bridgeLaunch(target, { own: unknown, machine: linux })).rejects.toThrow(
        "came out of no registry",
      );
      expect(await bridgeLaunch(target, { own: { ...own, fromRegistry: false }, machine: linux })).toEqual(
        lasting,
      );
    },
  );
});

it("makes a name that every application takes", () => {
  expect(nameFrom("@acme/weather server")).toBe("acme-weather-server");
  expect(nameFrom("...")).toBe("server");
  expect(nameFrom("x".repeat(80))).toHaveLength(40);
});
