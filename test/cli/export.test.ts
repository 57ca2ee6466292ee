/** `openmcp export` against a catalog behind a socket: each format held against whoever takes it. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { safeValidateMcpServersConfig, safeValidateVsCodeConfig } from "@gleanwork/mcp-config-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LISTING_META_KEY, readCatalog, readRegistryPage, readServerCard } from "../../src/spec/index.ts";
import {
  type CatalogFixture,
  openCatalog,
  type ServedCatalog,
  serveDoors,
} from "../doors/catalog-fixture.ts";
import { verifies } from "../requirements.ts";
import { main, type RunOptions, runCli } from "./run-cli.ts";

const PUBLIC = "https://catalog.example";
const LONG = "https://keyed.example/mcp?api_key=sk-live-0123456789abcdefghijk";

let catalog: CatalogFixture;
let served: ServedCatalog;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-export-"));
  catalog = await openCatalog();
  await catalog.list("https://board.example/mcp", {
    descriptor: { mcp: "/mcp", name: "Board", auth: { kind: "bearer" }, tags: ["jobs"] },
  });
  await catalog.list("https://weather.example/mcp", {
    descriptor: { mcp: "https://weather.example/mcp", auth: { kind: "none" } },
  });
  await catalog.list(LONG);
  await catalog.list("https://down.example/mcp", { online: false, verified: false });
  for (let index = 0; index < 600; index += 1) {
    await catalog.list(`https://r${index}.many.example/mcp`, { tools: [], online: false });
  }
  served = await serveDoors(catalog.context);
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const cli = (argv: readonly string[], options?: RunOptions) =>
  runCli(["export", ...argv, "--catalog", served.url], options);

/** Standard output as JSON. */
async function exported(...argv: string[]) {
  const { code, stdout, stderr } = await cli(argv);
  expect(code, stderr).toBe(0);
  return { text: stdout, document: JSON.parse(stdout), notes: stderr };
}

