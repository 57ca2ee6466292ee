/** The command line as a process: pipes that break, signals, environment, standard input, and `serve` itself. */
import { spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { relayId } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { json, record, startFakeCatalog } from "../client/fake-catalog.ts";
import { endOf, main, runCli, spawnCli, startCli } from "./run-cli.ts";

let folder: string;
let relay: FakeRelay;
let serving: ReturnType<typeof startCli>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-cli-"));
  relay = await startFakeRelay({
    token: "mine",
    descriptor: { mcp: "/mcp", name: "Echo", tools: ["echo"] },
    tools: [
      {
        name: "echo",
        description: "Says it back.",
        inputSchema: { type: "object", properties: { n: { type: "number" } } },
      },
    ],
  });
  serving = startCli(["serve"], {
    env: {
      OPENMCP_PORT: "0",
      OPENMCP_DB: join(folder, "catalog.db"),
      OPENMCP_REFRESH: "off",
      OPENMCP_ADMIN_TOKEN: "sesame",
      OPENMCP_LOG_LEVEL: "silent",
    },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    serving.stdout?.on("data", (part: Buffer) => {
      said += part;
      const found = /Catalog +(http:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    serving.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
  env = { OPENMCP_CATALOG: url };
});

afterAll(async () => {
  serving?.kill("SIGKILL");
  await relay?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a catalog, from nothing to a call", () => {
  it("lists, finds, calls and removes, told by the environment alone", async () => {
    const id = relayId(relay.url);
    expect(await spawnCli(["add", relay.url], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("✓ listed:"),
    });
    expect((await spawnCli(["relays", "--json"], { env })).stdout).toContain(id);
    const refused = await spawnCli(["call", id, "echo", "n=1"], { env });
    expect(refused.code).toBe(4);
    const called = await spawnCli(["call", id, "echo", "-"], {
      env: { ...env, OPENMCP_RELAY_TOKEN: "mine" },
      stdin: '{"n": 2}',
    });
    expect(called).toMatchObject({ code: 0, stdout: '{"n":2}\n', stderr: "" });
    expect((await spawnCli(["rm", id], { env })).code).toBe(4);
    expect(await spawnCli(["rm", id], { env: { ...env, OPENMCP_TOKEN: "sesame" } })).toMatchObject({
      code: 0,
      stdout: `✓ removed ${id}\n`,
    });
  });

  it("stops in order at Ctrl-C, with 0", async () => {
    const ended = endOf(serving);
    serving.kill("SIGINT");
    expect((await ended).code).toBe(0);
    const gone = await spawnCli(["relays"], { env });
    expect(gone).toMatchObject({ code: 3, stdout: "" });
    expect(gone.stderr).toBe(
      `✗ No catalog answers at ${env.OPENMCP_CATALOG} (connection refused).\n  Start one with \`openmcp serve\`, or name another with --catalog.\n`,
    );
  });
});

describe("the process", () => {
  it("prints the package's version", async () => {
    expect(await spawnCli(["--version"])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: "",
    });
    expect(await spawnCli(["relays", "--version"])).toMatchObject({
      code: 0,
      stdout: `${packageJson.version}\n`,
    });
  });

  // The only sign of the pool's size is its threads, and only Linux shows those.
  it.runIf(process.platform === "linux")(
    "sizes the pool that resolves names before its first work, and leaves a size that was set",
    async () => {
      const counter = `data:text/javascript,${encodeURIComponent(`
        import { readdirSync } from "node:fs";
        import { readFile } from "node:fs/promises";
        process.once("beforeExit", async () => {
          const before = readdirSync("/proc/self/task").length;
          await readFile("/proc/self/stat");
          console.error(readdirSync("/proc/self/task").length - before);
        });`)}`;
      const threads = async (size?: string) => {
        const env = {
          NODE_OPTIONS: `--import=${counter}`,
          ...(size === undefined ? {} : { UV_THREADPOOL_SIZE: size }),
        };
        return Number((await spawnCli(["--version"], { env })).stderr);
      };
      expect(await threads()).toBe(64);
      expect(await threads("5")).toBe(5);
    },
  );

  it("is quiet when its reader stops early", async () => {
    const relays = Array.from({ length: 400 }, (_, at) => record(`${"x".repeat(600)}-${at}.example`));
    await using catalog = await startFakeCatalog(json({ ok: true, relays, total: 400, nextCursor: null }));
    const child = startCli(["relays", "--json"], { env: { OPENMCP_CATALOG: catalog.base } });
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await endOf(child)).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at %s in the middle of waiting, with %i", async (signal, code) => {
    let reached = (): void => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using catalog = await startFakeCatalog(() => reached());
    const child = startCli(["relays"], { env: { OPENMCP_CATALOG: catalog.base } });
    const ended = endOf(child);
    await asked;
    child.kill(signal);
    expect(await ended).toEqual({ code, stdout: "", stderr: "" });
  });

  it("leaves a job to the catalog at Ctrl-C, and says so", async () => {
    let reached = (): void => {};
    const polled = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using catalog = await startFakeCatalog(({ method }, response) => {
      if (method === "GET") reached();
      const job = { id: "job-7", createdAt: "", finishedAt: null, total: 2, done: 0, results: [] };
      return json(method === "POST" ? { ok: true, job: "job-7", rejected: [] } : { ok: true, job })(
        {} as never,
        response,
      );
    });
    const child = startCli(["add", "https://a.example", "https://b.example"], {
      env: { OPENMCP_CATALOG: catalog.base },
    });
    const ended = endOf(child);
    await polled;
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining("job-7") });
  });

  it("colours when it is told to, and only then", async () => {
    await using catalog = await startFakeCatalog(
      json({ ok: true, relays: [record("a.example")], total: 1, nextCursor: null }),
    );
    const forced = await spawnCli(["relays"], { env: { OPENMCP_CATALOG: catalog.base, FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[32m✓ online\u001b[39m");
    const plain = async (env: Record<string, string>, ...argv: string[]) =>
      (await runCli(["relays", "--catalog", catalog.base, ...argv], { env })).stdout;
    expect(await plain({})).not.toContain("\u001b");
    expect(await plain({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain("\u001b");
    expect(await plain({ FORCE_COLOR: "1" }, "--no-color")).not.toContain("\u001b");
  });

  it("loads little for little: --version needs none of the client, the SDK or commander", async () => {
    const probe = `
      import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });
    `;
    const hook = `data:text/javascript,${encodeURIComponent(probe)}`;
    const loaded = async (...argv: string[]) => {
      const ended = await spawnCli(argv, {
        env: { NODE_OPTIONS: `--import=${hook}`, OPENMCP_CATALOG: "http://127.0.0.1:1" },
      });
      return ended.stderr.split("\n").filter((line) => line.startsWith("file:"));
    };
    expect((await loaded("--version")).map((url) => url.split("/").at(-1))).toEqual([
      "main.ts",
      "compile-cache.ts",
      "version.ts",
    ]);
    const forRelays = await loaded("relays");
    expect(forRelays.some((url) => url.endsWith("/commands/relays.ts"))).toBe(true);
    expect(
      forRelays.filter((url) =>
        /@modelcontextprotocol|\/server\/|\/catalog\/|\/net\/|undici|zod|commands\/(?!relays)/.test(url),
      ),
    ).toEqual([]);
  });

  it("tells a Node that is too old what it needs, in a sentence", async () => {
    const old = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
    const ended = await endOf(
      spawn(process.execPath, [
        "--import",
        `data:text/javascript,${encodeURIComponent(old)}`,
        main,
        "relays",
      ]),
    );
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(packageJson.engines.node).toBe(`>=${/needs Node (\S+) or newer/.exec(ended.stderr)?.[1]}`);
    expect(ended.stderr).toContain("this is 20.20.2");
  });

  it("starts under its own name", async () => {
    expect(main.endsWith("src/cli/main.ts")).toBe(true);
    expect(packageJson.bin).toEqual({ openmcp: "./dist/cli/main.js" });
  });
});

it.skipIf(process.platform !== "linux")(
  "output that a full disk refuses is said, in a sentence",
  async () => {
    const full = await open("/dev/full", "w");
    try {
      const child = spawn(process.execPath, [main, "completion", "bash"], {
        stdio: ["ignore", full.fd, "pipe"],
      });
      const ended = await endOf(child);
      expect(ended).toMatchObject({
        code: 8,
        stderr: expect.stringMatching(/^✗ The output can't be written: .+\.\n$/),
      });
    } finally {
      await full.close();
    }
  },
);
