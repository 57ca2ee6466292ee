/** Configuration files on a real disk: backups, modes, links, other writers, and kills in the middle of a write. */
import { execFileSync, spawn } from "node:child_process";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfigFile, writeConfigFile } from "../../src/desktop/config-file.ts";
import { machineOf, planInstall, planUninstall } from "../../src/desktop/index.ts";
import { MAX_CONFIG_BYTES } from "../../src/desktop/limits.ts";
import { verifies } from "../requirements.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-config-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const launch = { kind: "command", command: "/bin/s", args: [], env: { KEY: "hunter2" } } as const;
const place = () =>
  ({
    client: "claude-desktop",
    scope: "user",
    machine: machineOf({ platform: "linux", env: {}, home: folder, cwd: folder, execPath: process.execPath }),
  }) as const;
const install = () => planInstall(place(), { name: "mine", launch, secrets: ["hunter2"] });
const config = () => join(folder, ".config/Claude/claude_desktop_config.json");

describe("a write", () => {
  it(
    "makes folders and a file for its owner only, and says so once",
    verifies("install.idempotent", "install.secrets"),
    async () => {
      const plan = await install();
      expect(plan).toMatchObject({ outcome: "added", path: config() });
      expect(JSON.stringify(plan.diff)).not.toContain("hunter2");
      expect(await plan.carryOut()).toEqual({ backup: null });
      expect((await stat(config())).mode & 0o777).toBe(0o600);
      expect(await readFile(config(), "utf8")).toContain("hunter2");
      const again = await install();
      expect(again).toMatchObject({ outcome: "unchanged", diff: [] });
      const { mtimeMs } = await stat(config());
      await again.carryOut();
      expect((await stat(config())).mtimeMs).toBe(mtimeMs);
      expect(await readdir(join(folder, ".config/Claude"))).toEqual(["claude_desktop_config.json"]);
    },
  );

  it(
    "keeps the mode, follows links, and leaves the old text beside it",
    verifies("install.atomic"),
    async () => {
      const real = join(folder, "dotfiles/claude.json");
      await mkdir(join(folder, "dotfiles"));
      await mkdir(join(folder, ".config/Claude"), { recursive: true });
      await writeFile(real, '{ "theme": "dark" }\n');
      await chmod(real, 0o640);
      await symlink("../../dotfiles/claude.json", config());
      const { backup } = await (await install()).carryOut();
      expect((await lstat(config())).isSymbolicLink()).toBe(true);
      expect((await stat(real)).mode & 0o777).toBe(0o640);
      expect(JSON.parse(await readFile(real, "utf8"))).toMatchObject({
        theme: "dark",
        mcpServers: { mine: { command: "/bin/s" } },
      });
      expect(await readFile(backup as string, "utf8")).toBe('{ "theme": "dark" }\n');
      expect((await stat(backup as string)).mode & 0o777).toBe(0o640);
      await (await planUninstall(place(), "mine")).carryOut();
      expect(JSON.parse(await readFile(real, "utf8"))).toEqual({ theme: "dark", mcpServers: {} });
    },
  );

  it("makes the file where a link leads that leads nowhere yet", verifies("install.atomic"), async () => {
    await mkdir(join(folder, ".config/Claude"), { recursive: true });
    await symlink(join(folder, "later/claude.json"), config());
    await (await install()).carryOut();
    expect((await lstat(config())).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, "later/claude.json"), "utf8")).toContain("/bin/s");
  });

  it("that somebody else came before is none", verifies("install.concurrent"), async () => {
    await mkdir(join(folder, ".config/Claude"), { recursive: true });
    await writeFile(config(), "{}");
    const plan = await install();
    await writeFile(config(), '{"theirs": 1}');
    await expect(plan.carryOut()).rejects.toMatchObject({ code: "conflict" });
    expect(await readFile(config(), "utf8")).toBe('{"theirs": 1}');
    const fresh = await readConfigFile(join(folder, "new.json"));
    await writeFile(join(folder, "new.json"), "{}");
    await expect(writeConfigFile(fresh, "[]")).rejects.toMatchObject({ code: "conflict" });
  });

  it("to a file that does not parse is none", verifies("install.unreadable"), async () => {
    await mkdir(join(folder, ".config/Claude"), { recursive: true });
    const text = '{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n  }\n}';
    await writeFile(config(), text);
    await expect(install()).rejects.toThrow(/line 4, column 5/);
    await expect(planUninstall(place(), "a")).rejects.toThrow(/line 4/);
    expect(await readFile(config(), "utf8")).toBe(text);
    await writeFile(config(), Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(install()).rejects.toThrow("UTF-8");
    expect(await readdir(join(folder, ".config/Claude"))).toEqual(["claude_desktop_config.json"]);
  });
});

it(
  "killed in the middle of a write leaves the old file or the new one",
  verifies("install.atomic"),
  async () => {
    const text = (letter: string) => JSON.stringify({ filler: letter.repeat(2_000_000) });
    const source = pathToFileURL(join(import.meta.dirname, "../../src/desktop/config-file.ts")).href;
    const code = (path: string) => `
    const { readConfigFile, writeConfigFile } = await import(${JSON.stringify(source)});
    for (let turn = 0; ; turn += 1) {
      const file = await readConfigFile(${JSON.stringify(path)});
      process.stdout.write("x");
      await writeConfigFile(file, JSON.stringify({ filler: String.fromCharCode(98 + (turn % 20)).repeat(2_000_000) }));
    }`;
    const cut = async (run: number): Promise<void> => {
      const path = join(folder, `big-${run}.json`);
      await writeFile(path, text("a"));
      const child = spawn(process.execPath, ["--input-type=module", "--eval", code(path)], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      // It says so before each write: this one is cut, at another moment each time.
      let writes = 0;
      await new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk: Buffer) => {
          writes += chunk.byteLength;
          if (writes >= 2) setTimeout(resolve, run * 2);
        });
      });
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
      const { filler } = JSON.parse(await readFile(path, "utf8")) as { filler: string };
      expect(filler).toHaveLength(2_000_000);
      expect(filler).toBe(filler.charAt(0).repeat(2_000_000));
      expect(filler.charAt(0)).not.toBe("a");
    };
    await Promise.all([0, 1, 2, 3, 4].map(cut));
  },
);

