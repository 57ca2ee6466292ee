/** The package as a stranger gets it: packed, and installed from the tarball into an empty folder outside the repository. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Installed extends AsyncDisposable {
  /** The folder of the stranger's project. */
  readonly folder: string;
  /** The installed package in it. */
  readonly home: string;
  /** Runs a command there; rejects with all it printed when it fails. */
  run(command: string, args: readonly string[]): Promise<string>;
  /** Puts a file there. */
  put(name: string, text: string): Promise<void>;
}

export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-installed-"));
  const run = (command: string, args: readonly string[]) => runIn(folder, command, args);
  // Packing builds (`prepack`), so what is tested is what stands in src/ now.
  const packed = await runIn(root, "npm", ["pack", "--json", "--pack-destination", folder]);
  const [, tarball = ""] = /"filename": "([^"]+)"/.exec(packed) ?? [];
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  await put("package.json", '{ "name": "stranger", "private": true, "type": "module" }\n');
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `./${tarball}`]);
  return {
    folder,
    home: join(folder, "node_modules/openmcp"),
    run,
    put,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Without what an outer `npm run` left in the environment: it would point an inner npm at this repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = /^npm_config_(?:registry|cache|userconfig)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name) || kept.test(name)),
  );
}

function runIn(cwd: string, command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env: environment(), maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error }));
    });
  });
}
