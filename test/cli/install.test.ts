/** `openmcp install` and its companions on a home of their own: what is written starts in a bare environment and answers the SDK. */
import { appendFile, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse as parseToml } from "smol-toml";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { freePort, type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";
import { runCli, startCli } from "./run-cli.ts";

const script = fileURLToPath(new URL("../client/asking-process.ts", import.meta.url));
let root: string;
let home: string;
let server: ServerProcess;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "openmcp-install-"));
  server = await startProcess({
    args: (port) => [script, "1", String(port)],
    env: () => ({ TOKEN: "hunter2" }),
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  count += 1;
  home = join(root, String(count));
  await mkdir(home);
});

const cli = (...argv: readonly string[]) =>
  runCli(argv, { env: { HOME: home, PATH: process.env.PATH ?? "" } });
const claude = () => join(home, ".config/Claude/claude_desktop_config.json");
const written = async (path: string) => JSON.parse(await readFile(path, "utf8"));

interface WrittenEntry {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

/** As an application starts it: nothing in the environment but what is in the entry, and another folder. */
async function calledAs({ command, args, env = {} }: WrittenEntry): Promise<readonly unknown[]> {
  const bare = { command, args, env: { PATH: "/usr/bin:/bin", ...env }, cwd: "/", stderr: "ignore" as const };
  const old = new OldClient({ name: "old", version: "1" });
  const fresh = new NewClient({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await Promise.all([old.connect(new OldTransport(bare)), fresh.connect(new NewTransport(bare))]);
  try {
    const answers: unknown[] = [];
    for (const client of [old, fresh]) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("add");
      answers.push((await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).content);
    }
    return answers;
  } finally {
    await Promise.all([old.close(), fresh.close()]);
  }
}

const three = [{ type: "text", text: "3" }];

describe("what is written", () => {
  it(
    "for a command starts and is called, in JSON and TOML",
    verifies("install.runs", "install.absolute"),
    async () => {
      const argv = [
        "install",
        "--client",
        "claude-desktop,codex",
        "--name",
        "asking",
        "--env",
        "SECRET=hunter2",
        "--",
        "node",
        script,
        "1",
        "stdio",
      ];
      const done = await cli(...argv);
      expect(done.stderr).toBe("");
      expect(done.code).toBe(0);
      expect(done.stdout).toContain("Quit Claude Desktop completely");
      expect(done.stdout).not.toContain("hunter2");
      const entry = (await written(claude())).mcpServers.asking as WrittenEntry;
      expect(entry.command).toBe(process.execPath);
      expect(entry.env).toEqual({ SECRET: "hunter2" });
      expect(await calledAs(entry)).toEqual([three, three]);
      const codex = parseToml(await readFile(join(home, ".codex/config.toml"), "utf8")) as never as {
        mcp_servers: { asking: WrittenEntry };
      };
      expect(codex.mcp_servers.asking).toEqual(entry);
      expect((await cli(...argv)).stdout).toContain("there already");
    },
  );

  it(
    "for a URL is a bridge in Claude Desktop and a URL elsewhere",
    verifies("install.runs", "install.secrets"),
    async () => {
      const done = await cli(
        "install",
        server.url,
        "--client",
        "claude-desktop,cursor,vscode",
        "--name",
        "far",
        "--relay-token",
        "hunter2",
      );
      expect(done.code).toBe(0);
      expect(done.stdout + done.stderr).not.toContain("hunter2");
      const entry = (await written(claude())).mcpServers.far as WrittenEntry;
      expect(entry.args.join(" ")).not.toContain("hunter2");
      expect(await calledAs(entry)).toEqual([three, three]);
      expect((await written(join(home, ".cursor/mcp.json"))).mcpServers.far).toEqual({
        type: "http",
        url: server.url,
        headers: { Authorization: "Bearer hunter2" },
      });
      const vscode = await readFile(join(home, ".config/Code/User/mcp.json"), "utf8");
      expect(vscode).not.toContain("hunter2");
      expect(JSON.parse(vscode)).toMatchObject({ inputs: [{ id: "far-authorization", password: true }] });
      const gone = await cli("uninstall", "far", "--client", "claude-desktop,cursor,vscode");
      expect(gone.code).toBe(0);
      expect(gone.stdout).not.toContain("hunter2");
      expect(await written(join(home, ".config/Code/User/mcp.json"))).toEqual({ servers: {}, inputs: [] });
      expect((await cli("uninstall", "far", "--client", "all")).code).toBe(1);
    },
  );

  it("without a target is the whole catalog", verifies("install.runs"), async () => {
    const done = await cli("--catalog", "http://127.0.0.1:9", "install", "--client", "claude-desktop,gemini");
    expect(done.code).toBe(0);
    expect((await written(claude())).mcpServers.openmcp.args.slice(-3)).toEqual([
      "--catalog",
      "http://127.0.0.1:9",
      "connect",
    ]);
    expect((await written(join(home, ".gemini/settings.json"))).mcpServers.openmcp).toEqual({
      httpUrl: "http://127.0.0.1:9/mcp",
    });
  });

  it("is nothing in a dry run, and told as JSON", verifies("install.secrets"), async () => {
    await mkdir(join(home, ".cursor"));
    const done = await cli(
      "install",
      server.url,
      "--client",
      "all",
      "--dry-run",
      "--json",
      "--header",
      "X-Key: hunter2",
    );
    const told = JSON.parse(done.stdout);
    expect(told).toMatchObject({
      ok: true,
      dryRun: true,
      clients: [{ client: "cursor", outcome: "added", backup: null }],
    });
    expect(done.stdout).not.toContain("hunter2");
    await expect(readFile(join(home, ".cursor/mcp.json"))).rejects.toThrow("ENOENT");
  });
});

it(
  "refuses what no application could start, and leaves files alone that it can't read",
  verifies("install.absolute", "install.unreadable"),
  async () => {
    const relative = await cli("install", "./server.js", "--client", "cursor");
    expect([relative.code, relative.stderr]).toEqual([2, expect.stringContaining("give /")]);
    expect((await cli("install", "--client", "cursor", "--name", "a b", "--", "node", script)).code).toBe(2);
    expect(
      (await cli("install", "https://u:hunter2@a.example/mcp", "--client", "cursor")).stderr,
    ).not.toContain("hunter2");
    expect((await cli("install", server.url, "--client", "no-such")).stderr).toContain("claude-desktop");
    await mkdir(join(home, ".cursor"));
    await writeFile(join(home, ".cursor/mcp.json"), '{\n  "mcpServers": {,\n}');
    const broken = await cli("install", server.url, "--client", "cursor,gemini");
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("line 2, column 18");
    expect(await readFile(join(home, ".cursor/mcp.json"), "utf8")).toBe('{\n  "mcpServers": {,\n}');
    expect(broken.stdout).toContain("Gemini");
  },
);

describe("a name", () => {
  const names = async () => Object.keys((await written(join(home, ".cursor/mcp.json"))).mcpServers);
  const install = (...argv: readonly string[]) => cli("install", "--client", "cursor", ...argv);

  it(
    "is kept by the server that has it, and a namesake has one of its own",
    verifies("install.names"),
    async () => {
      await install("--", "npx", "-y", "@a/server@1.0.0");
      const second = await install("--", "npx", "@b/server@1.0.0");
      expect(second.stderr).toContain('Another server is called "server"; this one is "b-server".');
      expect(await names()).toEqual(["server", "b-server"]);
      // A newer version is the same server, whatever npx it is run by.
      expect((await install("--", "npx", "@a/server@2.0.0")).stdout).toContain("server is changed");
      expect((await install("--", "npx", "-y", "@b/server@1.0.0")).stdout).toContain("there already");
      await install("http://127.0.0.1:9/a/mcp");
      await install("http://127.0.0.1:9/b/mcp", "--header", "X-Key: hunter2");
      await install("http://127.0.0.1:9/b/mcp");
      expect(await names()).toEqual(["server", "b-server", "127-0-0-1-9", "127-0-0-1-9-b"]);
      const { mcpServers } = await written(join(home, ".cursor/mcp.json"));
      expect(mcpServers.server.args).toContain("@a/server@2.0.0");
      const replaced = await install("http://127.0.0.1:9/c/mcp", "--name", "server");
      expect(replaced.stderr).toContain('Another server was called "server"; this one takes its place.');
    },
  );

  it("of a catalog's bridge tells it from another catalog's", verifies("install.names"), async () => {
    const whole = (url: string) => cli("--catalog", url, "install", "--client", "claude-desktop");
    await whole("http://127.0.0.1:9");
    await whole("http://127.0.0.1:8");
    await whole("http://127.0.0.1:9");
    expect(Object.keys((await written(claude())).mcpServers)).toEqual(["openmcp", "openmcp-127-0-0-1-8"]);
  });
});

it("says that an option behind the command is the command's, and passes it on", async () => {
  const words = ["--", "npx", "-y", "@a/server@1.0.0", "--dry-run", "--env", "A=b"];
  const done = await cli("install", "--client", "cursor", ...words);
  expect(done.stderr).toContain("! --dry-run, --env behind the command belongs to it");
  expect((await written(join(home, ".cursor/mcp.json"))).mcpServers.server.args).toEqual(
    words.filter((word) => word !== "--" && word !== "npx"),
  );
  const docker = await cli("install", "--client", "cursor", "--", process.execPath, "--env-file=/e", "/s.js");
  expect(docker.stderr).not.toContain("behind the command");
});

it("shows a PATH, which is no secret", verifies("install.secrets"), async () => {
  const done = await cli(
    "install",
    "--client",
    "cursor",
    "--env",
    "K=hunter2",
    "--",
    "npx",
    "-y",
    "@a/b@1.0.0",
  );
  expect(done.stdout).toMatch(/"PATH": "\/[^•]+"/);
  expect(done.stdout).toContain('"K": "•••"');
});

it("repeats no credential that is written in the wrong place", verifies("install.secrets"), async () => {
  const wrong = [
    ["install", server.url, "--client", "cursor", "--header", "hunter2"],
    ["install", server.url, "--client", "cursor", "--env", "KEY=hunter2"],
    ["install", "--client", "cursor", "--env", "it's hunter2\nand", "--", "node"],
    ["install", "ftp://u:hunter2@a.example/mcp", "--client", "cursor"],
    ["connect", "ftp://u:hunter2@a.example/mcp"],
    ["connect", server.url, "--header", "X-Key: hunter2\u0001\n"],
  ];
  for (const argv of wrong) {
    const { code, stdout, stderr } = await cli(...argv);
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining("hunter2")]);
    expect((await cli(...argv, "--json")).stdout).not.toContain("hunter2");
  }
});

