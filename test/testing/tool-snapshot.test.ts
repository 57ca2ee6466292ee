/** Snapshots of tools and the client on a server of this process: servers of the kit and of both lines of the SDK, both test runners. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer as LegacyServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { serve, server, visibleTo } from "../../src/kit/index.ts";
import {
  connectTo,
  type TestedServer,
  type ToolSnapshotOptions,
  toolSnapshot,
} from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";

interface User {
  readonly id: string;
  readonly admin: boolean;
}
const [ada, bob]: User[] = [
  { id: "ada", admin: true },
  { id: "bob", admin: false },
];

const notes = (wipe = "Deletes every note.") =>
  serve<User>({
    description: { name: "notes", version: "1.0.0" },
    authenticate: () => new Response(null, { status: 401 }),
    server: ({ user }) => {
      const mcp = new McpServer({ name: "notes", version: "1.0.0" });
      visibleTo(
        mcp.registerTool("wipe", { description: wipe }, () => ({ content: [] })),
        (user: User) => user.admin,
      );
      mcp.registerTool("add", { inputSchema: z.object({ text: z.string() }) }, () => ({
        content: [{ type: "text", text: `of ${user.id}` }],
      }));
      return mcp;
    },
  });

const greet = (shape = z.object({ name: z.string() })) =>
  server("greet", "1.0.0").tool("hello", { description: "Greets.", input: shape }, () => "hello");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-snapshots-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
// The gate itself runs in CI.
beforeEach(() => {
  vi.stubEnv("CI", "");
  return () => void vi.unstubAllEnvs();
});
const file = (name: string) => join(folder, `${name}.tools.json`);
/** What a run did to its file. */
async function taken(
  of: TestedServer,
  options: ToolSnapshotOptions & { readonly file: string },
): Promise<string> {
  const text = () => readFile(options.file, "utf8").catch(() => null);
  const before = await text();
  await toolSnapshot(of, options);
  const after = await text();
  return before === after ? "same" : before === null ? "written" : "updated";
}
const read = async (name: string) => JSON.parse(await readFile(file(name), "utf8"));

