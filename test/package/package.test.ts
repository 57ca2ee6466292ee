/** `npm pack` gives a package that works when installed elsewhere: its command, its entries, its types, its surface. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "../server/catalog-process.ts";
import { environment, type Installed, installPackage } from "./installed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  version: string;
  engines: { node: string };
  exports: Record<string, string | { default: string }>;
  dependencies: Record<string, string>;
};
const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
const nameOf = (entry: string) => `openmcp${entry.slice(1)}`;

let installed: Installed;
beforeAll(async () => {
  installed = await installPackage();
}, 180_000);
afterAll(() => installed?.[Symbol.asyncDispose]());

describe("the installed package", () => {
  it("has a command that says its version", async () => {
    const bin = join(installed.folder, "node_modules/.bin/openmcp");
    expect((await installed.run(bin, ["--version"])).trim()).toBe(manifest.version);
    expect(await installed.run(bin, ["--help"])).toContain("serve");
  });

  it("runs a catalog, its threads and what it loads late from the bundle", async () => {
    const bin = join(installed.folder, "node_modules/openmcp/dist/cli/main.js");
    await using catalog = await startCatalogProcess(
      ["--db", join(installed.folder, "catalog.db"), "--admin-token", "secret"],
      [bin, "serve", "--port", "0"],
    );
    await using relay = await startFakeRelay({ tools: [{ name: "bundled_echo" }] });
    const openmcp = (...argv: string[]) =>
      installed.run(process.execPath, [bin, "--catalog", catalog.url, "--token", "secret", ...argv]);
    expect(await openmcp("add", relay.url)).toContain("1 tool");
    // The index has a thread of its own, and so has a copy.
    await expect
      .poll(() => openmcp("find", "bundled", "echo"), { timeout: 10_000 })
      .toContain("bundled_echo");
    expect(await openmcp("backup", join(installed.folder, "copy.db"))).toContain("copy.db");
    expect(await openmcp("relays", "--transport", "mcp")).toContain("127.0.0.1");
    expect(await (await fetch(`${catalog.url}/metrics`)).text()).toContain("openmcp_");
    expect(catalog.output.stderr).not.toContain("error");
  });

  it("writes itself into an application, and by npx says that it would not stay", {
    ...verifies("install.own-package"),
    timeout: 120_000,
  }, async () => {
    await using relay = await startFakeRelay({ tools: [{ name: "far", inputSchema: { type: "object" } }] });
    const env = { HOME: join(installed.folder, "home") };
    const install = ["install", relay.url, "--client", "claude-desktop", "--name", "far"];
    // As npx keeps a package for a while.
    const passing = join(installed.folder, "_npx/1a");
    await mkdir(passing, { recursive: true });
    const quietly = ["--no-audit", "--no-fund", "--prefer-offline"];
    await installed.run("npm", ["install", ...quietly, "--prefix", passing, installed.tarball]);
    const there = join(passing, "node_modules/.bin/openmcp");
    await expect(installed.run(there, install, { env })).rejects.toThrow("came out of no registry");
    const bin = join(installed.folder, "node_modules/.bin/openmcp");
    await installed.run(bin, install, { env });
    const file = join(env.HOME, ".config/Claude/claude_desktop_config.json");
    expect(JSON.parse(await readFile(file, "utf8")).mcpServers.far).toMatchObject({
      command: process.execPath,
      args: [await realpath(join(installed.home, "dist/cli/main.js")), "connect", relay.url],
    });
    expect(await installed.run(bin, ["doctor", "far"], { env })).toContain("1 tool");
  });

  it("loads nothing of its own before a Node that is too old is told so", async () => {
    const main = await readFile(join(installed.home, "dist/cli/main.js"), "utf8");
    const names = [...main.matchAll(/^(?:import|export)\b[^"]*"([^"]+)"/gm)].map(([, name]) => name);
    expect(names).toContain("node:module");
    expect(names.filter((name) => name?.startsWith("node:") !== true)).toEqual([]);
  });

  it("names whose code its command carries", async () => {
    const notices = await readFile(join(installed.home, "dist/cli/THIRD-PARTY-NOTICES.txt"), "utf8");
    const external = ["@opentelemetry/api"];
    for (const name of Object.keys(manifest.dependencies).filter((name) => !external.includes(name))) {
      expect(notices).toContain(`\n${name} `);
    }
  });

  it.each(entries)("can be imported: %s", async (entry) => {
    // By the exit code: one of them is the guard, which keeps standard output for the protocol.
    const script = `process.exitCode = Object.keys(await import(${JSON.stringify(nameOf(entry))})).length > 0 ? 0 : 1`;
    await installed.run(process.execPath, ["--input-type=module", "--eval", script]);
  });

  it("has types that say something, under the strictest reading", async () => {
    await installed.put(
      "uses.ts",
      `import { CatalogClient } from "openmcp/client";
import { relayId, type RelayRecord, verifySignature } from "openmcp/spec";
${entries.map((entry, index) => `import * as e${index} from "${nameOf(entry)}";`).join("\n")}
export const all = [${entries.map((_, index) => `e${index}`).join(", ")}];
export const id: string = relayId("https://x.example/mcp");
export const ok: Promise<boolean> = verifySignature("secret", "body", null);
export const names = (record: RelayRecord): readonly string[] => record.tools.map((tool) => tool.name);
// A type that had not resolved would be \`any\`, and take this without a word.
// @ts-expect-error
export const wrong: number = relayId("https://x.example/mcp");
// @ts-expect-error
export const wrongField = (record: RelayRecord) => record.nothingOfThatName;
// @ts-expect-error
export const wrongClient = new CatalogClient(7);
`,
    );
    await installed.put(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          target: "es2024",
          lib: ["es2024", "esnext.disposable", "esnext.iterator", "dom"],
          module: "nodenext",
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          skipLibCheck: true,
          types: ["node"],
          typeRoots: [join(root, "node_modules/@types")],
        },
        files: ["uses.ts"],
      }),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await installed.run(process.execPath, [tsc, "-p", "tsconfig.json"]);
  });

  it("carries what it needs and nothing of the workshop", async () => {
    const files = (await readdir(installed.home, { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && !file.parentPath.includes("node_modules", installed.home.length))
      .map((file) => join(file.parentPath, file.name).slice(installed.home.length + 1));
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/cli/main.js"]),
    );
    expect(
      files.filter((file) => !/^(?:dist|docs)\/|^(?:LICENSE|README\.md|package\.json)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$|\.db$/.test(file))).toEqual([]);
  });
});

describe("a stranger's relay", () => {
  /** A script there on a free port, until it says where it listens. */
  async function listening(
    script: string,
    folder: string,
  ): Promise<AsyncDisposable & { readonly url: string }> {
    const child = spawn(process.execPath, [script], {
      cwd: join(installed.folder, folder),
      env: { ...environment(), PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const ended = once(child, "close");
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (part: Buffer) => {
          said += part;
          const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)\s/.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
      }
      void ended.then(() => reject(new Error(said)));
    });
    return {
      url,
      async [Symbol.asyncDispose]() {
        child.kill();
        await ended;
      },
    };
  }

  it("is one of the examples, as they are in the checkout", verifies("example.runs"), async () => {
    await cp(join(root, "examples"), join(installed.folder, "examples"), { recursive: true });
    const bin = join(installed.folder, "node_modules/.bin/openmcp");
    for (const name of ["greet.ts", "dice.ts", "notebook.ts", "pomodoro.ts"]) {
      await using relay = await listening(name, "examples");
      expect(await installed.run(bin, ["probe", relay.url]), name).toContain("verified");
    }
  });

  it("is written by `openmcp new`, installed, tested, run, and listed as verified", {
    ...verifies("new.starter", "new.own-package"),
    timeout: 180_000,
  }, async () => {
    const bin = join(installed.folder, "node_modules/.bin/openmcp");
    const said = await installed.run(bin, ["new", "starter"]);
    expect(said).toMatch(/It needs Node [\d.]+ or newer/);
    const here = { in: "starter" };
    // The package came from a file: a registry's of the same name is somebody else's.
    await installed.run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], here);
    const got = await readFile(
      join(installed.folder, "starter/node_modules/openmcp/dist/cli/main.js"),
      "utf8",
    );
    expect(got).toBe(await readFile(join(installed.home, "dist/cli/main.js"), "utf8"));
    await installed.run("npm", ["run", "check"], here);
    expect(await installed.run("npm", ["test"], { ...here, env: { CI: "" } })).toContain("pass 2");
    expect(await installed.run("npm", ["test"], { ...here, env: { CI: "true" } })).toContain("pass 2");
    await using relay = await listening("src/main.ts", "starter");
    await using catalog = await startCatalogProcess(
      ["--db", join(installed.folder, "starter.db")],
      [join(installed.home, "dist/cli/main.js"), "serve", "--port", "0"],
    );
    // As its README has it.
    const openmcp = (...argv: string[]) =>
      installed.run("npx", ["openmcp", "--catalog", catalog.url, "--json", ...argv], here);
    await openmcp("add", relay.url);
    const { relays } = JSON.parse(await openmcp("relays", "--verified"));
    expect(relays).toMatchObject([{ online: true, verified: true }]);
    const called = await openmcp("call", relays[0].id, "greet", "name=Ada");
    expect(called).toContain("Hello, Ada!");
    const snapshot = join(installed.folder, "starter/test/__snapshots__/starter.tools.json");
    expect(JSON.parse(await openmcp("diff", snapshot, relay.url))).toMatchObject({ ok: true, changes: [] });
  });
});