it(
  "takes out what is named, and nothing for a name that can't be one",
  verifies("install.one-entry"),
  async () => {
    await cli("install", server.url, "--client", "cursor", "--name", "server");
    expect((await cli("uninstall", "é", "--client", "cursor")).code).toBe(1);
    expect((await cli("uninstall", "constructor", "--client", "cursor")).code).toBe(1);
    expect((await cli("uninstall", "server", "--client", "cursor")).code).toBe(0);
  },
);

describe("doctor", () => {
  const node = process.execPath;
  const put = async (entry: object, name = "mine") => {
    await mkdir(join(home, ".config/Claude"), { recursive: true });
    await writeFile(claude(), JSON.stringify({ mcpServers: { [name]: entry } }));
  };
  const examined = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await cli(
      "doctor",
      ...argv,
      "--json",
      ...(argv.includes("--timeout") ? [] : ["--timeout", "5s"]),
    );
    expect(stderr).toBe("");
    const { examined: all } = JSON.parse(stdout);
    const checks = all.flatMap((each: { checks: object[] }) => each.checks) as {
      what: string;
      state: string;
      detail: string;
      cure?: string;
    }[];
    for (const check of checks) expect(check.state === "good" || (check.cure ?? "").length > 10).toBe(true);
    return { code, checks, bad: checks.filter(({ state }) => state === "bad") };
  };

  it("finds nothing wrong where nothing is", verifies("install.doctor"), async () => {
    await cli("install", "--client", "claude-desktop", "--name", "mine", "--", "node", script, "1", "stdio");
    const { code, checks } = await examined("mine");
    expect(checks.map(({ what, state }) => `${what} ${state}`)).toEqual([
      "file good",
      "entry good",
      "command good",
      "standard output good",
      "handshake good",
      "tools good",
    ]);
    expect(code).toBe(0);
    expect(checks.find(({ what }) => what === "handshake")?.detail).toContain("asking-1 1.0.0");
  });

  it.each<[string, object, string, RegExp, RegExp, string?]>([
    ["a bare name", { command: "node", args: ["x"] }, "command", /no absolute path/, /openmcp install/],
    ["a relative path", { command: "./server" }, "command", /no absolute path/, /whole path/],
    ["a program that is gone", { command: "/opt/gone/node" }, "command", /no file/, /moved/],
    [
      "a script that is gone",
      { command: node, args: ["/srv/gone.js"] },
      "arguments",
      /no file/,
      /Correct the path/,
    ],
    ["a relative script", { command: node, args: ["./server.js"] }, "arguments", /relative/, /whole path/],
    [
      "a banner on standard output",
      {
        command: node,
        args: [
          "-e",
          `console.log("Ready!"); process.argv[2]="1"; process.argv[3]="stdio"; process.argv[1]=""; import(${JSON.stringify(script)})`,
          "1",
          "stdio",
        ],
      },
      "standard output",
      /Ready!/,
      /standard error/,
    ],
    [
      "a missing variable",
      { command: node, args: ["-e", 'console.error("API_KEY is not set"); process.exit(2)'] },
      "handshake",
      /exit code 2.*API_KEY is not set/,
      /env/,
    ],
    [
      "a server that says nothing",
      { command: node, args: ["-e", "process.stdin.resume()"] },
      "handshake",
      /No answer within 600 ms/,
      /by hand/,
      "600ms",
    ],
    ["an entry of nothing", { args: ["x"] }, "entry", /neither a command nor a URL/, /command/],
    ["a URL where none is read", { url: "https://a.example/mcp" }, "entry", /neither|no URL/, /./],
  ])(
    "tells %s with its cure",
    verifies("install.doctor"),
    async (_title, entry, what, detail, cure, timeout = "5s") => {
      await put(entry);
      const { code, bad } = await examined("mine", "--client", "claude-desktop", "--timeout", timeout);
      expect(code).toBe(1);
      expect(bad[0]).toMatchObject({
        what,
        detail: expect.stringMatching(detail),
        cure: expect.stringMatching(cure),
      });
    },
  );

  it(
    "tells of files: broken, with comments, without the entry, not executable",
    verifies("install.doctor"),
    async () => {
      await put({ command: node });
      expect((await examined("other", "--client", "claude-desktop")).bad[0]?.detail).toContain('no "other"');
      const plain = join(home, "server.sh");
      await writeFile(plain, "exit\n");
      await chmod(plain, 0o644);
      await put({ command: plain });
      expect((await examined("mine")).bad[0]?.detail).toContain("may not be run");
      await writeFile(claude(), '{ // mine\n "mcpServers": {} }');
      expect((await examined()).bad[0]?.cure).toContain("plain JSON only");
      await writeFile(claude(), '{ "mcpServers": ');
      expect((await examined()).bad[0]?.detail).toContain("line 1");
      const text = await cli("doctor");
      expect(text.stdout).toContain("Claude Desktop: ");
      expect(text.stdout).toContain("→ Mend it by hand");
      const nothing = await cli("doctor", "nobody", "--client", "zed");
      expect(nothing.code).toBe(5);
    },
  );

  it("asks URLs as an application would", verifies("install.doctor"), async () => {
    const url = async (target: string) => examined(target);
    expect((await url(`http://127.0.0.1:${await freePort()}/mcp`)).bad[0]).toMatchObject({
      what: "connection",
      detail: expect.stringContaining("Nothing listens"),
    });
    expect((await url("http://no-such-host.invalid/mcp")).bad[0]).toMatchObject({ what: "name" });
    expect((await url(server.url.replace("http:", "https:"))).bad[0]).toMatchObject({ what: "TLS" });
    expect((await url(new URL("/", server.url).href)).bad[0]).toMatchObject({
      what: "plain POST",
      cure: expect.stringContaining("/mcp"),
    });
    const refused = await url(server.url);
    expect(refused.bad[0]).toMatchObject({
      what: "credential",
      detail: expect.stringContaining("names no authorization server"),
    });
    await using open = await startFakeRelay({ tools: [{ name: "ping", inputSchema: { type: "object" } }] });
    const fine = await url(open.url);
    expect(fine.bad).toEqual([]);
    expect(fine.checks.map(({ what }) => what)).toEqual(["address", "plain POST", "handshake", "tools"]);
  });
});