describe("a snapshot", () => {
  it(
    "is written once, sorted, and is then the same",
    verifies("snapshot.written", "snapshot.exact"),
    async () => {
      expect(await taken(notes(), { as: ada, file: file("ada") })).toBe("written");
      const text = await readFile(file("ada"), "utf8");
      expect(await taken(notes(), { as: ada, file: file("ada") })).toBe("same");
      expect(await readFile(file("ada"), "utf8")).toBe(text);
      const { tools } = JSON.parse(text);
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(["add", "wipe"]);
      expect(Object.keys(tools[0])).toEqual(Object.keys(tools[0]).sort());
      // Checked out on Windows.
      await writeFile(file("ada"), text.replaceAll("\n", "\r\n"));
      expect(await taken(notes(), { as: ada, file: file("ada") })).toBe("same");
    },
  );

  it("is exactly what that user's client is told", verifies("snapshot.exact"), async () => {
    for (const user of [ada, bob]) {
      await toolSnapshot(notes(), { as: user, file: file(`of-${user?.id}`) });
      await using connection = await connectTo(notes(), { as: user });
      const { tools } = await connection.client.listTools();
      expect((await read(`of-${user?.id}`)).tools).toEqual(
        [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
    }
    expect((await read("of-bob")).tools).toHaveLength(1);
    await expect(toolSnapshot(notes(), { file: file("nobody") })).rejects.toThrow("say whom to act as");
    const plain = () => new McpServer({ name: "plain", version: "1" });
    await expect(toolSnapshot(plain, { as: ada, file: file("plain") })).rejects.toThrow("has no users");
  });

  it("lies beside the test, by the server's name and the user's", verifies("snapshot.written"), async () => {
    const here = join(import.meta.dirname, "__snapshots__");
    // It is committed, and in CI nothing is written.
    vi.stubEnv("CI", "true");
    await toolSnapshot(notes(), { as: ada });
    expect(await readFile(join(here, "notes.ada.tools.json"), "utf8")).toContain('"wipe"');
    await expect(toolSnapshot(notes(), { as: ada, name: "notes/of ada" })).rejects.toThrow(
      join(here, "notes-of-ada.tools.json"),
    );
  });

  it("that is missing fails in CI, with the cure", verifies("snapshot.written"), async () => {
    vi.stubEnv("CI", "true");
    await expect(toolSnapshot(greet(), { file: file("missing") })).rejects.toThrow(
      /in CI none is written: run the test on your machine, and commit the file/,
    );
    await expect(read("missing")).rejects.toThrow("ENOENT");
  });

  it(
    "of other tools fails with what breaks and what is different",
    verifies("snapshot.mismatch"),
    async () => {
      await toolSnapshot(greet(), { file: file("greet") });
      const other = greet(z.object({ name: z.string(), tone: z.enum(["warm", "dry"]) }) as never);
      const failed = (await toolSnapshot(other, { file: file("greet") }).catch((error) => error)) as Error;
      expect(failed.message).toContain('breaks callers: hello: argument "tone" has to be given now');
      expect(failed.message).toContain('+           "tone": {');
      expect(failed.message).toContain('-           "name"\n+           "name",\n+           "tone"');
      expect(failed.message).toContain("--test-update-snapshots");
      expect(await taken(other, { file: file("greet"), update: true })).toBe("updated");
      vi.stubEnv("OPENMCP_UPDATE_SNAPSHOTS", "1");
      expect(await taken(greet(), { file: file("greet") })).toBe("updated");
      await writeFile(file("greet"), "merged <<<<");
      vi.unstubAllEnvs();
      await expect(toolSnapshot(greet(), { file: file("greet") })).rejects.toThrow("- merged <<<<");
    },
  );

  it("is of any server", verifies("snapshot.servers"), async () => {
    const legacy = () => {
      const mcp = new LegacyServer({ name: "old", version: "1" });
      mcp.registerTool("echo", { inputSchema: { text: z.string() } as never }, (() => ({
        content: [],
      })) as never);
      return mcp;
    };
    const modern = () => {
      const mcp = new McpServer({ name: "new", version: "1" });
      mcp.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, () => ({ content: [] }));
      return mcp;
    };
    const servers = {
      legacy,
      modern,
      made: modern(),
      kit: serve({ server: modern }),
      fluent: greet(),
      bare: greet().build(),
    };
    for (const [name, each] of Object.entries(servers)) {
      expect(await taken(each, { file: file(name) }), name).toBe("written");
      expect((await read(name)).tools, name).toHaveLength(1);
      if (name !== "made") expect(await taken(each, { file: file(name) }), name).toBe("same");
    }
  });

  it(
    "works under node:test, where the runner's own option writes it anew",
    verifies("snapshot.servers"),
    async () => {
      const place = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
      const script = join(folder, "relay.test.ts");
      const source = (word: string) => `import { test } from "node:test";
import { server } from ${place("kit/index.ts")};
import { toolSnapshot } from ${place("testing/index.ts")};
const relay = server("node-test", "1.0.0").tool("hello", { description: "${word}" }, () => "hello");
test("keeps its tools", () => toolSnapshot(relay));
`;
      await writeFile(script, source("Greets."));
      expect(await run("--test", script)).toContain("pass 1");
      const made = join(folder, "__snapshots__/node-test.tools.json");
      expect(await readFile(made, "utf8")).toContain('"description": "Greets."');
      await writeFile(script, source("Greets warmly."));
      expect(await run("--test", script)).toContain('+       "description": "Greets warmly."');
      expect(await run("--test", "--test-update-snapshots", script)).toContain("pass 1");
      expect(await readFile(made, "utf8")).toContain("Greets warmly.");
    },
  );
});

describe("connectTo", () => {
  it.each(["legacy", "modern"] as const)("speaks the %s era", verifies("snapshot.servers"), async (era) => {
    await using connection = await connectTo(notes(), { as: bob, era });
    const { client } = connection;
    expect(client.getNegotiatedProtocolVersion()?.startsWith(era === "modern" ? "2026" : "2025")).toBe(true);
    const { content } = await client.callTool({ name: "add", arguments: { text: "x" } });
    expect(content).toEqual([{ type: "text", text: "of bob" }]);
    await expect(client.callTool({ name: "wipe", arguments: {} })).rejects.toThrow();
  });
});

function run(...args: string[]): Promise<string> {
  const { NODE_OPTIONS: _, VITEST: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...env, CI: "" } }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