describe("documents", () => {
  it("openmcp: the records, page after page", verifies("export.formats"), async () => {
    const { document } = await exported("--format", "openmcp");
    expect(document.relays).toHaveLength(603);
    const [first] = document.relays;
    expect(first).toMatchObject({ id: "board.example", tools: [{ name: "echo" }], online: true });
    const overMcp = await exported("--format", "openmcp", "--transport", "mcp", "--online");
    const overRest = await exported("--format", "openmcp", "--online");
    expect(overMcp.document).toEqual(overRest.document);
    expect(overRest.document.relays).toHaveLength(2);
  });

  it("ai-catalog: conformant, with conformant cards in it", verifies("export.formats"), async () => {
    const { text, document, notes } = await exported("--format", "ai-catalog", "--url", `${PUBLIC}/`);
    const reading = readCatalog(text, { url: `${PUBLIC}/.well-known/ai-catalog.json` });
    expect(reading.diagnostics).toEqual([]);
    expect(reading.value).toMatchObject({ dialect: "ai-catalog", total: 603, dropped: 0, cut: 0 });
    for (const { data, url, identifier } of document.entries.slice(0, 5)) {
      expect(url).toBeUndefined();
      expect(identifier).toMatch(/^https:\/\/catalog\.example\/v1\/relays\//);
      expect(readServerCard(data)).toMatchObject({ conformant: true, diagnostics: [] });
      expect(data._meta[LISTING_META_KEY]).toMatchObject({ derived: true, catalog: PUBLIC });
    }
    expect(notes).toContain("Left out");
    expect(notes).toContain("keyed.example");
    expect(text + notes).not.toContain("sk-live");
  });

  it("mcp-catalog: conformant, its cards at the catalog", verifies("export.formats"), async () => {
    const { text, document } = await exported("--format", "mcp-catalog", "--url", PUBLIC, "--online");
    expect(readCatalog(text, { url: PUBLIC })).toMatchObject({ conformant: true, diagnostics: [] });
    expect(document.entries.map(({ url }: { url: string }) => url)).toEqual([
      `${PUBLIC}/v1/relays/board.example/server-card`,
      `${PUBLIC}/v1/relays/weather.example/server-card`,
    ]);
  });

  it("registry: a page that its readers take", verifies("export.formats"), async () => {
    const { text, document } = await exported("--format", "registry", "--url", PUBLIC);
    expect(readRegistryPage(text)).toMatchObject({
      conformant: true,
      diagnostics: [],
      value: { total: 603 },
    });
    expect(document.metadata).toEqual({ count: 603 });
    expect(Object.keys(document.servers[0]._meta)).toEqual([LISTING_META_KEY]);
  });
});

describe("applications", () => {
  it(
    "vscode: its schema, and an input for a credential",
    verifies("export.formats", "export.whole"),
    async () => {
      const { document, notes } = await exported("--format", "vscode", "board.example", "weather.example");
      expect(safeValidateVsCodeConfig(document).success).toBe(true);
      expect(document).toEqual({
        servers: {
          "board-example": {
            type: "http",
            url: "https://board.example/mcp",
            headers: { Authorization: `Bearer \${input:board-example-token}` },
          },
          "weather-example": { type: "http", url: "https://weather.example/mcp" },
        },
        inputs: [
          {
            type: "promptString",
            id: "board-example-token",
            description: "Credential for board.example",
            password: true,
          },
        ],
      });
      expect(notes).toContain("want a credential, and none is written: board.example");
    },
  );

  it("claude-desktop: a bridge by an absolute command", verifies("export.formats"), async () => {
    const { document } = await exported("--format", "claude-desktop", "weather.example");
    expect(safeValidateMcpServersConfig(document).success).toBe(true);
    const { "weather-example": entry } = document.mcpServers;
    expect(isAbsolute(entry.command)).toBe(true);
    expect((await stat(entry.command)).isFile()).toBe(true);
    expect(entry.args).toEqual([main, "connect", "https://weather.example/mcp"]);
  });

  it(
    "nothing of a document is printed when a relay of it is not there",
    verifies("export.whole"),
    async () => {
      const argv = ["export", "--format", "vscode", "weather.example", "none", "--catalog", served.url];
      expect(await runCli(argv)).toMatchObject({ code: 5, stdout: "" });
    },
  );

  it("a URL that carries a credential goes into no file", verifies("export.whole"), async () => {
    const id = (await catalog.context.store.relays.ids("keyed", 1))[0] ?? "";
    for (const format of ["openmcp", "vscode", "claude-desktop"]) {
      const { text, notes } = await exported("--format", format, id, "weather.example");
      expect(text + notes).not.toContain("sk-live");
      expect(notes).toContain("Left out");
    }
  });
});

describe("what is written", () => {
  it("appears whole, in place of what was there", verifies("export.whole"), async () => {
    const file = join(folder, "catalog.json");
    await writeFile(file, "old");
    const { code, stdout, stderr } = await cli(["--format", "registry", "--out", file]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("603 relays");
    expect(JSON.parse(await readFile(file, "utf8")).servers).toHaveLength(603);
    expect((await readdir(folder)).filter((name) => name.includes(".part-"))).toEqual([]);
  });

  it("stays as it was when the catalog breaks off", verifies("export.whole"), async () => {
    const file = join(folder, "kept.json");
    await writeFile(file, "old");
    const ended = await cli(["--format", "openmcp", "--out", file, "board.example", "nobody.example"]);
    expect(ended.code).toBe(5);
    expect(await readFile(file, "utf8")).toBe("old");
    expect((await readdir(folder)).filter((name) => name.includes(".part-"))).toEqual([]);
    const nowhere = await cli(["--format", "openmcp", "--out", join(folder, "no", "such", "folder.json")]);
    expect(nowhere.code).toBe(2);
  });

  it("is valid when nothing matches, and the exit code says so", async () => {
    for (const format of ["openmcp", "ai-catalog", "mcp-catalog", "registry", "vscode", "claude-desktop"]) {
      const { code, stdout } = await cli(["--format", format, "--tag", "nowhere"]);
      expect(code, format).toBe(1);
      expect(() => JSON.parse(stdout), format).not.toThrow();
    }
    expect((await cli(["--format", "yaml"])).code).toBe(2);
    expect((await cli([])).code).toBe(2);
    expect((await cli(["--format", "registry", "--url", "catalog.example"])).code).toBe(2);
  });

  it("is narrowed by words, tags and access", async () => {
    const ids = async (...argv: string[]) =>
      (await exported("--format", "openmcp", ...argv)).document.relays.map(({ id }: { id: string }) => id);
    expect(await ids("--tag", "jobs")).toEqual(["board.example"]);
    expect(await ids("--auth", "none")).toEqual(["weather.example"]);
    expect(await ids("--query", "r599 many")).toEqual(["r599.many.example"]);
  });
});