describe("the public surface", () => {
  it.each(entries)("of %s has these names", async (entry) => {
    const target = manifest.exports[entry];
    const path = (typeof target === "string" ? target : (target?.default ?? "")).replace(/\.js$/, ".d.ts");
    const names = exportedNames(await readFile(join(installed.home, path), "utf8"));
    expect(names).not.toEqual([]);
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(
      `exports/${entry.slice(2).replace("/", "-")}.txt`,
    );
  });

  it.each(["./spec", "./client", "./kit"])("of %s loads in a browser: no module of Node's", async (entry) => {
    const builtins: string[] = [];
    const start = join(installed.folder, `browser${entry.slice(1).replace("/", "-")}.js`);
    await writeFile(start, `export * from ${JSON.stringify(nameOf(entry))};\n`);
    const bundle = await build({
      configFile: false,
      root: installed.folder,
      logLevel: "silent",
      build: { write: false, minify: false, lib: { entry: start, formats: ["es"] } },
      plugins: [
        {
          name: "no-node",
          enforce: "pre",
          resolveId(id, importer) {
            if (isBuiltin(id)) builtins.push(`${id} from ${importer?.slice(installed.folder.length)}`);
          },
        },
      ],
    });
    expect(builtins).toEqual([]);
    expect(JSON.stringify(bundle)).toContain(entry === "./kit" ? "serveStdio" : "verifySignature");
  });
});

/** Sorted, types marked; a declaration file as the compiler writes it names each export in a list or at its declaration. */
function exportedNames(declarations: string): string[] {
  const names: string[] = [];
  for (const [, typeOnly, list = ""] of declarations.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const item of list.split(",")) {
      const [, itemType, name] = /^\s*(type )?(?:\w+ as )?(\w+)\s*$/.exec(item) ?? [];
      if (name !== undefined) names.push(`${typeOnly ?? itemType ?? ""}${name}`);
    }
  }
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(function|const|class|interface|type) (\w+)/gm;
  for (const [, kind = "", name] of declarations.matchAll(declared)) {
    names.push(`${kind === "interface" || kind === "type" ? "type " : ""}${name}`);
  }
  expect(declarations).not.toMatch(/^export \*/m);
  return [...new Set(names)].sort();
}