it("takes what install takes: a command, and a relay that is in no application", {
  ...verifies("install.doctor"),
  timeout: 30_000,
}, async () => {
  const command = await cli("doctor", "--", "node", script, "1", "stdio");
  expect([command.code, command.stdout]).toEqual([0, expect.stringContaining(process.execPath)]);
  await using relay = await startFakeRelay({ tools: [{ name: "ping", inputSchema: { type: "object" } }] });
  const options = { port: 0, db: ":memory:", refresh: "off", peerSync: "off", logLevel: "silent" };
  const catalog = await startCatalog(parseServeOptions(options));
  try {
    const { id } = (await new CatalogClient(catalog.url).register(relay.url)).relay;
    const asked = await cli("--catalog", catalog.url, "doctor", id);
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining(relay.url)]);
    await cli("--catalog", catalog.url, "install", id, "--client", "cursor");
    expect((await cli("doctor", id)).stdout).toContain("Cursor: ");
  } finally {
    await catalog.close();
  }
  const nobody = await cli("--catalog", "http://127.0.0.1:9", "doctor", "nobody.example");
  expect([nobody.code, nobody.stderr]).toEqual([5, expect.stringContaining("no catalog that answers")]);
});

describe("logs", () => {
  it("shows the end of a server's log and follows it over a rotation", verifies("install.logs"), async () => {
    const folder = join(home, ".config/Claude/logs");
    const none = await cli("logs");
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("when it starts a server")]);
    await mkdir(folder, { recursive: true });
    const path = join(folder, "mcp-server-mine.log");
    await writeFile(path, `${Array.from({ length: 50 }, (_, index) => `line ${index}`).join("\n")}\n`);
    const shown = await cli("logs", "mine", "-n", "2");
    expect([shown.code, shown.stdout]).toEqual([0, "line 48\nline 49\n"]);
    expect(shown.stderr).toContain(path);
    const json = await cli("logs", "mine", "-n", "2", "--json");
    expect(
      json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { path, line: "line 48" },
      { path, line: "line 49" },
    ]);
    // A server that was killed leaves its last words without an end.
    await appendFile(path, "last words");
    const cut = await cli("logs", "mine", "-n", "1", "--json");
    expect(JSON.parse(cut.stdout)).toEqual({ path, line: "last words" });
    await appendFile(path, "\n");
    // By what install was given, too.
    const path2 = join(folder, "mcp-server-a-example.log");
    await writeFile(path2, "by id\n");
    for (const given of ["a.example", "http://a.example/mcp"]) {
      expect((await cli("logs", given)).stdout).toBe("by id\n");
    }
    const other = await cli("logs", "other");
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining("mine")]);
    const child = startCli(["logs", "mine", "-f", "-n", "1"], { env: { HOME: home } });
    let heard = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      heard += chunk.toString("utf8");
    });
    const hears = (text: string) => vi.waitFor(() => expect(heard).toContain(text), { timeout: 8_000 });
    await hears("last words");
    await appendFile(path, "more\n");
    await hears("more");
    await rename(path, `${path}.1`);
    await writeFile(path, "fresh\n");
    await hears("fresh");
    child.kill("SIGINT");
    await new Promise((resolve) => child.once("exit", resolve));
  });
});