it("keeps what a person added to an entry", verifies("install.one-entry", "install.idempotent"), async () => {
  await (await install()).carryOut();
  const text = await readFile(config(), "utf8");
  const byHand = text.replace('"command"', '"timeout": 90, // slow\n      "command"');
  await writeFile(config(), byHand);
  expect((await install()).outcome).toBe("unchanged");
  const other = { kind: "command", command: "/bin/other", args: ["x"], env: {} } as const;
  await (await planInstall(place(), { name: "mine", launch: other, secrets: [] })).carryOut();
  const after = await readFile(config(), "utf8");
  expect(after).toContain('"timeout": 90, // slow');
  expect(after).toContain("/bin/other");
  expect(after).not.toContain("hunter2");
});

it("of several at once none undoes another that was done", verifies("install.concurrent"), async () => {
  await (await install()).carryOut();
  const names = ["a", "b", "c", "d"];
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.allSettled(
      names.map(async (name) =>
        (await planInstall(place(), { name: `${name}${round}`, launch, secrets: [] })).carryOut(),
      ),
    );
    const { mcpServers } = JSON.parse(await readFile(config(), "utf8"));
    for (const [index, { status }] of results.entries()) {
      expect(`${names[index]}${round}` in mcpServers).toBe(status === "fulfilled");
    }
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
  }
  await writeFile(`${config()}.openmcp-lock`, "");
  await expect((await planUninstall(place(), "mine")).carryOut()).rejects.toMatchObject({ code: "conflict" });
  await utimes(`${config()}.openmcp-lock`, 1, 1);
  expect(await (await planUninstall(place(), "mine")).carryOut()).toMatchObject({
    backup: expect.any(String),
  });
});

it("sweeps up what a killed write left, and only that", verifies("install.atomic"), async () => {
  await (await install()).carryOut();
  const left = `${config()}.0123456789ab.openmcp-new`;
  const recent = `${config()}.ba9876543210.openmcp-new`;
  const foreign = `${config()}.mine.openmcp-new`;
  for (const path of [left, recent, foreign]) await writeFile(path, "{");
  for (const path of [left, foreign]) await utimes(path, 1, 1);
  await (await planUninstall(place(), "mine")).carryOut();
  const names = await readdir(join(folder, ".config/Claude"));
  expect(names.filter((name) => name.endsWith("-new")).sort()).toEqual(
    [recent, foreign].map((path) => basename(path)).sort(),
  );
});

it.runIf(process.getuid?.() === 0)("leaves a file to its owner", verifies("install.atomic"), async () => {
  await (await install()).carryOut();
  await chown(config(), 4_321, 1_234);
  await (await planUninstall(place(), "mine")).carryOut();
  const { uid, gid } = await stat(config());
  expect([uid, gid]).toEqual([4_321, 1_234]);
});

it("tells what is in the way of a file in one sentence", verifies("install.unreadable"), async () => {
  await mkdir(join(folder, ".config"));
  await symlink(join(folder, "nowhere/at/all"), join(folder, ".config/Claude"));
  await expect((await install()).carryOut()).rejects.toMatchObject({ code: "invalid-input" });
  await rm(join(folder, ".config/Claude"));
  await writeFile(join(folder, ".config/Claude"), "");
  await expect(install()).rejects.toThrow("a folder on its way is a file");
  await rm(join(folder, ".config/Claude"));
  await mkdir(join(folder, ".config/Claude"));
  await symlink(config(), config());
  await expect(install()).rejects.toThrow("its links lead in a circle");
});

it("a file that nests without end is refused with its place", verifies("install.unreadable"), async () => {
  await mkdir(join(folder, ".config/Claude"), { recursive: true });
  await writeFile(config(), `{"a":\n${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
  await expect(install()).rejects.toThrow("line 2, column 500: it nests more than 500 deep");
});

it.each(["constructor", "toString", "hasOwnProperty"])(
  "the name %s is one like another",
  verifies("install.one-entry"),
  async (name) => {
    expect(await planUninstall(place(), name)).toMatchObject({ outcome: "absent" });
    const plan = await planInstall(place(), { name, launch, secrets: [] });
    expect(plan.outcome).toBe("added");
    await plan.carryOut();
    expect(await planUninstall(place(), name)).toMatchObject({ outcome: "removed" });
    expect(await planUninstall(place(), "__proto__")).toMatchObject({ outcome: "absent" });
  },
);

describe("what is no configuration of a bounded size is refused, and waited for by nobody", () => {
  it.skipIf(process.platform === "win32")("a pipe that nobody writes to, a device, a folder", async () => {
    const pipe = join(folder, "pipe.json");
    execFileSync("mkfifo", [pipe]);
    for (const path of [pipe, "/dev/zero", folder]) {
      await expect(readConfigFile(path)).rejects.toMatchObject({
        code: "invalid-input",
        message: `${path} can't be read as a configuration: it is no file.`,
      });
    }
  });

  it("a file over the limit, read no further than that", async () => {
    const path = join(folder, "large.json");
    await writeFile(path, "");
    // Without blocks of its own: it costs no disk.
    await truncate(path, MAX_CONFIG_BYTES + 1);
    await expect(readConfigFile(path)).rejects.toThrow("it is over 64 MiB");
  });
});
