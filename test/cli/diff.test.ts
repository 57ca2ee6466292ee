/** `openmcp diff`: every kind of side against every other, for people and for machines, and how it ends. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandWords } from "../../src/cli/diff/command-words.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { server } from "../../src/kit/index.ts";
import { toolsToOpenApi } from "../../src/openapi/index.ts";
import { type JsonObject, relayId } from "../../src/spec/index.ts";
import { startFakeRelay, toolSnapshot } from "../../src/testing/index.ts";
import { type Scene, startScene } from "../client/real-catalog.ts";
import { verifies } from "../requirements.ts";
import { endOf, runCli, startCli } from "./run-cli.ts";

let folder: string;
let scene: Scene;
beforeAll(async () => {
  [folder, scene] = await Promise.all([mkdtemp(join(tmpdir(), "openmcp-diff-")), startScene()]);
});
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const inputSchema = (more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { city: { type: "string" }, ...more },
});
const tools = (more: JsonObject = {}) => [
  { name: "forecast", description: "Tells the weather.", inputSchema: inputSchema(more) },
];
async function put(name: string, value: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}
async function diff(before: string, after: string, ...more: string[]) {
  const ended = await runCli(["diff", before, after, "--json", ...more]);
  expect(ended.stderr).toBe("");
  return { code: ended.code, ...JSON.parse(ended.stdout) };
}

describe("openmcp diff", () => {
  it("compares documents of every kind with each other", verifies("diff.sides"), async () => {
    const list = tools();
    const places = [
      await put("list.json", list),
      await put("tools.json", { tools: list }),
      await put("answer.json", { jsonrpc: "2.0", id: 1, result: { tools: list } }),
      await put("openapi.json", toolsToOpenApi({ title: "weather", version: "1" }, list)),
      await put("snapshot", `\uFEFF${JSON.stringify({ tools: list })}`),
    ];
    for (const before of places) {
      for (const after of places) {
        expect(await diff(before, after)).toMatchObject({ code: 0, ok: true, changes: [] });
      }
    }
    const wider = await put("wider.json", tools({ unit: { type: "string" } }));
    const piped = await runCli(["diff", wider, "-"], { stdin: JSON.stringify(list) });
    expect([piped.code, piped.stdout]).toEqual([
      1,
      `✗ breaks callers
  forecast: argument "unit" is not taken any more  /inputSchema/properties/unit

✗ 1 change breaks callers.
`,
    ]);
  });

  it(
    "compares what runs with what was kept: an endpoint, a command, a listed relay",
    verifies("diff.sides"),
    async () => {
      await using relay = await startFakeRelay({ tools: tools() });
      await using next = await startFakeRelay({ era: "legacy", tools: tools({ unit: { type: "string" } }) });
      await using catalog = new CatalogClient(scene.url);
      await catalog.register(relay.url);
      const id = relayId(relay.url);
      const kept = await put("kept.json", tools());
      expect(await diff(kept, relay.url)).toMatchObject({ ok: true, changes: [] });
      const grown = await diff(id, next.url, "--catalog", scene.url);
      expect(grown).toMatchObject({
        code: 0,
        ok: true,
        before: { place: id, kind: "relay", tools: 1 },
        after: { place: next.url, kind: "endpoint", tools: 1 },
        changes: [{ tool: "forecast", code: "member-added", breaking: false }],
      });
      const script = fileURLToPath(new URL("../kit/stdio-process.ts", import.meta.url));
      const command = await diff(kept, `"${process.execPath}" '${script}'`);
      expect(command).toMatchObject({ code: 1, after: { kind: "command", tools: 6 } });
      expect(command.changes[0]).toMatchObject({ tool: "forecast", code: "tool-removed" });
    },
  );

  it("compares with the snapshot that a test keeps", verifies("diff.sides"), async () => {
    const greet = server("greet", "1.0.0").tool("hello", { input: { type: "object" } }, () => "hello");
    const file = join(folder, "greet.tools.json");
    await toolSnapshot(greet, { file, update: true });
    await using on = await greet.listen();
    expect(await diff(file, on.url)).toMatchObject({ code: 0, changes: [] });
  });

  it("ends with 0, 1, or what kept it from comparing", verifies("diff.exit"), async () => {
    const [before, after] = [await put("a.json", tools({ unit: {} })), await put("b.json", tools())];
    expect([(await diff(before, before)).code, (await diff(before, after)).code]).toEqual([0, 1]);
    expect((await runCli(["diff", before, before])).stdout).toBe("✓ The tools are the same.\n");
    expect((await runCli(["diff", after, before])).stdout).toContain(
      "✓ Callers go on: 1 change, and none breaks them.",
    );
    const bad = [
      await put("bad.json", "{"),
      await put("none.json", {}),
      await put("twins.json", [...tools(), ...tools()]),
      await put("deep.json", "[".repeat(500)),
      join(folder, "nothing.json"),
    ];
    for (const place of bad) {
      const ended = await runCli(["diff", before, place]);
      expect([ended.code, ended.stdout], place).toEqual([2, ""]);
    }
    expect((await runCli(["diff", before, "http://127.0.0.1:1/mcp"])).code).toBe(6);
    expect((await runCli(["diff", before, "nobody.example", "--catalog", scene.url])).code).toBe(5);
    const process = startCli(["diff", before, after]);
    expect((await endOf(process)).code).toBe(1);
  });

  it("prints no stranger's escape sequence", verifies("diff.exit"), async () => {
    const evil = await put("evil.json", [{ name: "\u001b[2Jevil", inputSchema: {} }]);
    const { stdout } = await runCli(["diff", evil, await put("empty.json", [])]);
    expect(stdout).not.toContain("\u001b");
  });
});

it("takes a command apart as a shell does", verifies("diff.sides"), () => {
  expect(commandWords(`node "a b.js" 'c "d"' e\\ f "g\\"h" ''`)).toEqual([
    "node",
    "a b.js",
    'c "d"',
    "e f",
    'g"h',
    "",
  ]);
  expect(commandWords("C:\\tools\\node.exe x")).toEqual(["C:\\tools\\node.exe", "x"]);
  expect(() => commandWords(`node "a`)).toThrow("does not end");
});
