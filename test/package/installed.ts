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
  /** What was packed. */
  readonly tarball: string;
  /** Runs a command there; rejects with all it printed when it fails. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<string>;
  /** Puts a file there. */
  put(name: string, text: string): Promise<void>;
}

export interface RunOptions {
  /** A folder in the project's; default: the project's. */
  readonly in?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-installed-"));
  const run = (command: string, args: readonly string[], { in: place = "", env }: RunOptions = {}) =>
    runIn(join(folder, place), { command, args, env });
  // Packing builds (`prepack`), so what is tested is what stands in src/ now.
  const packed = await runIn(root, {
    command: "npm",
    args: ["pack", "--json", "--pack-destination", folder],
  });
  const [, tarball = ""] = /"filename": "([^"]+)"/.exec(packed) ?? [];
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  await put("package.json", '{ "name": "stranger", "private": true, "type": "module" }\n');
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `./${tarball}`]);
  return {
    folder,
    home: join(folder, "node_modules/openmcp"),
    tarball: join(folder, tarball),
    run,
    put,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Without what an outer `npm run` left in the environment: it would point an inner npm at this repository. */
export function environment(): NodeJS.ProcessEnv {
  const kept = /^npm_config_(?:registry|cache|userconfig)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name) || kept.test(name)),
  );
}

interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
}

function runIn(cwd: string, { command, args, env }: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...environment(), ...env }, maxBuffer: 1 << 26 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error }));
    });
  });
}
