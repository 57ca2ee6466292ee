/** `openmcp openapi print`: of a listed relay, of an endpoint in either era, of a command over stdio. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { openApiToTools } from "../../src/openapi/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { type Scene, startScene } from "../client/real-catalog.ts";
import { verifies } from "../requirements.ts";
import { endOf, runCli, startCli } from "./run-cli.ts";

const server = (name: string) => join(import.meta.dirname, "..", "real-servers", "servers", name);
const many = Array.from({ length: 23 }, (_, index) => ({
  name: `tool_${index}`,
  inputSchema: { type: "object" },
}));

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

async function printed(...argv: readonly string[]) {
  const ended = await runCli(["openapi", "print", ...argv]);
  expect(ended.code, ended.stderr).toBe(0);
  const document = JSON.parse(ended.stdout);
  return { document, tools: openApiToTools(document), stderr: ended.stderr };
}

describe("openmcp openapi print", () => {
  it(
    "writes the catalog's document of a listed relay, whose operations can be called",
    verifies("openapi.printed"),
    async () => {
      await using catalog = new CatalogClient(scene.url);
      const id = relayId(scene.weather.url);
      await catalog.register(scene.weather.url);
      const { document, stderr } = await printed(id, "--catalog", scene.url);
      expect(document).toEqual(await (await fetch(`${scene.url}/v1/relays/${id}/openapi.json`)).json());
      expect(document.paths[`/v1/relays/${id}/tools/forecast`].post["x-mcp-transport"]).toBe("http");
      expect(stderr).toBe("2 tools, each one operation.\n");
      const unknown = await runCli(["openapi", "print", "nobody.example", "--catalog", scene.url]);
      expect([unknown.code, unknown.stdout]).toEqual([5, ""]);
    },
  );

  it.each(["modern", "legacy"] as const)(
    "asks a %s endpoint for all its pages",
    verifies("openapi.printed"),
    async (era) => {
      await using relay = await startFakeRelay({ era, tools: many, pageSize: 5 });
      const { document, tools } = await printed(relay.url, "--path-style", "server-relative");
      expect(tools).toEqual(many);
      expect(document.servers).toEqual([{ url: relay.url }]);
      expect(document["x-mcp"]).toEqual({
        endpoint: relay.url,
        protocolVersion: era === "modern" ? "2026-07-28" : "2025-11-25",
        transport: "streamable-http",
      });
      expect(Object.keys(document.paths)[0]).toBe("/tools/tool_0");
    },
  );

  it(
    "asks with a credential where one is given, and never shows it",
    verifies("openapi.printed"),
    async () => {
      await using relay = await startFakeRelay({ tools: many, pageSize: 10, token: "s3cret" });
      const refused = await runCli(["openapi", "print", relay.url]);
      expect([refused.code, refused.stdout]).toEqual([4, ""]);
      const { document, tools, stderr } = await printed(relay.url, "--relay-token", "s3cret");
      expect(tools).toEqual(many);
      expect(JSON.stringify(document) + stderr).not.toContain("s3cret");
      const wrong = await runCli(["openapi", "print", relay.url, "--relay-token", "wr0ng"]);
      expect([wrong.code, wrong.stdout, wrong.stderr.includes("wr0ng")]).toEqual([4, "", false]);
    },
  );

  it.each([
    ["of the SDK 1.x", "stdio.ts", "2025-11-25", "behind-a-gateway"],
    ["of the SDK 2.x", "stdio2.ts", "2026-07-28", "stdio2"],
  ])(
    "asks a command %s over its streams",
    verifies("openapi.printed"),
    async (_title, file, protocolVersion, title) => {
      const { document, tools } = await printed("--", process.execPath, server(file));
      expect(document.info.title).toBe(title);
      expect(document["x-mcp"]).toEqual({ protocolVersion, transport: "stdio" });
      expect(tools.map(({ name }) => name)).toEqual(["add", "greet"]);
      expect(tools[0]).toMatchObject({ inputSchema: { properties: { a: { type: "number" } } } });
    },
  );

  it(
    "says why when a command is no server, and leaves none behind",
    verifies("openapi.printed"),
    async () => {
      const missing = await runCli(["openapi", "print", "./no-such-server"]);
      expect([missing.code, missing.stdout]).toEqual([6, ""]);
      expect(missing.stderr).toContain("no-such-server");
      const silent = ["-e", "setInterval(() => {}, 1000)"];
      const late = await runCli([
        "openapi",
        "print",
        "--timeout",
        "300ms",
        "--",
        process.execPath,
        ...silent,
      ]);
      expect([late.code, late.stdout]).toEqual([6, ""]);
      const folder = await mkdtemp(join(tmpdir(), "openmcp-cli-"));
      try {
        const script = `fs.appendFileSync(${JSON.stringify(join(folder, "pids"))}, process.pid + "\\n"); setInterval(() => {}, 1000)`;
        const child = startCli(["openapi", "print", "--", process.execPath, "-e", script]);
        const ended = endOf(child);
        const pids = async () =>
          (await readFile(join(folder, "pids"), "utf8")).trim().split("\n").map(Number);
        await vi.waitFor(pids, { timeout: 10_000 });
        child.kill("SIGINT");
        expect((await ended).stdout).toBe("");
        for (const pid of await pids()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
