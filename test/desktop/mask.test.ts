/** What a change, a doctor and an error show is free of credentials, whoever wrote them and however. */
import { readFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { maskConfig } from "../../src/desktop/edit/mask.ts";
import { maskUrl, maskWords } from "../../src/desktop/edit/mask-words.ts";
import { examineLaunch, type Launch, machineOf } from "../../src/desktop/index.ts";
import { verifies } from "../requirements.ts";

const secret = "s3cretXYZ";
const machine = machineOf({
  platform: "linux",
  env: {},
  home: "/",
  cwd: "/",
  execPath: process.execPath,
});

describe("a configuration", () => {
  it.each<[string, unknown]>([
    ["docker's variable", { args: ["run", "-e", `GITHUB_TOKEN=${secret}`, "img"] }],
    ["a database's URL", { args: ["-y", "pg", `postgresql://u:${secret}@h/db`] }],
    ["a URL's query", { url: `https://a.example/mcp?api_key=${secret}` }],
    ["a URL's user", { url: `ws://u:${secret}@a.example/` }],
    ["an option", { args: ["--api-key", secret, `--token=${secret}`, "-k", secret] }],
    ["a header", { args: ["--header", `Authorization:Bearer ${secret}`, `-HX-Key: ${secret}`] }],
    ["a shell's line", { args: ["-c", `API_KEY='${secret} ${secret}' exec node x`] }],
    ["a variable and a number", { env: { A: secret, PIN: 31337 } }],
    ["what is nested", { oauth: { accessToken: secret, more: { auth: [secret] } } }],
    ["a token by its shape", { args: [`ghp_${secret}0123456789`] }],
    ["a reference beside it", { headers: { A: `${secret}\${env:X}` } }],
  ])("in JSON hides %s", verifies("install.secrets"), (_title, entry) => {
    for (const indent of [0, 2]) {
      const shown = maskConfig(JSON.stringify({ mcpServers: { old: entry } }, null, indent), {
        format: "json",
      });
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain("31337");
      expect(() => JSON.parse(shown)).not.toThrow();
    }
  });

  it("shows what is none", () => {
    const text =
      '{ "x": { "command": "/bin/a", "args": ["--port", "80", "https://a.example/mcp"], "url": "b:c" } }';
    expect(maskConfig(text, { format: "json" })).toBe(text);
  });

  it("shows where things are, and hides what stands beside", verifies("install.secrets"), () => {
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "production", KEY: secret, OTHER: "plain" };
    const json = JSON.stringify({ mcpServers: { a: { env, headers: { HOST: secret } } } });
    expect(maskConfig(json, { format: "json" })).toBe(
      json.replaceAll(secret, "•••").replace('"plain"', '"•••"'),
    );
    const toml = `env = { PATH = "/usr/bin", KEY = "${secret}" }\n[a.env]\nPATH = "/bin"\nKEY = "${secret}"\n`;
    expect(maskConfig(toml, { format: "toml" })).toBe(
      toml.replace(`\nKEY = "${secret}"`, "\nKEY = •••").replaceAll(secret, "•••"),
    );
    for (const broken of [
      `env = { PATH = "${secret}"`,
      `env = { PATH = "a" } # ${secret}`,
      `PATH = """${secret}`,
    ]) {
      expect(maskConfig(`${broken}\n`, { format: "toml" })).not.toContain(secret);
    }
  });

  it("in comments hides values, and keeps the lines", verifies("install.secrets"), () => {
    const text = `{\r\n  // "API_KEY": "${secret}"\r\n  /* TOKEN=${secret}\r\n     KEY: ${secret} */ "a": 1 // mine\r\n}\r\n`;
    expect(maskConfig(text, { format: "json" })).toBe(
      '{\r\n  // "API_KEY": •••\r\n  /* TOKEN=•••\r\n     KEY: ••• */ "a": 1 // mine\r\n}\r\n',
    );
  });

  it.each([
    `url = 'https://u:${secret}@a.example/mcp?key=${secret}'`,
    `url = "https://a.example/mcp?key=${secret}" # mine`,
    `# API_KEY = "${secret}"`,
    `bearer_token = """\n# ${secret}\n[${secret}]\ncommand = "${secret}"\n"""`,
    `env = { K = "${secret}" }`,
    `env.K = "${secret}"`,
    `args = ['--token', '${secret}']`,
    `args = [\n  "--token",\n  "${secret}",\n]`,
    `[mcp_servers.old.env] # ${secret}\ncommand = "${secret}"\nurl = "${secret}"`,
  ])("in TOML hides %j", verifies("install.secrets"), (lines) => {
    const text = `[mcp_servers.old]\n${lines}\n`;
    const shown = maskConfig(text, { format: "toml" });
    expect(shown).not.toContain(secret);
    expect(shown.split("\n")).toHaveLength(text.split("\n").length);
  });
});

