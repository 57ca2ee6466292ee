/** The README's things to try, typed as they stand there, against a running catalog and a real MCP server. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { type ServerProcess, startProcess } from "../real-servers/start-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = await readFile(join(root, "README.md"), "utf8");
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  exports: Record<string, unknown>;
};
const blocks = [...readme.matchAll(/^```(\w+)\n((?:(?!```).*\n)*)/gm)].map(([, language, text = ""]) => ({
  language,
  text,
}));
const shell = blocks.filter((block) => block.language === "sh").map((block) => block.text);

let relay: ServerProcess;
let catalog: RunningCatalog;
beforeAll(async () => {
  const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  relay = await startProcess({
    args: () => [everything, "streamableHttp"],
    env: (port) => ({ PORT: String(port) }),
  });
  const options = parseServeOptions({ port: 0, db: ":memory:", refresh: "off", logLevel: "silent" });
  catalog = await startCatalog(options);
}, 60_000);
afterAll(async () => {
  await catalog?.close();
  await relay?.[Symbol.asyncDispose]();
});

/** The README's text with its ports made the test's own. */
function here(text: string): string {
  return text
    .replaceAll("http://127.0.0.1:8790", catalog.url)
    .replaceAll("127.0.0.1:3001", `127.0.0.1:${relay.port}`)
    .replaceAll("127.0.0.1-3001", `127.0.0.1-${relay.port}`);
}

/** Runs a block as typed into a shell in the checkout. */
function type(text: string): Promise<string> {
  const script = `set -e; shopt -s expand_aliases\n${here(text)}`;
  const env = { ...process.env, OPENMCP_CATALOG: catalog.url, NO_COLOR: "1" };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", script], { cwd: root, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${script}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

describe("README.md", () => {
  it("names two commands that there are", () => {
    expect(shell[0]).toMatch(/^npm ci && npm start .*\nnpm ci && npm test .*\n$/);
    expect(manifest.scripts.start).toContain("serve");
    expect(manifest.scripts.test).toBe("npm run check");
  });

  it("registers, finds and calls from the terminal", async () => {
    const printed = await type(shell[1] ?? "");
    expect(printed).toContain("get-sum");
    expect(printed).toContain("The sum of 2 and 3 is 5.");
  });

  it("puts the whole catalog into an application, from the checkout", async () => {
    const home = await mkdtemp(join(tmpdir(), "openmcp-readme-"));
    try {
      const [alias = ""] = (shell[1] ?? "").split("\n");
      const printed = await type(`${alias}\nexport HOME=${home}\n${shell[2]}`);
      expect(printed).toContain("Claude Desktop: openmcp is added");
      const [file = ""] = /\S+claude_desktop_config\.json/.exec(printed) ?? [];
      const { mcpServers } = JSON.parse(await readFile(file, "utf8"));
      const { Client } = await import("@modelcontextprotocol/client");
      const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
      const client = new Client({ name: "readme", version: "1" });
      await client.connect(new StdioClientTransport({ ...mcpServers.openmcp, cwd: home, stderr: "ignore" }));
      const { tools } = await client.listTools();
      await client.close();
      expect(tools.map((tool) => tool.name)).toContain("find_tool");
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it("does the same over REST", async () => {
    const answers = (await type((shell[3] ?? "").replaceAll("curl -s", "curl -sS -w '\\n'")))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers).toMatchObject([
      { ok: true, relay: { online: true } },
      { ok: true, tools: [{ name: "get-sum" }] },
      { ok: true, result: { content: [{ text: "The sum of 2 and 3 is 5." }] } },
    ]);
  });

  it("gives an agent's configuration that leads to an MCP endpoint", async () => {
    const [json] = blocks.filter((block) => block.language === "json");
    const { mcpServers } = JSON.parse(here(json?.text ?? "")) as { mcpServers: { openmcp: { url: string } } };
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const client = new Client({ name: "readme", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.openmcp.url)));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["find_tool", "call_tool"]));
  });

  it("names every entry of the package", () => {
    const named = [...readme.matchAll(/^\| `openmcp\/([\w/]+)` \|/gm)].map(([, entry]) => `./${entry}`);
    expect(named.sort()).toEqual(
      Object.keys(manifest.exports)
        .filter((entry) => entry !== "./package.json")
        .sort(),
    );
  });
});
