/**
 * The import gate reads every file, finds nothing in the house as it stands, and finds each kind of breach when one is
 * planted: otherwise an upgrade of the compiler or of the gate could leave it reading no file and passing.
 */
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cruise, cruise } from "./cruise.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** One planted breach: the rules it must break, no more and no fewer. */
interface Plant {
  readonly rules: readonly string[];
  /** Path to text; the first file is where the breach must be reported. */
  readonly files: Readonly<Record<string, string>>;
}

const inner = { "src/catalog/planted-inner.ts": "export const inner = 1;\n" };

/** A room imports one that it may not: through the entrance, so that only the direction is wrong. */
const wrongWays: Readonly<Record<string, string>> = {
  spec: "search",
  net: "relay",
  http: "catalog",
  relay: "discovery",
  discovery: "relay",
  search: "store",
  openapi: "http",
  store: "catalog",
  catalog: "http",
  kit: "catalog",
  client: "relay",
  desktop: "discovery",
  testing: "catalog",
  server: "cli",
};

const plants: Readonly<Record<string, Plant>> = {
  ...Object.fromEntries(
    Object.entries(wrongWays).map(([room, other]) => [
      `${room} imports ${other}`,
      {
        rules: [`direction-${room}`],
        files: { [`src/${room}/planted-direction.ts`]: `import "../${other}/index.ts";\n` },
      },
    ]),
  ),
  "a type-only import in a forbidden direction": {
    rules: ["direction-http"],
    files: { "src/http/planted-type.ts": 'export type { Store } from "../store/index.ts";\n' },
  },
  "a type in import() form in a forbidden direction": {
    rules: ["direction-http"],
    files: { "src/http/planted-type-query.ts": 'export type S = import("../store/index.ts").Store;\n' },
  },
  "a dynamic import in a forbidden direction": {
    rules: ["direction-http"],
    files: { "src/http/planted-dynamic.ts": 'export const s = () => import("../store/index.ts");\n' },
  },
  "a door imports the store": {
    rules: ["direction-doors"],
    files: { "src/doors/rest/planted-store.ts": 'import "../../store/index.ts";\n' },
  },
  "a door imports a probe": {
    rules: ["direction-doors"],
    files: { "src/doors/mcp/planted-probe.ts": 'import "../../relay/index.ts";\n' },
  },
  "a door imports another door": {
    rules: ["door-to-door"],
    files: { "src/doors/rest/planted-door.ts": 'import "../mcp/index.ts";\n' },
  },
  "a file outside every room": {
    rules: ["unknown-room"],
    files: { "src/planted-room/index.ts": 'import "../spec/index.ts";\n' },
  },
  "another room's inner file": {
    rules: ["entrance"],
    files: { "src/server/planted-entrance.ts": 'import "../catalog/planted-inner.ts";\n', ...inner },
  },
  "an adapter imports another": {
    rules: ["adapter-to-adapter"],
    files: { "src/store/postgres/planted-adapter.ts": 'import "../sqlite/index.ts";\n' },
  },
  "the store knows an adapter": {
    rules: ["store-knows-no-adapter"],
    files: { "src/store/planted-adapter.ts": 'import "./sqlite/index.ts";\n' },
  },
  "a room that is no composition root chooses a database": {
    rules: ["adapter-is-composed"],
    files: { "src/catalog/planted-adapter.ts": 'import "../store/sqlite/index.ts";\n' },
  },
  "spec imports a package": {
    rules: ["spec-imports-nothing"],
    files: { "src/spec/planted-package.ts": 'import "zod";\n' },
  },
  "spec imports a module of Node's": {
    rules: ["spec-imports-nothing"],
    files: { "src/spec/planted-node.ts": 'import "node:crypto";\n' },
  },
  "the client imports a module of Node's": {
    rules: ["without-node"],
    files: { "src/client/planted-node.ts": 'import "node:fs";\n' },
  },
  "the catalog opens sockets": {
    rules: ["sockets"],
    files: { "src/catalog/planted-socket.ts": 'import "node:http";\n' },
  },
  "a door brings its own HTTP client": {
    rules: ["sockets"],
    files: { "src/doors/pages/planted-undici.ts": 'import "undici";\n' },
  },
  "a cycle": {
    rules: ["no-cycle"],
    files: {
      "src/search/planted-cycle-1.ts": 'import "./planted-cycle-2.ts";\n',
      "src/search/planted-cycle-2.ts": 'import "./planted-cycle-1.ts";\n',
    },
  },
  "a cycle of types": {
    rules: ["no-cycle"],
    files: {
      "src/relay/planted-cycle-1.ts":
        'import type { B } from "./planted-cycle-2.ts";\nexport interface A { b: B }\n',
      "src/relay/planted-cycle-2.ts":
        'import type { A } from "./planted-cycle-1.ts";\nexport interface B { a: A }\n',
    },
  },
  "an import that leads nowhere": {
    rules: ["resolvable"],
    files: { "src/server/planted-nowhere.ts": 'import "./planted-absent.ts";\n' },
  },
  "a shipped file imports a development tool": {
    rules: ["shipped-dependency"],
    files: { "src/server/planted-tool.ts": 'import "fast-check";\n' },
  },
};

/** A copy of the house as it stands, every room of the table present, with all breaches in it. */
async function plantedCopy(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "openmcp-architecture-"));
  await cp(join(root, "src"), join(copy, "src"), { recursive: true });
  await cp(join(root, "package.json"), join(copy, "package.json"));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"), "dir");
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  };
  for (const { files } of Object.values(plants)) {
    for (const [path, text] of Object.entries(files)) await put(path, text);
  }
  const entrances = [...Object.keys(wrongWays), "cli", "doors/mcp", "store/sqlite"];
  for (const room of entrances) await put(`src/${room}/index.ts`, "export {};\n");
  return copy;
}

describe("the house as it stands", () => {
  it("is read whole, and breaks no rule", async () => {
    const files = (await readdir(join(root, "src"), { recursive: true }))
      .filter((path) => path.endsWith(".ts"))
      .map((path) => `src/${path.replaceAll("\\", "/")}`);
    const found = await cruise(root);
    expect(found.sources).toEqual(files.sort());
    expect(found.breaches).toEqual([]);
  });
});

describe("a planted breach", () => {
  let copy = "";
  let found: Cruise = { sources: [], breaches: [] };
  beforeAll(async () => {
    copy = await plantedCopy();
    found = await cruise(copy);
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it.each(Object.entries(plants))("is named: %s", (_title, { rules, files }) => {
    const [from] = Object.keys(files);
    const names = found.breaches.filter((breach) => breach.from === from).map((breach) => breach.rule);
    expect([...new Set(names)].sort()).toEqual([...rules].sort());
  });

  it("stands here for every rule of the gate", async () => {
    const gate = new URL("../../.dependency-cruiser.mjs", import.meta.url).href;
    const { default: config } = (await import(gate)) as { default: { forbidden: { name: string }[] } };
    const planted = new Set(Object.values(plants).flatMap((plant) => plant.rules));
    // cli/ may enter any room, so nothing can be planted against its direction but a room that does not exist.
    const rules = config.forbidden.map((rule) => rule.name).filter((name) => name !== "direction-cli");
    expect([...planted].sort()).toEqual(rules.sort());
  });
});