it("leaves words and URLs without a credential alone", () => {
  const words = ["-y", "@acme/server@1.2.3", "--port=80", "https://a.example/mcp", "NODE_ENV=production"];
  expect(maskWords(words)).toEqual(words);
  expect(maskUrl("https://u:p@a.example/mcp?k=v#f")).toBe("https://•••@a.example/mcp?•••");
  expect(maskWords(["--header", ["Authorization: Bearer $", "{TOKEN}"].join("")])[1]).toContain("{TOKEN}");
});

it.skipIf(process.platform === "win32")(
  "a doctor leaves nothing running",
  verifies("install.doctor"),
  async () => {
    const code = `const { pid } = require("node:child_process").spawn("sleep", ["60"], { stdio: "ignore" }); console.error("Error: left " + pid); process.exit(1)`;
    const checks = await examineLaunch(
      { kind: "command", command: process.execPath, args: ["-e", code], env: {} },
      { machine, signal: new AbortController().signal, timeoutMs: 10_000, fetch: globalThis.fetch },
    );
    const pid = Number(/left (\d+)/.exec(JSON.stringify(checks))?.[1]);
    expect(pid).toBeGreaterThan(1);
    // What was killed may wait for its parent to look: it runs no more.
    const state = async () =>
      (await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z")).split(") ")[1]?.charAt(0);
    if (process.platform === "linux") await vi.waitFor(async () => expect(await state()).toBe("Z"));
  },
);

describe("a doctor", () => {
  const cry = `console.log("bad " + (process.env.API_KEY ?? process.argv[2])); console.error("bad " + (process.env.API_KEY ?? process.argv[2])); process.exit(1)`;
  const replies: Readonly<Record<string, () => Response>> = {
    "/redirect": () =>
      new Response(null, { status: 302, headers: { location: `https://b.example/?k=${secret}` } }),
    "/page": () => new Response("<p>", { status: 500, headers: { "content-type": "text/html" } }),
    "/echo": () =>
      Response.json(
        { jsonrpc: "2.0", id: 1, error: { code: -32_000, message: `bad ${secret}` } },
        { status: 400 },
      ),
  };
  it.each<[string, Launch]>([
    [
      "a variable",
      { kind: "command", command: process.execPath, args: ["-e", cry], env: { API_KEY: secret } },
    ],
    [
      "an argument",
      { kind: "command", command: process.execPath, args: ["-e", cry, "--", "--token", secret], env: {} },
    ],
    ["a redirect", { kind: "http", url: "https://a.example/redirect", headers: {} }],
    ["a failure", { kind: "http", url: `https://a.example/page?key=${secret}`, headers: {} }],
    ["an error", { kind: "http", url: "https://a.example/echo", headers: { "X-Key": `Bearer ${secret}` } }],
    ["another scheme", { kind: "http", url: `ftp://u:${secret}@a.example/`, headers: {} }],
    ["a URL's user", { kind: "http", url: `https://u:${secret}@a.example/page`, headers: {} }],
  ])("does not repeat %s", verifies("install.secrets", "install.doctor"), async (_title, launch) => {
    const checks = await examineLaunch(launch, {
      machine,
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      fetch: async (input) =>
        (replies[new URL(input).pathname] ?? (() => new Response(null, { status: 404 })))(),
    });
    expect(checks.some(({ state }) => state === "bad")).toBe(true);
    expect(JSON.stringify(checks)).not.toContain(secret);
  });
});
